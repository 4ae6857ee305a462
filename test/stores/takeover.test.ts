/** A machine dies anywhere in a run, and another one finishes it: nothing is there twice. */
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { minute } from '../../src/base/clock.ts';
import { doubtsIn } from '../../src/engine/effects/doubts.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { createRun, runFolder } from '../../src/engine/journal/runs.ts';
import { HeldError, StoreError } from '../../src/stores/store.ts';
import {
  clientOf,
  destination,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type Harness,
} from '../support/harness.ts';
import { limitOrder } from '../support/order.ts';
import { ended, git, hub, lease, machine, ref, type Acting, type Machine } from './machines.ts';
import { entriesOn, headerOf, runProcess, type ProcessOptions } from './machine-process.ts';

const ladder = playbookFrom(`playbook: 1
name: ladder
steps:
  - id: prices
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
  - id: orders
    needs: [prices]
    for-each: [40000, 39500, 39000]
    key: "{{ each.value }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', size: '0.010', force: 'post_only' })}
`);

const subs = playbookFrom(`playbook: 1
name: desks
steps:
  - id: subs
    for-each: [alphadesk, bravodesk]
    key: "{{ each.value }}"
    uses: account/create-sub
    with: { username: "{{ each.value }}" }
`);

/** How often each order of the ladder is there. */
async function placedOn(harness: Harness): Promise<readonly number[]> {
  const placed = [...(await ordersPlaced(harness))].filter(([name]) => /^dh.{26}$/.test(name));
  return placed.map(([, times]) => times);
}

async function crashes(work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toThrow();
}

for (const nth of [1, 2, 3]) {
  for (const when of ['before', 'after'] as const) {
    test(`a machine is lost ${when} order ${nth}: another clone finishes the run, each order once`, async () => {
      const bare = hub();
      const harness = await openHarness();
      const dies = { at: 'request', path: 'place-order', nth, when } as const;
      await crashes(runProcess(machine(bare), harness, ladder, { dies }));
      const b = machine(bare);
      await expect(runProcess(b, harness, ladder, { isResumed: true })).rejects.toThrow(HeldError);
      harness.clock.advance(lease + minute);
      const result = await runProcess(b, harness, ladder, { isResumed: true });
      expect(result.status).toBe('done');
      expect(await placedOn(harness)).toEqual([1, 1, 1]);
      expect(await b.store.sync()).toEqual([]);
      const told = await entriesOn(b);
      expect(told.map(({ kind }) => kind)).toContain('taken-over');
    });
  }
}

test('the machine that takes over is lost too: a third finishes the run', async () => {
  const bare = hub();
  const harness = await openHarness();
  const first = { at: 'request', path: 'place-order', nth: 2, when: 'after' } as const;
  await crashes(runProcess(machine(bare), harness, ladder, { dies: first }));
  harness.clock.advance(lease + minute);
  const lookUp = { at: 'request', path: 'history', nth: 1, when: 'before' } as const;
  await crashes(runProcess(machine(bare), harness, ladder, { dies: lookUp, isResumed: true }));
  harness.clock.advance(lease + minute);
  const third = { at: 'request', path: 'place-order', nth: 1, when: 'after' } as const;
  await crashes(runProcess(machine(bare), harness, ladder, { dies: third, isResumed: true }));
  harness.clock.advance(lease + minute);
  const result = await runProcess(machine(bare), harness, ladder, { isResumed: true });
  expect(result.status).toBe('done');
  expect(await placedOn(harness)).toEqual([1, 1, 1]);
});

test('with on-doubt: ask, an order that may have been sent is never sent again', async () => {
  const bare = hub();
  const harness = await openHarness();
  const dies = { at: 'request', path: 'place-order', nth: 2, when: 'before' } as const;
  await crashes(runProcess(machine(bare), harness, ladder, { dies }));
  harness.clock.advance(lease + minute);
  const b = machine(bare);
  const result = await runProcess(b, harness, ladder, { isResumed: true, onDoubt: 'ask' });
  expect(result).toMatchObject({ status: 'doubt', exit: 6 });
  expect(await placedOn(harness)).toEqual([1]);
  const doubts = doubtsIn(await entriesOn(b));
  // The lost machine said before its first order that it might send all three of them.
  expect(doubts.map(({ address }) => address)).toEqual(['orders[39500]', 'orders[39000]']);
  expect(doubts.map(({ intents }) => intents.length)).toEqual([1, 1]);
});

const fallback = playbookFrom(`playbook: 1
name: fallback
steps:
  - id: prices
    on-error: continue
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { price: "{{ roundTo (mul response.0.lastPrice 0.3) 1 }}" }
  - id: orders
    for-each: ["{{ default steps.prices.outputs.price 30000 }}"]
    key: "{{ each.value }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', force: 'post_only' })}
`);

for (const onDoubt of ['resend', 'ask'] as const) {
  test(`an order derived from a read is not placed in addition to one from another response: ${onDoubt}`, async () => {
    const bare = hub();
    const harness = await openHarness();
    const match = { operation: 'market/list-tickers' };
    const action = { kind: 'status', status: 400, code: '40001' };
    harness.sandbox.control('PUT', 'faults', {
      rules: [{ match, when: 'before', times: 1, action }],
    });
    const dies = { at: 'request', path: 'place-order', nth: 1, when: 'after' } as const;
    await crashes(runProcess(machine(bare), harness, fallback, { dies, onDoubt }));
    expect(await placedOn(harness)).toEqual([1]);
    harness.clock.advance(lease + minute);
    const b = machine(bare);
    const result = await runProcess(b, harness, fallback, { isResumed: true, onDoubt });
    expect(await placedOn(harness)).toEqual([1]);
    const entries = await entriesOn(b);
    const done = entries.flatMap((entry) =>
      entry.kind === 'settled' && entry.outcome.kind === 'done' ? [entry.address] : [],
    );
    const doubts = doubtsIn(entries).map(({ address }) => address);
    expect([...done, ...doubts]).toContain('orders[30000]');
    // The read that failed is final, for the run continued from it: 40001 is the key's matter.
    expect(result.exit).toBe(doubts.length > 0 ? 6 : 4);
  });
}

for (const when of ['before', 'after'] as const) {
  test(`a sub-account that may have been created ${when} the end is in doubt; one that was never pushed is not`, async () => {
    const bare = hub();
    const harness = await openHarness();
    const dies = { at: 'request', path: 'create', nth: 1, when } as const;
    await crashes(runProcess(machine(bare), harness, subs, { dies }));
    harness.clock.advance(lease + minute);
    const b = machine(bare);
    const result = await runProcess(b, harness, subs, { isResumed: true });
    expect(result).toMatchObject({ status: 'doubt', exit: 6 });
    const told = await entriesOn(b);
    expect(doubtsIn(told).map(({ address }) => address)).toEqual(['subs[alphadesk]']);
    expect(doubtsIn(told)[0]?.intents).toHaveLength(1);
    const subsMade = told.filter(({ kind }) => kind === 'intended');
    expect(subsMade).toHaveLength(1);
  });
}

test('the writes of an abandoned run stay unknown to a run that continues it', async () => {
  const bare = hub();
  const harness = await openHarness();
  const dies = { at: 'request', path: 'place-order', nth: 2, when: 'after' } as const;
  await crashes(runProcess(machine(bare), harness, ladder, { dies }));
  const b = machine(bare);
  const now = await clientOf(harness).serverTime();
  const word = { who: 'ann', comment: 'gone', now, at: harness.clock.now() };
  const [claim] = await b.store.sync();
  await b.store.unlock({ ...word, run: 'r-1', nonce: claim?.nonce, givesUp: true });
  const result = await runProcess(machine(bare), harness, ladder, { isResumed: true });
  expect(result.status).toBe('done');
  expect(await placedOn(harness)).toEqual([1, 1, 1]);
});

/** A machine whose process ends in its second order, with an outcome that no other machine has seen. */
async function endedOn(
  bare: string,
  harness: Harness,
  options: Pick<ProcessOptions, 'isResumed'> = {},
): Promise<Machine> {
  const a = machine(bare);
  const dies = { at: 'request', path: 'place-order', nth: 2, when: 'after' } as const;
  const mortal = { ...a, storeFor: (push: Acting) => a.storeFor(push, ended) };
  await crashes(runProcess(mortal, harness, ladder, { ...options, dies }));
  return a;
}

test('the machine of a process that ended shows how another one continued its run, and keeps its own journal aside', async () => {
  const bare = hub();
  const harness = await openHarness();
  const a = await endedOn(bare, harness);
  const before = await entriesOn(a);
  await a.store.sync();
  expect(await entriesOn(a)).toEqual(before);
  harness.clock.advance(lease + minute);
  const b = machine(bare);
  await runProcess(b, harness, ladder, { isResumed: true });
  await a.store.sync();
  expect(await entriesOn(a)).toEqual(await entriesOn(b));
  const kept = readdirSync(runFolder(a.stateDir, 'r-1')).filter((name) => name.includes('aside'));
  expect(kept).toHaveLength(1);
  await a.store.sync();
  expect(await entriesOn(a)).toEqual(await entriesOn(b));
});

test('a machine that took a run over keeps its own lines when its process ends', async () => {
  const bare = hub();
  const harness = await openHarness();
  const first = { at: 'request', path: 'place-order', nth: 1, when: 'after' } as const;
  await crashes(runProcess(machine(bare), harness, ladder, { dies: first }));
  harness.clock.advance(lease + minute);
  const a = await endedOn(bare, harness, { isResumed: true });
  const before = await entriesOn(a);
  expect(before.map(({ kind }) => kind)).toContain('taken-over');
  await a.store.sync();
  expect(await entriesOn(a)).toEqual(before);
  const result = await runProcess(a, harness, ladder, { isResumed: true });
  expect([result.status, await placedOn(harness)]).toEqual(['done', [1, 1, 1]]);
});

test('a machine that took over without opening the journal hides nothing when it releases the run', async () => {
  const bare = hub();
  const harness = await openHarness();
  const dies = { at: 'request', path: 'place-order', nth: 2, when: 'after' } as const;
  await crashes(runProcess(machine(bare), harness, ladder, { dies }));
  harness.clock.advance(lease + minute);
  const exchange = clientOf(harness);
  const b = machine(bare);
  await b.store.sync();
  const hold = await b.store.claim({
    run: 'r-1',
    playbook: 'ladder',
    accounts: [destination],
    isResumed: true,
    now: () => exchange.serverTime(),
    observedAt: harness.clock.now(),
  });
  await hold.release(); // its disk was full, say
  expect(await b.store.sync()).toHaveLength(1);
  harness.clock.advance(lease + minute);
  const c = machine(bare);
  expect(await runProcess(c, harness, ladder, { isResumed: true })).toMatchObject({
    status: 'done',
  });
  expect((await entriesOn(c)).map(({ kind }) => kind)).toContain('taken-over');
  expect(await placedOn(harness)).toEqual([1, 1, 1]);
});

test('a machine that wakes up after a takeover signs nothing more', async () => {
  const bare = hub();
  const harness = await openHarness();
  const a = machine(bare);
  const exchange = clientOf(harness);
  const hold = await a.store.claim({
    run: 'r-1',
    playbook: 'ladder',
    accounts: [destination],
    isResumed: false,
    now: () => exchange.serverTime(),
    observedAt: harness.clock.now(),
  });
  const journal = await createRun(a.stateDir, headerOf('r-1', ladder, harness), harness.clock);
  const opened = await hold.open({ journal, entries: [] });
  const intent = async (address: string): Promise<Entry> =>
    opened.journal.append({
      kind: 'intended',
      address,
      operation: 'futures/place-order',
      input: {},
      identity: address,
      attempt: 1,
      signedAt: await exchange.serverTime(),
    });
  await opened.journal.append({ kind: 'opened', step: 'orders' });
  await intent('orders');
  harness.clock.advance(lease + minute);
  const taken = await machine(bare).store.claim({
    run: 'r-1',
    playbook: 'ladder',
    accounts: [destination],
    isResumed: true,
    now: () => exchange.serverTime(),
    observedAt: harness.clock.now(),
  });
  await expect(intent('orders')).rejects.toThrow(/run r-1 no longer belongs to this machine/);
  await expect(hold.release()).rejects.toThrow(/took it over/);
  await taken.release();
});

test('a running machine renews its lease before it ends', async () => {
  const bare = hub();
  const harness = await openHarness();
  const a = machine(bare);
  const onSettled = (): void => harness.clock.advance(4 * minute);
  const result = await runProcess(a, harness, ladder, { onSettled });
  expect(result.status).toBe('done');
  expect(git(bare, ['log', '--format=%s', ref]).split('\n').length).toBeGreaterThan(3);
});

test('a run that loses its store stops before the next write it would have to push', async () => {
  const bare = hub();
  const harness = await openHarness();
  const a = machine(bare);
  const onSettled = (address: string): void => {
    if (!address.startsWith('orders')) return;
    harness.clock.advance(lease + minute);
    if (existsSync(bare)) renameSync(bare, `${bare}.gone`);
  };
  await expect(runProcess(a, harness, ladder, { onSettled })).rejects.toThrow(StoreError);
  expect(await placedOn(harness)).toEqual([1]);
  renameSync(`${bare}.gone`, bare);
  const last = (await entriesOn(a)).at(-1);
  expect(last).toMatchObject({ kind: 'finished', status: 'stopped', exit: 5 });
});
