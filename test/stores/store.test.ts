/** The state in git: who has an account, over pushes, races, shallow clones and lost connections. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { standingClock, systemClock } from '../../src/base/clock.ts';
import { readableJson } from '../../src/base/json.ts';
import { createRun, openRun } from '../../src/engine/journal/runs.ts';
import { thisKernel, type Kernel } from '../../src/base/lock/kernel.ts';
import { claimPath } from '../../src/stores/git/claims.ts';
import { gitIn } from '../../src/stores/git/command.ts';
import { memoryIn } from '../../src/stores/git/memory.ts';
import { stateRef } from '../../src/stores/git/ref.ts';
import { HeldError, StoreError } from '../../src/stores/store.ts';
import { started } from '../support/desk-setup.ts';
import { shareOf } from '../support/share.ts';
import {
  account,
  ended,
  freshFolder,
  git,
  gitEnv,
  hub,
  lease,
  machine,
  ref,
  start,
  tip,
  wanted,
  withRun,
  type Machine,
} from './machines.ts';

test('a second machine is refused with the holder’s name until the account is released', async () => {
  const bare = hub();
  const [a, b] = [machine(bare), machine(bare)];
  const hold = await a.store.claim(wanted('r-1'));
  const refusal = b.store.claim(wanted('r-2'));
  await expect(refusal).rejects.toThrow(
    /run r-1 on .+ has a claim on main for at least another 5 min/,
  );
  await expect(refusal).rejects.toMatchObject({ exit: 5, hint: /deskhand runs unlock r-1/ });
  await hold.release();
  await (await b.store.claim(wanted('r-2'))).release();
});

test('two accounts do not block each other', async () => {
  const bare = hub();
  const other = { ...account, keyFingerprint: '11111111' };
  const hold = await machine(bare).store.claim(wanted('r-1'));
  const second = await machine(bare).store.claim(wanted('r-2', { accounts: [other] }));
  await second.release();
  await hold.release();
});

test('of two machines that claim one account at once, one wins each time', async () => {
  const bare = hub();
  const machines = [machine(bare), machine(bare)];
  const names = ['a', 'b'];
  const rounds = shareOf(50, 12);
  let wins = 0;
  for (let round = 0; round < rounds; round++) {
    const results = await Promise.allSettled(
      machines.map(({ store }, index) => store.claim(wanted(`r-${names[index]}${round}`))),
    );
    const won = results.filter((result) => result.status === 'fulfilled');
    const lost = results.filter((result) => result.status === 'rejected');
    expect(won).toHaveLength(1);
    expect(lost[0]?.reason).toBeInstanceOf(HeldError);
    expect(lost[0]?.reason).toMatchObject({ exit: 5 });
    wins += won.length;
    await won[0]?.value.release();
  }
  expect(wins).toBe(rounds);
  expect(await machines[0]?.store.sync()).toEqual([]);
});

test('of eight machines at once, one gets the account and none waits forever', async () => {
  const bare = hub();
  const machines = Array.from({ length: 8 }, () => machine(bare));
  const results = await Promise.allSettled(
    machines.map(({ store }, index) => store.claim(wanted(`r-${index}`))),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('eight machines on eight accounts all get their account', async () => {
  const bare = hub();
  const machines = Array.from({ length: 8 }, () => machine(bare));
  const holds = await Promise.all(
    machines.map(({ store }, index) => {
      const own = { ...account, keyFingerprint: `0000000${index}` };
      return store.claim(wanted(`r-${index}`, { accounts: [own] }));
    }),
  );
  await Promise.all(holds.map((hold) => hold.release()));
  expect(await machines[0]?.store.sync()).toEqual([]);
});

test('the claim of a provably ended process of this machine is taken over immediately', async () => {
  const one = machine(hub());
  await begunAndDead(one, ended);
  const hold = await one.store.claim(wanted('r-1', { isResumed: true }));
  const { entries } = await hold.open(await openRun(one.stateDir, 'r-1', standingClock(start)));
  expect(entries.map(({ kind }) => kind)).not.toContain('taken-over');
  await hold.release();
});

test('also if it crashed between claim and journal, repeatedly', async () => {
  const one = machine(hub());
  await begunAndDead(one, ended);
  for (const pid of [4_194_306, 4_194_307, 4_194_308]) {
    await one.opened({ ...ended, pid }).claim(wanted('r-1', { isResumed: true }));
  }
  await (await one.store.claim(wanted('r-1', { isResumed: true }))).release();
});

test.each<[string, Partial<Kernel>]>([
  ['in another container', { namespace: 'pid:[1]' }],
  ['before a restart, or on the machine this is a copy of', { boot: 'f'.repeat(16) }],
  ['on another host', { host: () => 'elsewhere' }],
  ['that lives here', { pid: process.pid, born: thisKernel().born }],
])('a process %s keeps its lease, and then its writes are looked up', async (_, change) => {
  const one = machine(hub());
  await begunAndDead(one, { ...ended, ...change });
  if (change.pid !== undefined) rmSync(join(one.stateDir, 'locks'), { recursive: true });
  const again = wanted('r-1', { isResumed: true });
  await expect(one.store.claim(again)).rejects.toThrow(HeldError);
  await expect(one.store.claim(wanted('r-2'))).rejects.toThrow(HeldError);
  const hold = await one.store.claim({ ...again, now: async () => start + lease + 1 });
  const { entries } = await hold.open(await openRun(one.stateDir, 'r-1', standingClock(start)));
  expect(entries.map(({ kind }) => kind)).toContain('taken-over');
  await hold.release();
});

test.each<[string, (one: Machine) => void]>([
  ['restored from a backup', ({ stateDir }) => rewritten(join(stateDir, 'runs', 'r-1'))],
  [
    'shorter than what others were reported',
    ({ stateDir }) => truncateSync(join(stateDir, 'runs', 'r-1', 'journal.ndjson'), 0),
  ],
  ['nobody said it wrote', ({ stateDir }) => rmSync(join(stateDir, 'runs', 'r-1', 'claims.json'))],
])('a journal that is %s proves nothing, so the lease is waited for', async (_, spoil) => {
  const one = machine(hub());
  await begunAndDead(one, ended);
  spoil(one);
  const again = one.store.claim(wanted('r-1', { isResumed: true }));
  await expect(again).rejects.toThrow(HeldError);
});

test('the lease of a claim of an older version, without a process, is waited for', async () => {
  const bare = hub();
  const one = machine(bare);
  await begunAndDead(one, ended);
  await rewriteClaim(one, ({ owner: _owner, ...claim }) => claim);
  const again = one.store.claim(wanted('r-1', { isResumed: true }));
  await expect(again).rejects.toThrow(HeldError);
});

test('an expired claim without a pushed write is free', async () => {
  const bare = hub();
  await claimAndDie(machine(bare), 'r-1');
  const b = machine(bare);
  const late = wanted('r-2', { now: async () => start + lease + 1 });
  await expect(b.store.claim(wanted('r-2'))).rejects.toThrow(HeldError);
  await (await b.store.claim(late)).release();
  expect(await b.store.sync()).toEqual([]);
});

test('a run that pushed a write and did not report its end keeps its account after its lease', async () => {
  const bare = hub();
  await begunAndDead(machine(bare), thisKernel());
  const b = machine(bare);
  const late = { now: async () => start + lease + 1 };
  const refusal = b.store.claim(wanted('r-2', late));
  await expect(refusal).rejects.toThrow(/r-1 began on .+ and did not report its end/);
  await expect(refusal).rejects.toMatchObject({ exit: 5, hint: /deskhand resume r-1/ });
});

test('an unreachable store stops every command and is named', async () => {
  const bare = hub();
  const a = machine(bare);
  rmSync(bare, { recursive: true });
  const refusal = a.store.claim(wanted('r-1'));
  await expect(refusal).rejects.toThrow(StoreError);
  await expect(refusal).rejects.toThrow(
    /the state store origin refs\/deskhand\/state cannot be used: git ls-remote: .*nothing was sent/,
  );
  await expect(refusal).rejects.toMatchObject({ exit: 5 });
});

test('a remote that never responds times out, and its child processes end', async () => {
  const a = machine(hub(), {
    settings: { remote: 'ssh://nobody.test/repository' },
    env: { GIT_SSH_COMMAND: 'sh -c "sleep 30"' },
    timeoutMs: 300,
  });
  await expect(a.store.sync()).rejects.toThrow(/git ls-remote: no response within 0.3 s/);
});

test('a process that git left running is not waited for, although it holds the output open', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'git'), '#!/bin/sh\nsetsid sleep 4 &\nsleep 4\n', { mode: 0o755 });
  const env = { PATH: `${folder}:${process.env['PATH']}` };
  const began = systemClock.monotonic();
  const answer = gitIn({ folder, env, timeoutMs: 300 })(['version']);
  await expect(answer).rejects.toThrow('git version: no response within 0.3 s');
  expect(systemClock.monotonic() - began).toBeLessThan(3_000);
});

test('a password in an address is never shown', async () => {
  const remote = 'ssh://ann:hunter2@nobody.test/repository';
  const env = { GIT_SSH_COMMAND: 'sh -c "echo fatal: no way to ssh://ann:hunter2@x >&2; exit 1"' };
  const a = machine(hub(), { settings: { remote }, env });
  const error: unknown = await a.store.sync().catch((reason: unknown) => reason);
  expect(String(error)).toContain('nobody.test');
  expect(String(error)).not.toContain('hunter2');
});

test('no hook runs, and no key of an exchange reaches git', async () => {
  const bare = hub();
  const seen = join(freshFolder(), 'env.txt');
  const a = machine(bare, {
    env: {
      DESKHAND_API_KEY: 'key',
      MAIN_API_SECRET: 'secret',
      GIT_DIR: '/nowhere',
      GIT_SSH_COMMAND: `sh -c "env > ${seen}; exit 1"`,
    },
    settings: { remote: 'ssh://nobody.test/repository' },
  });
  await expect(a.store.sync()).rejects.toThrow(StoreError);
  const passed = readFileSync(seen, 'utf8');
  expect(passed).toContain('GIT_TERMINAL_PROMPT=0');
  expect(passed).not.toMatch(/API_KEY|API_SECRET|GIT_DIR=.nowhere/);

  const b = machine(bare);
  const hooks = join(b.folder, '.git', 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const name of ['pre-push', 'reference-transaction', 'post-checkout']) {
    writeFileSync(join(hooks, name), `#!/bin/sh\ntouch ${join(b.folder, 'hooked')}\nexit 1\n`);
    chmodSync(join(hooks, name), 0o755);
  }
  await (await b.store.claim(wanted('r-1'))).release();
  expect(existsSync(join(b.folder, 'hooked'))).toBe(false);
});

test('a shallow clone of one branch works and stays shallow', async () => {
  const bare = hub();
  await withRun(machine(bare), 'r-1');
  await withRun(machine(bare), 'r-2');
  const b = machine(`file://${bare}`, { clone: ['--depth=1', '--single-branch'] });
  expect(await b.store.sync()).toEqual([]);
  await withRun(b, 'r-3');
  expect(git(b.folder, ['rev-parse', '--is-shallow-repository'])).toBe('true');
  const whole = machine(bare);
  await whole.store.sync();
  expect(git(whole.folder, ['rev-parse', '--is-shallow-repository'])).toBe('false');
});

test('the work tree, the index and all branches are unchanged', async () => {
  const bare = hub();
  const a = machine(bare);
  writeFileSync(join(a.folder, 'half.yaml'), 'half');
  git(a.folder, ['add', 'half.yaml']);
  const before = [
    git(a.folder, ['status', '--porcelain', '--', 'half.yaml']),
    git(a.folder, ['branch', '-av']),
  ];
  await withRun(a, 'r-1');
  expect([
    git(a.folder, ['status', '--porcelain', '--', 'half.yaml']),
    git(a.folder, ['branch', '-av']),
  ]).toEqual(before);
});

test('a completed run is known on every machine, and its plan is used', async () => {
  const bare = hub();
  await withRun(machine(bare), 'r-1', 'p-12345678');
  const b = machine(bare);
  await b.store.sync();
  expect(existsSync(join(b.stateDir, 'runs', 'r-1', 'journal.ndjson'))).toBe(true);
  const again = b.store.claim(wanted('r-1'));
  await expect(again).rejects.toThrow('this plan already ran as r-1');
  const other = b.store.claim(wanted('r-9', { plan: 'p-12345678' }));
  await expect(other).rejects.toThrow('this plan already ran as r-1');
  await expect(other).rejects.toMatchObject({ exit: 5 });
});

test('a recorded confirmation releases the account of a lost machine', async () => {
  const bare = hub();
  await claimAndDie(machine(bare), 'r-1');
  const b = machine(bare);
  const [claim] = await b.store.sync();
  const said = { who: 'ann', comment: 'the runner is gone', now: start, at: start };
  const word = { ...said, nonce: claim?.nonce };
  await expect(b.store.unlock({ ...word, run: 'r-7', givesUp: false })).rejects.toThrow(
    'r-7 has no claim on an account',
  );
  await b.store.unlock({ ...word, run: 'r-1', givesUp: true });
  expect(git(bare, ['log', '-1', '--format=%s', ref])).toBe(
    'r-1 given up by ann: the runner is gone',
  );
  await (await b.store.claim(wanted('r-2'))).release();
});

test('a confirmation for a lost machine does not apply to the one that continued since', async () => {
  const bare = hub();
  await claimAndDie(machine(bare), 'r-1');
  const a = machine(bare);
  const [lost] = await a.store.sync();
  const late = wanted('r-1', { isResumed: true, now: async () => start + lease + 1 });
  const hold = await machine(bare).store.claim(late);
  const word = { run: 'r-1', who: 'ann', comment: 'gone', givesUp: false, at: start };
  for (const nonce of [lost?.nonce, undefined]) {
    const unlocking = a.store.unlock({ ...word, nonce, now: start + lease + 2 });
    await expect(unlocking).rejects.toThrow(/has taken over r-1 in the meantime; nothing was sent/);
  }
  await hold.release();
});

test('the author of a commit is that of the profile, the environment or git', async () => {
  const bare = hub();
  await withRun(machine(bare, { settings: { name: 'desk', email: 'desk@firm.test' } }), 'r-1');
  expect(git(bare, ['log', '-1', '--format=%an <%ae>', ref])).toBe('desk <desk@firm.test>');
  await withRun(machine(bare), 'r-2');
  expect(git(bare, ['log', '-1', '--format=%an <%ae>', ref])).toBe('test <test@localhost>');
});

test('only the ref and its witness are pushed', async () => {
  const bare = hub();
  await withRun(machine(bare), 'r-1');
  const refs = git(bare, ['for-each-ref', '--format=%(refname)']).split('\n');
  expect(refs).toEqual([ref, `${ref}-witness`, 'refs/heads/main']);
  expect(tip(bare)).not.toBe('');
});

test('what is pushed to other machines was on the disk here before', async () => {
  const bare = hub();
  const one = machine(bare);
  const clock = standingClock(start);
  const hold = await one.store.claim(wanted('r-1'));
  const header = { run: 'r-1', playbook: 'desk-setup', destination: account, createdAt: start };
  const created = await createRun(one.stateDir, { ...header, program: 't' }, clock);
  const path = join('runs', 'r-1', 'journal.ndjson');
  let synced = '';
  const flush = async (): Promise<void> => {
    await created.flush();
    synced = readFileSync(join(one.stateDir, path), 'utf8');
    void created.append({ kind: 'opened', step: 'beside' }, 'later'); // a parallel step
    while (!readFileSync(join(one.stateDir, path), 'utf8').includes('beside')) await setImmediate();
  };
  const { journal } = await hold.open({ journal: { ...created, flush }, entries: [] });
  await journal.append(started('r-1', account));
  void journal.append({ kind: 'opened', step: 'sub' }, 'later');
  await journal.append({
    kind: 'intended',
    address: 'sub',
    operation: 'account/create-sub',
    input: {},
    identity: 'sub',
    attempt: 1,
    signedAt: start,
  });
  expect(synced).not.toBe('');
  expect(synced).toContain(git(bare, ['show', `${ref}:${path}`]));
  await journal.close();
  await hold.release();
});

/** A process that takes the account and is never heard of again. */
async function claimAndDie(one: Machine, run: string): Promise<void> {
  await one.opened(ended).claim(wanted(run));
}

/** The same of one that told others of its journal, and wrote more. */
async function begunAndDead(one: Machine, kernel: Kernel): Promise<void> {
  const clock = standingClock(start);
  const hold = await one.opened(kernel).claim(wanted('r-1'));
  const header = { run: 'r-1', playbook: 'desk-setup', destination: account, createdAt: start };
  const created = await createRun(one.stateDir, { ...header, program: 't' }, clock);
  const { journal } = await hold.open({ journal: created, entries: [] });
  await journal.append(started('r-1', account));
  await journal.append({ kind: 'opened', step: 'orders' });
  await journal.append({
    kind: 'intended',
    address: 'orders',
    operation: 'futures/place-order',
    input: {},
    identity: 'orders',
    attempt: 1,
    signedAt: start,
  });
  await journal.append({ kind: 'opened', step: 'more' });
  await journal.close();
}

/** Changes a claim as another version would have written it. */
async function rewriteClaim(
  { folder, stateDir }: Machine,
  change: (claim: Record<string, unknown>) => object,
): Promise<void> {
  const state = stateRef({
    git: gitIn({ folder, env: gitEnv }),
    remote: 'origin',
    ref,
    clock: standingClock(start),
    isShallow: async () => false,
    author: async () => ({ name: 'old', email: 'old@localhost' }),
    memory: memoryIn(stateDir, `origin ${ref}`),
  });
  await state.change(async (tree) => {
    const path = claimPath('r-1');
    const claim = JSON.parse((await tree.texts([path])).get(path) ?? '');
    return { why: 'an older version', files: new Map([[path, readableJson(change(claim))]]) };
  });
}

/** The same bytes in other files, as a backup leaves them. */
function rewritten(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const bytes = readFileSync(path);
    writeFileSync(`${path}.copy`, bytes);
    renameSync(`${path}.copy`, path);
  }
}
