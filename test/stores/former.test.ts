/** The default ref is a branch; a state on the default of earlier versions is not a fresh start. */
import { expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import { openGitStore } from '../../src/stores/open.ts';
import { gitDefaults } from '../../src/stores/settings.ts';
import {
  git,
  gitEnv,
  hub,
  lease,
  machine,
  ref as former,
  start,
  wanted,
  type Machine,
} from './machines.ts';

const settings = { ref: gitDefaults.ref, isDefault: true } as const;
const now = (bare: string): Machine => machine(bare, { settings });

test('the default branch can be protected, and a repository without a state starts with it', async () => {
  expect(gitDefaults.ref).toMatch(/^refs\/heads\//);
  expect(gitDefaults.formerRef).toBe(former);
  const bare = hub();
  await now(bare).store.claim(wanted('r-1'));
  expect(git(bare, ['for-each-ref', '--format=%(refname)'])).toBe(
    'refs/heads/deskhand-state\nrefs/heads/deskhand-state-witness\nrefs/heads/main',
  );
});

test('a state on the former default is refused until it is named or moved', async () => {
  const bare = hub();
  await machine(bare).store.claim(wanted('r-1'));
  const fresh = now(bare);
  const error = await fresh.store.sync().then(
    () => expect.unreachable('it began again'),
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({
    message: expect.stringContaining('the default of earlier versions, holds a state'),
    hint: expect.stringContaining(`state: { ref: ${former} }`),
  });
  await expect(fresh.store.claim(wanted('r-2'))).rejects.toThrow('earlier versions');
  const named = machine(bare, { settings: { ref: former } });
  expect((await named.store.sync()).map(({ run }) => run)).toEqual(['r-1']);

  const [, commands = ''] = /move it: (.*)$/.exec(String(Reflect.get(Object(error), 'hint'))) ?? [];
  for (const command of commands.split(' && ')) git(fresh.folder, command.split(' ').slice(1));
  expect((await fresh.store.sync()).map(({ run }) => run)).toEqual(['r-1']);
});

test('a machine that saw a state there notices that it is gone', async () => {
  const bare = hub();
  const old = machine(bare);
  await old.store.claim(wanted('r-1'));
  git(bare, ['update-ref', '-d', former]);
  git(bare, ['update-ref', '-d', `${former}-witness`]);
  const store = openGitStore(
    { store: 'git', remote: 'origin', lease, ...settings },
    { stateDir: old.stateDir, folder: old.folder, env: gitEnv, clock: standingClock(start) },
  );
  await expect(store.sync()).rejects.toThrow('was seen on refs/deskhand/state here');
});
