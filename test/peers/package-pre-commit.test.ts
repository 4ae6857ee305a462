/** The hooks of this repository, installed and executed by pre-commit, with the npm of its user. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { beforeAll, expect, test } from 'vitest';
import { ladder } from '../cli/ladder.ts';
import { git } from '../stores/machines.ts';
import {
  freshFolder,
  npmProgram,
  repositoryOfSources,
  started,
  type Ended,
  type NpmVersion,
} from './installing.ts';

let hooks: string;

beforeAll(() => {
  hooks = repositoryOfSources();
});

/** A folder for PATH in which npm has this version. */
function programs(version: NpmVersion): string {
  const folder = freshFolder();
  const script = `#!/bin/sh\nexec "${process.execPath}" "${npmProgram(version)}" "$@"\n`;
  writeFileSync(join(folder, 'npm'), script, { mode: 0o755 });
  return folder;
}

/** A repository of playbooks whose commits are checked. */
function desk(): string {
  const cwd = freshFolder();
  git(cwd, ['init', '--quiet']);
  const rev = git(hooks, ['rev-parse', 'HEAD']).trim();
  const config = { repos: [{ repo: hooks, rev, hooks: [{ id: 'deskhand-validate' }] }] };
  writeFileSync(join(cwd, '.pre-commit-config.yaml'), JSON.stringify(config));
  mkdirSync(join(cwd, 'playbooks'));
  return cwd;
}

test.each<NpmVersion>(['10', '11'])(
  'pre-commit installs the hooks with npm %s, and they check playbooks',
  async (version) => {
    const cwd = desk();
    const env = {
      PATH: [programs(version), process.env['PATH']].join(delimiter),
      PRE_COMMIT_HOME: freshFolder(),
    };
    const check = async (playbook: string): Promise<Ended> => {
      writeFileSync(join(cwd, 'playbooks', 'ladder.yaml'), playbook);
      git(cwd, ['add', '--all']);
      return started('pre-commit', ['run', '--all-files', '--color', 'never'], { cwd, env });
    };
    const passed = await check(ladder);
    expect([passed.code, passed.stdout]).toEqual([
      0,
      expect.stringMatching(/check playbooks\.+Passed/),
    ]);
    const refused = await check(ladder.replace('uses:', 'use:'));
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('error[PB')]);
  },
);
