/** A pipeline on an untrusted branch requests, starts, reads and writes nothing for it. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { folderWith } from './deskhand.ts';
import { ladder } from './ladder.ts';

/** A branch that tries everything, and the places where it would leave traces. */
async function hostile(): Promise<{
  readonly cwd: string;
  readonly outside: string;
  readonly asked: () => number;
  readonly close: () => void;
}> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const outside = folderWith({ 'private.secrets': 'API_KEY=never-read\n' });
  const cwd = folderWith({
    'ladder.yaml': ladder,
    'deskhand.yaml': `state: { store: git, remote: "ssh://127.0.0.1:${port}/state" }
profiles:
  main:
    base-url: "http://127.0.0.1:${port}"
    secrets: { exec: [sh, -c, "touch ${outside}/started; env"] }
    allow: { shell: true }
`,
    'shell.yaml': `playbook: 1
name: shell
account: main
steps:
  - { id: own, uses: shell/run, with: { command: [touch, "${outside}/shell"] } }
`,
  });
  symlinkSync(outside, join(cwd, '.deskhand'));
  return { cwd, outside, asked: () => connections, close: () => server.close() };
}

/** The name in Node since version 22, and before. */
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission';

const verbs = [
  ['validate'],
  ['validate', '-o', 'sarif'],
  ['validate', '-o', 'github'],
  ['plan', 'ladder.yaml', '--offline'],
  ['plan', 'ladder.yaml', '--offline', '--profile=sandbox'],
  ['plan', 'ladder.yaml', '--offline', '-o', 'markdown'],
  ['plan', 'shell.yaml', '--offline', '-o', 'json'],
  ['fmt', '--check'],
  ['graph', 'ladder.yaml'],
];

test.each(verbs.map((words) => [words.join(' '), words] as const))(
  'deskhand %s',
  async (_, words) => {
    const branch = await hostile();
    // Node itself forbids writes and programs; those of Git and the exchange are observed.
    const cage = [permission, '--allow-fs-read=*', '--no-warnings'];
    const { PATH = '', HOME = '' } = process.env;
    const env = {
      PATH,
      HOME,
      TMPDIR: tmpdir(),
      XDG_CONFIG_HOME: join(branch.cwd, '.config'),
      MAIN_API_KEY: 'k3y-never',
    };
    const all = [...cage, inject('launcher'), ...words];
    try {
      const ended = await promisify(execFile)(process.execPath, all, { cwd: branch.cwd, env });
      expect(ended.stderr).not.toContain('ERR_ACCESS_DENIED');
      expect(ended.stdout + ended.stderr).not.toMatch(/never-read|k3y-never/);
      expect(branch.asked()).toBe(0);
      for (const trace of ['git', 'started', 'shell', 'plans', 'runs', 'sandbox', 'machine']) {
        expect(existsSync(join(branch.outside, trace)), trace).toBe(false);
      }
      expect(readFileSync(join(branch.cwd, 'ladder.yaml'), 'utf8')).toBe(ladder);
    } finally {
      branch.close();
    }
  },
);
