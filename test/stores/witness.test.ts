/** A state that is gone, cut back or replaced is refused on a fresh clone, by its witness. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import { openRef } from '../../src/stores/open.ts';
import { HeldError, StoreError } from '../../src/stores/store.ts';
import {
  account,
  git,
  gitEnv,
  hub,
  machine,
  ref,
  start,
  tip,
  wanted,
  withRun as runOf,
  freshFolder,
  type Machine,
  type MachineOptions,
} from './machines.ts';

const witness = `${ref}-witness`;
const plan = 'p-12345678';
const clock = standingClock(start);

const withRun = (one: Machine, run: string, used = plan): Promise<void> => runOf(one, run, used);

async function used(): Promise<string> {
  const bare = hub();
  await withRun(machine(bare), 'r-1');
  return bare;
}

const at = (bare: string, name: string): string =>
  git(bare, ['for-each-ref', '--format=%(objectname)', name]);

async function refusal(one: Machine): Promise<StoreError> {
  const error: unknown = await one.store.claim(wanted('r-9', { plan })).then(
    () => 'the account was given',
    (reason: unknown) => reason,
  );
  if (error instanceof StoreError) return error;
  throw new Error(`no refusal of the state: ${String(error)}`);
}

/** Does as a refusal says, in the clone that was refused. */
function obey(one: Machine, { hint = '' }: StoreError): void {
  const command = /git push .*$/.exec(hint)?.[0] ?? 'false';
  execFileSync('sh', ['-c', `${command} --quiet`], { cwd: one.folder, env: gitEnv });
}

test('the witness points to the state after every change', async () => {
  const bare = await used();
  expect(at(bare, witness)).toBe(tip(bare));
  await withRun(machine(bare), 'r-2', 'p-2');
  expect(at(bare, witness)).toBe(tip(bare));
});

test.each<[string, string, RegExp, (bare: string) => void | Promise<void>]>([
  [
    'deleted',
    ref,
    /was tampered with: it is missing, and refs\/deskhand\/state-witness still names line 2 \("r-1 reports back/,
    (bare) => void git(bare, ['update-ref', '-d', ref]),
  ],
  [
    'set back one commit',
    ref,
    /it was reset to line 1, and refs\/deskhand\/state-witness still names line 2/,
    (bare) => void git(bare, ['update-ref', ref, `${ref}~1`]),
  ],
  [
    'replaced by another root',
    ref,
    /it was replaced by another history, and refs\/deskhand\/state-witness still names line 2/,
    async (bare) => {
      const other = hub();
      await withRun(machine(other), 'r-7', 'p-7');
      git(bare, ['fetch', '--quiet', other, ref]);
      git(bare, ['update-ref', ref, tip(other)]);
    },
  ],
  [
    'deleted, a branch',
    'refs/heads/state',
    /it is missing, and refs\/heads\/state-witness still names line 2/,
    (bare) => void git(bare, ['update-ref', '-d', 'refs/heads/state']),
  ],
])(
  '%s: a fresh clone is refused and gets the command that restores it',
  async (_, name, words, spoil) => {
    const bare = hub();
    const options = { settings: { ref: name } };
    await withRun(machine(bare, options), 'r-1');
    const whole = at(bare, name);
    await spoil(bare);
    for (const clone of [[], ['--depth=1', '--single-branch']]) {
      const spoilt = at(bare, name);
      const one = machine(`file://${bare}`, { ...options, clone });
      const error = await refusal(one);
      expect(error).toMatchObject({ exit: 5, message: expect.stringMatching(words) });
      expect(error.message).toContain('nothing was sent');
      expect(at(bare, name)).toBe(spoilt);
      await expect(one.store.sync()).rejects.toThrow(words);
      obey(one, error);
      expect(at(bare, name)).toBe(whole);
      for (const healed of [one, machine(bare, options)]) {
        const again = healed.store.claim(wanted('r-9', { plan }));
        await expect(again).rejects.toThrow('this plan already ran as r-1');
        await expect(again).rejects.toBeInstanceOf(HeldError);
      }
      await spoil(bare);
    }
  },
  120_000,
);

test('the first start on an empty remote creates both refs', async () => {
  const bare = hub();
  expect(await machine(bare).store.sync()).toEqual([]);
  expect(at(bare, witness)).toBe('');
  await withRun(machine(bare), 'r-1');
  expect(at(bare, witness)).toBe(tip(bare));
});

test('a state of an older version without a witness is accepted and gets one', async () => {
  const bare = await used();
  git(bare, ['update-ref', '-d', witness]);
  const again = machine(bare).store.claim(wanted('r-9', { plan }));
  await expect(again).rejects.toThrow('this plan already ran as r-1');
  await withRun(machine(bare), 'r-2', 'p-2');
  expect(at(bare, witness)).toBe(tip(bare));
});

test('a state that an older version moved without its witness is accepted, and the witness follows', async () => {
  const bare = await used();
  git(bare, ['update-ref', witness, `${ref}~1`]);
  expect(await machine(bare).store.sync()).toEqual([]);
  await withRun(machine(bare), 'r-2', 'p-2');
  expect(at(bare, witness)).toBe(tip(bare));
});

test('a witness that is not a state is refused, and does not overwrite the state', async () => {
  const bare = await used();
  const whole = tip(bare);
  git(bare, ['update-ref', witness, 'refs/heads/main']);
  const one = machine(bare);
  const error = await refusal(one);
  expect(error.message).toContain(`does not descend from ${witness}, which was changed: chain is`);
  expect(error.hint).toContain(`only if ${ref} is complete`);
  obey(one, error);
  expect([tip(bare), at(bare, witness)]).toEqual([whole, whole]);
  expect(await machine(bare).store.sync()).toEqual([]);
  git(bare, ['update-ref', witness, 'refs/heads/main']);
  git(bare, ['update-ref', '-d', ref]);
  expect((await refusal(machine(bare))).message).toMatch(/it is missing, and .+ was tampered with/);
});

test('a remote that refuses the witness moves neither ref', async () => {
  const bare = hub();
  guard(bare);
  await expect(machine(bare).store.claim(wanted('r-1'))).rejects.toThrow(StoreError);
  expect([tip(bare), at(bare, witness)]).toEqual(['', '']);
});

test('on a remote without atomic pushes the state moves first, then the witness', async () => {
  const bare = hub();
  git(bare, ['config', 'receive.advertiseAtomic', 'false']);
  const one = machine(bare);
  await withRun(one, 'r-1');
  expect(at(bare, witness)).toBe(tip(bare));
  const before = tip(bare);
  const hook = guard(bare);
  await withRun(one, 'r-2', 'p-2');
  expect(at(bare, witness)).toBe(before);
  expect(await machine(bare).store.sync()).toEqual([]);
  rmSync(hook);
  await withRun(one, 'r-3', 'p-3');
  expect(at(bare, witness)).toBe(tip(bare));
});

test('a remote that also refuses the witness is not used', async () => {
  const bare = hub();
  git(bare, ['config', 'receive.advertiseAtomic', 'false']);
  guard(bare);
  await expect(machine(bare).store.claim(wanted('r-1'))).rejects.toThrow(/has no witness/);
});

test.each([true, false])(
  'concurrent machines leave both refs consistent (at once: %s)',
  async (atomic) => {
    const bare = hub();
    git(bare, ['config', 'receive.advertiseAtomic', String(atomic)]);
    const machines = [machine(bare), machine(bare), machine(bare)];
    for (let round = 0; round < 2; round++) {
      const holds = await Promise.all(
        machines.map(({ store }, index) => {
          const own = { ...account, keyFingerprint: `0000000${index}` };
          return store.claim(wanted(`r-${round}-${index}`, { accounts: [own] }));
        }),
      );
      await Promise.all(holds.map((hold) => hold.release()));
    }
    expect(await machine(bare).store.sync()).toEqual([]);
    const behind = git(bare, ['rev-list', '--count', `${witness}..${ref}`]);
    if (atomic) expect(behind).toBe('0');
    await withRun(machine(bare), 'r-last');
    expect(at(bare, witness)).toBe(tip(bare));
  },
);

describe('with state.root, a fresh clone knows the start of the state', () => {
  const rooted = (root: string): MachineOptions => ({ settings: { root } });
  const rootIn = async (bare: string): Promise<string> => {
    const folder = freshFolder();
    const place = { stateDir: folder, folder: bare, env: gitEnv, clock };
    const settings = { store: 'git', remote: bare, ref, lease: 60_000 } as const;
    return (await openRef(settings, place).read()).links[0]?.link ?? '';
  };

  test('and refuses deleted refs until a clone that used the state restores them', async () => {
    const bare = hub();
    const worked = machine(bare);
    await withRun(worked, 'r-1');
    const [whole, root] = [tip(bare), await rootIn(bare)];
    git(bare, ['update-ref', '-d', ref]);
    git(bare, ['update-ref', '-d', witness]);
    const error = await refusal(machine(bare, rooted(root)));
    expect(error.message).toContain(
      `neither it nor its witness exists; state.root says that it started with ${root}`,
    );
    obey(worked, error);
    expect([tip(bare), at(bare, witness)]).toEqual([whole, whole]);
    const again = machine(bare, rooted(root)).store.claim(wanted('r-9', { plan }));
    await expect(again).rejects.toThrow('this plan already ran as r-1');
  });

  test('and refuses a replaced state with a replaced witness', async () => {
    const bare = await used();
    const root = await rootIn(bare);
    git(bare, ['update-ref', '-d', ref]);
    git(bare, ['update-ref', '-d', witness]);
    await withRun(machine(bare), 'r-7', 'p-7');
    const error = await refusal(machine(bare, rooted(root)));
    expect(error.message).toContain(`it is another history: it begins with ${await rootIn(bare)}`);
  });

  test('and refuses a reset state with a deleted witness', async () => {
    const bare = await used();
    const options = rooted(await rootIn(bare));
    await withRun(machine(bare), 'r-2', 'p-2');
    git(bare, ['update-ref', ref, `${ref}~2`]);
    git(bare, ['update-ref', '-d', witness]);
    const one = machine(bare, options);
    const error = await refusal(one);
    expect(error.message).toContain('is missing, so deskhand cannot tell whether it was reset');
    obey(one, error);
    await withRun(machine(bare, options), 'r-2', 'p-2');
    expect(at(bare, witness)).toBe(tip(bare));
  });
});

/** Lets no one push the witness. @returns what to remove for it to be let through again */
function guard(bare: string): string {
  const hook = join(bare, 'hooks', 'update');
  writeFileSync(hook, `#!/bin/sh\ncase "$1" in *-witness) exit 1;; esac\n`, { mode: 0o755 });
  return hook;
}
