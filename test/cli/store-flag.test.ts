/** The store named by a flag or the environment, in the commands that use it. */
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';

const git = 'state: { store: git }\n';

test('doctor and every error name the source, and never the password', async () => {
  const cwd = folderWith({ 'deskhand.yaml': git });
  const local = await deskhand(['doctor', '--store', 'local'], { cwd });
  expect(local.stdout).toContain('the state folder of this machine (from --store)');
  const env = { DESKHAND_STORE: 'postgres://ann:s3cret%2Fword@127.0.0.1:1/desk' };
  const unreachable = await deskhand(['runs', 'list'], { cwd, env });
  expect(unreachable.stderr).toContain('127.0.0.1:1/desk is not reachable');
  const doctor = await deskhand(['doctor'], { cwd, env });
  for (const { stdout, stderr } of [unreachable, doctor]) {
    expect(stdout + stderr).not.toMatch(/s3cret|ann/);
  }
});
