/** Every deskhand command in README.md is run, in its order, in an empty folder. */
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { $ } from 'zx';
import { launcher } from './cli/built.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const commands = [...readme.matchAll(/^npx deskhand ([^#\n]+?)\s*(?:#.*)?$/gm)].map(
  ([, command]) => command ?? '',
);

const folder = mkdtempSync(join(tmpdir(), 'readme-'));
const { PATH = '', HOME = '' } = process.env;
const shell = $({ cwd: folder, nothrow: true, quiet: true, env: { PATH, HOME } });

let program = '';
beforeAll(async () => {
  cpSync(join(root, 'workflows'), join(folder, 'workflows'), { recursive: true });
  program = await launcher();
}, 60_000);

test('there are commands to run', () => expect(commands.length).toBeGreaterThan(6));

test.each(commands)(
  'deskhand %s',
  async (command) => {
    const { exitCode, stdout, stderr } = await shell`node ${program} ${command.split(/\s+/)}`;
    expect(stderr + stdout, command).not.toMatch(/^\s+at .*\.(js|ts):\d+/m);
    expect(exitCode, stderr).toBe(0);
    expect(stdout).not.toContain('\u001b');
  },
  30_000,
);
