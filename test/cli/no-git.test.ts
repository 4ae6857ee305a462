/** Machines without Git or ssh-keygen: each message says which program is missing. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { ladder } from './ladder.ts';

const missingGit = 'Git is not installed, or not on PATH';
const missingKeygen = 'ssh-keygen is not installed, or not on PATH';

/** A repository whose commands find no other program. */
function bare(config = 'profiles: { main: {} }\n') {
  const cwd = folderWith({ 'ladder.yaml': ladder, 'deskhand.yaml': config, signers: '' });
  mkdirSync(join(cwd, '.git'));
  const at = async (...words: string[]): Promise<Ended & { readonly said: string }> => {
    const tools = folderWith();
    const ended = await deskhand(words, { cwd, env: { PATH: tools, TMPDIR: tools } });
    return { ...ended, said: `${ended.stdout} ${ended.stderr}`.replaceAll(/\s+/g, ' ') };
  };
  return { cwd, at };
}

test('a plan says that it has no authors, and why', async () => {
  const { code, said } = await bare().at('plan', 'ladder.yaml');
  expect(code).toBe(0);
  expect(said).toContain(
    `the plan has neither the authors of its playbook nor a commit: ${missingGit}`,
  );
  expect(said).toContain('install Git, or add its folder to PATH');
});

test('a command about a branch says it', async () => {
  const { code, said } = await bare().at('validate', '--changed-since', 'HEAD');
  expect([code, said]).toEqual([
    2,
    expect.stringContaining(`Git cannot tell what changed since "HEAD": ${missingGit}`),
  ]);
});

test('a command about state that is shared in Git says it', async () => {
  const { at } = bare('profiles: { main: {} }\nstate: { store: git }\n');
  const { said } = await at('runs', 'list');
  expect(said).toContain(missingGit);
  expect(said).not.toContain('ENOENT');
});

test('an approval says it', async () => {
  const { cwd, at } = bare('profiles: { main: { approve: { signers: ./signers, by: anyone } } }\n');
  await at('plan', 'ladder.yaml', '--out', 'plan.json');
  const key = join(cwd, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const { said } = await at('approve', 'plan.json', '--key', 'key');
  expect(said).toContain(missingKeygen);
  expect(said).not.toContain('ENOENT');
});

test('doctor names what is missing of what is needed here', async () => {
  const { cwd, at } = bare('profiles: { main: { approve: { signers: ./signers, by: anyone } } }\n');
  const { said } = await at('doctor');
  expect(said).toContain(`plans have neither authors nor a commit: ${missingGit}`);
  expect(said).toContain(`profile main requires approvals, and ${missingKeygen}`);
  writeFileSync(join(cwd, 'deskhand.yaml'), 'profiles: { main: {} }\n');
  expect((await at('doctor')).said).not.toContain('ssh-keygen');
});
