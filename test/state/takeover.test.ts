/** A machine dies anywhere in a run, and another one finishes it: nothing is there twice. */
import { existsSync, renameSync } from 'node:fs';
import { expect, test } from 'vitest';
import { minute } from '../../src/base/clock.ts';
import type { Transport } from '../../src/contract/exchange.ts';
import type { Entry } from '../../src/journal/entry.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { createRun, openRun, readRun } from '../../src/journal/runs.ts';
import { Moment } from '../../src/playbook/expression/value.ts';
import { resolveInputs } from '../../src/playbook/inputs.ts';
import type { Playbook } from '../../src/playbook/playbook.ts';
import type { OnDoubt } from '../../src/effects/bench.ts';
import { papersBy } from '../../src/report/papers.ts';
import { doubtsIn } from '../../src/effects/resolve.ts';
import { run } from '../../src/engines/run.ts';
import type { RunResult } from '../../src/run/interpret.ts';
import { HeldError, StoreError } from '../../src/state/store.ts';
import {
  clientOf,
  destination,
  Died,
  openDesk,
  ordersPlaced,
  playbookFrom,
  type Desk,
} from '../support/desk.ts';
import { git, hub, lease, machine, ref, type Machine } from './machines.ts';
import { limitOrder } from '../support/order.ts';

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

interface Sitting {
  /** The n-th request of this kind is the last thing the machine does. */
  readonly dies?: {
    readonly path: string;
    readonly nth: number;
    readonly when: 'before' | 'after';
  };
  readonly isResumed?: boolean;
  readonly onDoubt?: OnDoubt;
  readonly onSettled?: (address: string) => void;
}

/** What the command line does around a run: claim, journal, run, report back. */
async function sit(
  one: Machine,
  desk: Desk,
  playbook: Playbook,
  { dies, isResumed = false, onDoubt = 'resend', onSettled }: Sitting = {},
): Promise<RunResult> {
  const life: Life = { isOver: false };
  const exchange = clientOf(desk, (transport) => mortal(transport, dies, life));
  const id = 'r-1';
  if (isResumed) await one.store.sync();
  const hold = await one.store.claim({
    run: id,
    playbook: playbook.name,
    accounts: [destination],
    isResumed,
    now: () => exchange.serverTime(),
  });
  const opened = isResumed
    ? await openRun(one.stateDir, id, desk.clock)
    : {
        journal: await createRun(one.stateDir, headerOf(id, playbook, desk), desk.clock),
        entries: [],
      };
  const { journal: gated, entries } = await hold.open(opened);
  const journal: Journal = {
    close: () => gated.close(),
    append: (event) => (life.isOver ? Promise.reject(new Died()) : gated.append(event)),
  };
  const started = entries.find((entry) => entry.kind === 'started');
  const time = started?.kind === 'started' ? started.time : await exchange.serverTime();
  const result = await run({
    playbook,
    inputs: resolveInputs(playbook, new Map(), { time: new Moment(time) }).inputs,
    runId: id,
    destination,
    exchange,
    journal,
    earlier: entries,
    ledger: new Map(),
    clock: desk.clock,
    time,
    onDoubt,
    accounts: [],
    guards: {},
    marks: {},
    workspace: desk.workspace,
    program: 'test',
    papers: papersBy('test'),
    secret: (name) => name,
    drain: new AbortController().signal,
    halt: new AbortController().signal,
    onEntry: (entry) => {
      if (entry.kind === 'settled') onSettled?.(entry.address);
    },
  });
  await journal.close();
  await hold.release();
  return result;
}

const headerOf = (id: string, { name }: Playbook, desk: Desk) => ({
  run: id,
  playbook: name,
  destination,
  createdAt: desk.clock.now(),
  program: 'test',
});

interface Life {
  isOver: boolean;
}

function mortal(transport: Transport, dies: Sitting['dies'], life: Life): Transport {
  let seen = 0;
  return async (request, signal) => {
    if (life.isOver) throw new Died();
    if (dies === undefined || !request.path.includes(dies.path)) return transport(request, signal);
    seen += 1;
    const isLast = seen === dies.nth;
    life.isOver = isLast && dies.when === 'before';
    if (life.isOver) throw new Died();
    const answer = await transport(request, signal);
    life.isOver = isLast;
    if (life.isOver) throw new Died();
    return answer;
  };
}

/** How often each order of the ladder stands there. */
async function placedOn(desk: Desk): Promise<readonly number[]> {
  const placed = [...(await ordersPlaced(desk))].filter(([name]) => /^dh.{26}$/.test(name));
  return placed.map(([, times]) => times);
}

async function thrownAway(work: Promise<unknown>): Promise<void> {
  await expect(work).rejects.toThrow();
}

async function entriesOn(one: Machine): Promise<readonly Entry[]> {
  return readRun(one.stateDir, 'r-1');
}

for (const nth of [1, 2, 3]) {
  for (const when of ['before', 'after'] as const) {
    test(`thrown away ${when} order ${nth}: another clone finishes it, each order once`, async () => {
      const bare = hub();
      const desk = await openDesk();
      const dies = { path: 'place-order', nth, when };
      await thrownAway(sit(machine(bare), desk, ladder, { dies }));
      const b = machine(bare);
      await expect(sit(b, desk, ladder, { isResumed: true })).rejects.toThrow(HeldError);
      desk.clock.advance(lease + minute);
      const result = await sit(b, desk, ladder, { isResumed: true });
      expect(result.status).toBe('done');
      expect(await placedOn(desk)).toEqual([1, 1, 1]);
      expect(await b.store.sync()).toEqual([]);
      const told = await entriesOn(b);
      expect(told.map(({ kind }) => kind)).toContain('taken-over');
    }, 60_000);
  }
}

test('the machine that takes over is thrown away too: a third finishes it', async () => {
  const bare = hub();
  const desk = await openDesk();
  const first = { path: 'place-order', nth: 2, when: 'after' } as const;
  await thrownAway(sit(machine(bare), desk, ladder, { dies: first }));
  desk.clock.advance(lease + minute);
  const lookUp = { path: 'history', nth: 1, when: 'before' } as const;
  await thrownAway(sit(machine(bare), desk, ladder, { dies: lookUp, isResumed: true }));
  desk.clock.advance(lease + minute);
  const third = { path: 'place-order', nth: 1, when: 'after' } as const;
  await thrownAway(sit(machine(bare), desk, ladder, { dies: third, isResumed: true }));
  desk.clock.advance(lease + minute);
  const result = await sit(machine(bare), desk, ladder, { isResumed: true });
  expect(result.status).toBe('done');
  expect(await placedOn(desk)).toEqual([1, 1, 1]);
}, 60_000);

test('where a doubt is asked for, an order that may have been sent is never sent again', async () => {
  const bare = hub();
  const desk = await openDesk();
  const dies = { path: 'place-order', nth: 2, when: 'before' } as const;
  await thrownAway(sit(machine(bare), desk, ladder, { dies }));
  desk.clock.advance(lease + minute);
  const b = machine(bare);
  const result = await sit(b, desk, ladder, { isResumed: true, onDoubt: 'ask' });
  expect(result).toMatchObject({ status: 'doubt', exit: 6 });
  expect(await placedOn(desk)).toEqual([1]);
  const doubts = doubtsIn(await entriesOn(b));
  expect(doubts.map(({ address }) => address)).toEqual(['orders[39500]']);
  expect(doubts[0]?.intents).toHaveLength(1);
}, 60_000);

for (const when of ['before', 'after'] as const) {
  test(`a sub-account that may have been made ${when} the end is in doubt; one never told of is not`, async () => {
    const bare = hub();
    const desk = await openDesk();
    const dies = { path: 'create', nth: 1, when };
    await thrownAway(sit(machine(bare), desk, subs, { dies }));
    desk.clock.advance(lease + minute);
    const b = machine(bare);
    const result = await sit(b, desk, subs, { isResumed: true });
    expect(result).toMatchObject({ status: 'doubt', exit: 6 });
    const told = await entriesOn(b);
    expect(doubtsIn(told).map(({ address }) => address)).toEqual(['subs[alphadesk]']);
    expect(doubtsIn(told)[0]?.intents).toHaveLength(1);
    const subsMade = told.filter(({ kind }) => kind === 'intended');
    expect(subsMade).toHaveLength(1);
  }, 60_000);
}

test('a run given up stays unknown to whoever goes on with it after all', async () => {
  const bare = hub();
  const desk = await openDesk();
  const dies = { path: 'place-order', nth: 2, when: 'after' } as const;
  await thrownAway(sit(machine(bare), desk, ladder, { dies }));
  const b = machine(bare);
  const now = await clientOf(desk).serverTime();
  const word = { who: 'ann', comment: 'gone', now, at: desk.clock.now() };
  const [claim] = await b.store.sync();
  await b.store.unlock({ ...word, run: 'r-1', nonce: claim?.nonce, givesUp: true });
  const result = await sit(machine(bare), desk, ladder, { isResumed: true });
  expect(result.status).toBe('done');
  expect(await placedOn(desk)).toEqual([1, 1, 1]);
}, 60_000);

test('a machine that wakes up after it was taken over signs nothing more', async () => {
  const bare = hub();
  const desk = await openDesk();
  const a = machine(bare);
  const exchange = clientOf(desk);
  const hold = await a.store.claim({
    run: 'r-1',
    playbook: 'ladder',
    accounts: [destination],
    isResumed: false,
    now: () => exchange.serverTime(),
  });
  const journal = await createRun(a.stateDir, headerOf('r-1', ladder, desk), desk.clock);
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
  desk.clock.advance(lease + minute);
  const taken = await machine(bare).store.claim({
    run: 'r-1',
    playbook: 'ladder',
    accounts: [destination],
    isResumed: true,
    now: () => exchange.serverTime(),
  });
  await expect(intent('orders')).rejects.toThrow(/run r-1 is no longer this machine's/);
  await expect(hold.release()).rejects.toThrow(/took it over/);
  await taken.release();
});

test('a machine that works on renews its lease before it runs out', async () => {
  const bare = hub();
  const desk = await openDesk();
  const a = machine(bare);
  const onSettled = (): void => desk.clock.advance(4 * minute);
  const result = await sit(a, desk, ladder, { onSettled });
  expect(result.status).toBe('done');
  expect(git(bare, ['log', '--format=%s', ref]).split('\n').length).toBeGreaterThan(3);
}, 60_000);

test('a run whose store is lost on the way stops before the next write it would have to tell of', async () => {
  const bare = hub();
  const desk = await openDesk();
  const a = machine(bare);
  const onSettled = (address: string): void => {
    if (!address.startsWith('orders')) return;
    desk.clock.advance(lease + minute);
    if (existsSync(bare)) renameSync(bare, `${bare}.gone`);
  };
  await expect(sit(a, desk, ladder, { onSettled })).rejects.toThrow(StoreError);
  expect(await placedOn(desk)).toEqual([1]);
  renameSync(`${bare}.gone`, bare);
  const last = (await entriesOn(a)).at(-1);
  expect(last).toMatchObject({ kind: 'finished', status: 'stopped', exit: 5 });
}, 60_000);
