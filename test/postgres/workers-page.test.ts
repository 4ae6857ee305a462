/** The lines of docs/workers.md that start a database and two workers, as a newcomer types them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { startSandbox } from '../cli/sandbox.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { account, binary, folderForServers } from './server.ts';
import { freePort } from '../support/free-port.ts';

const root = join(import.meta.dirname, '..', '..');

/** Programs by name, each a line for the shell; Postgres refuses to run as root. */
function programs(cwd: string): string {
  const { uid, gid } = account();
  const drop = uid === undefined ? '' : `setpriv --reuid=${uid} --regid=${gid} --clear-groups `;
  const lines = {
    deskhand: `${process.execPath} ${join(root, 'bin', 'deskhand.js')}`,
    initdb: `${drop}${binary('initdb')}`,
    pg_ctl: `${drop}${binary('pg_ctl')}`,
  };
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  for (const [name, line] of Object.entries(lines)) {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
  }
  return bin;
}

test('the five lines of the page start a database and two workers, which execute the example', async () => {
  const page = readFileSync(join(root, 'docs', 'workers.md'), 'utf8');
  const block = /## Two workers on one machine[^]*?```sh\n([^]*?)```/.exec(page)?.[1] ?? '';
  const lines = block.trim().split('\n');
  expect([lines.length, lines[0]]).toEqual([5, 'npm install pg']); // it is installed here
  const exchange = await startSandbox();
  const cwd = folderForServers();
  const bin = programs(cwd);
  mkdirSync(join(cwd, 'playbooks'));
  const example = readFileSync(join(root, 'workflows', 'order-ladder.yaml'), 'utf8');
  writeFileSync(join(cwd, 'playbooks', 'order-ladder.yaml'), example);
  writeFileSync(
    join(cwd, 'deskhand.yaml'),
    `profiles: { main: { target: sandbox, base-url: "${exchange.baseUrl}" } }
state: { store: postgres, url: { env: DESK_DATABASE } }
`,
  );
  const script = lines
    .slice(1)
    .join('\n')
    .replaceAll('5433', String(await freePort()));
  const user = account().uid === undefined ? {} : { PGUSER: 'postgres' };
  const child = spawn('bash', ['-ec', script], {
    cwd,
    detached: true, // a group of its own, which ends with the test
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...exchange.env('hedge'),
      ...user,
      TMPDIR: tmpdir(),
      PATH: `${bin}:${process.env['PATH']}`,
      HOME: cwd,
    },
  });
  afterEachTest(() => {
    process.kill(-(child.pid ?? 0), 'SIGKILL');
    const [pid] = readFileSync(join(cwd, 'db', 'postmaster.pid'), 'utf8').split('\n');
    process.kill(Number(pid), 'SIGKILL');
    rmSync(cwd, { recursive: true, force: true, maxRetries: 5 });
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part) => (said += String(part)));
  }
  const [code] = await once(child, 'exit');
  expect([code, said]).toEqual([0, expect.stringContaining('4 of 4 orders live')]);
  expect(said.match(/serves main/g)).toHaveLength(2);
  expect(readdirSync(join(cwd, '.deskhand', 'runs'))).toHaveLength(1);
});
