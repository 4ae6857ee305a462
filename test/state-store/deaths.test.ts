/** A machine dies at every act of a run, and another one continues with it: by the exchange's own books. */
import { cpSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { minute } from '../../src/base/clock.ts';
import { doubtsIn } from '../../src/effects/resolve.ts';
import type { OnDoubt } from '../../src/effects/context.ts';
import { clientOf, openDesk, playbookFrom, type Desk } from '../support/desk.ts';
import { limitOrder } from '../support/order.ts';
import { hub, lease, machine, type Machine } from './machines.ts';
import type { RunResult } from '../../src/interpreter/interpret.ts';
import { entriesOn, noActs, sit, type Act, type Death } from './sitting.ts';

/** Keys and prices are those of reads, at every level, and the market moves while no one looks. */
const desks = playbookFrom(
  `playbook: 1
name: desks
steps:
  - id: prices
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { last: "{{ response.0.lastPrice }}" }
  - id: desks
    for-each: ["{{ roundTo (mul steps.prices.outputs.last 0.4) 1 }}", "{{ roundTo (mul steps.prices.outputs.last 0.3) 1 }}"]
    key: "{{ each.value }}"
    uses: ./rungs.yaml
    with: { base: "{{ each.value }}" }
finally:
  - id: last
    uses: futures/place-order
    with:${limitOrder({ price: '{{ roundTo (mul (default steps.prices.outputs.last 70000) 0.2) 1 }}', force: 'post_only' })}
`,
  {
    'rungs.yaml': `playbook: 1
name: rungs
inputs:
  base: { type: decimal }
steps:
  - id: now
    uses: market/list-tickers
    with: { category: USDT-FUTURES, symbol: BTCUSDT }
    outputs: { last: "{{ response.0.lastPrice }}" }
  - id: rungs
    for-each: "{{ ladder from=(mul steps.now.outputs.last 0.25) to=inputs.base count=2 tick=0.1 total=0.004 lot=0.001 }}"
    key: "{{ each.value.price }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value.price }}', size: '{{ each.value.size }}', force: 'post_only' })}
`,
  },
);
const ordersIn = 5;

interface Books {
  /** Orders with our names, open and closed, by clientOid. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly total: number;
}

async function booksOf(desk: Desk): Promise<Books> {
  const byName = new Map<string, string[]>();
  for (const name of ['order/list-open', 'order/list-history'] as const) {
    for await (const { rows } of clientOf(desk).pages(name, {})) {
      for (const { clientOid, orderId } of rows) {
        if (!/^dh.{26}$/.test(clientOid)) continue;
        const ids = byName.get(clientOid) ?? [];
        if (!ids.includes(orderId)) byName.set(clientOid, [...ids, orderId]);
      }
    }
  }
  return { byName, total: [...byName.values()].flat().length };
}

/** A name that was used may be used again: only we are between an order and its second. */
async function openMarket(): Promise<Desk> {
  const desk = await openDesk();
  desk.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
  return desk;
}

/** What is read again is not what was read before. */
function moveMarket({ sandbox }: Desk): void {
  const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: '78012.5' };
  sandbox.control('POST', 'market', market);
}

/** Orders a run says are there, by id, and those it leaves in doubt, by name. */
interface Told {
  readonly done: ReadonlySet<string>;
  readonly doubts: ReadonlySet<string>;
}

async function toldBy(
  one: Machine,
): Promise<{ done: ReadonlySet<string>; doubts: ReadonlySet<string> }> {
  const entries = await entriesOn(one);
  const done = entries.flatMap((entry) => {
    if (entry.kind !== 'settled' || entry.outcome.kind !== 'done') return [];
    const { output } = entry.outcome;
    const id = Object(output).orderId;
    return typeof id === 'string' ? [id] : [];
  });
  const doubts = doubtsIn(entries).flatMap(({ intents }) =>
    intents.map(({ input }) => String(Object(input).clientOid)),
  );
  return { done: new Set(done), doubts: new Set(doubts) };
}

/** Two clones of one repository; each case has its own ref there, and machines of its own. */
interface Place {
  readonly bare: string;
  readonly clones: readonly [string, string];
}

function openPlace(): Place {
  const bare = hub();
  return { bare, clones: [machine(bare).folder, machine(bare).folder] };
}

async function caseOf(dies: Death, onDoubt: OnDoubt, place: Place): Promise<readonly string[]> {
  const { bare, clones } = place;
  const ref = `refs/deskhand/${onDoubt}-${dies.at}-${dies.nth}-${dies.when}`;
  const [a, b] = clones.map((folder) => machine(bare, { folder, settings: { ref } }));
  if (a === undefined || b === undefined) throw new Error('two clones');
  const desk = await openMarket();
  const isDead = await sit(a, desk, desks, { dies, onDoubt }).then(
    () => false,
    () => true,
  );
  const broken = isDead ? [] : ['it did not die'];
  const left = await booksOf(desk);
  desk.clock.advance(lease + minute);
  moveMarket(desk);
  await b.store.sync();
  const isKnown = (await entriesOn(b).catch(() => [])).length > 0;
  if (isKnown) {
    const result = await sit(b, desk, desks, { isResumed: true, onDoubt });
    broken.push(...judge(result, await booksOf(desk), await toldBy(b), onDoubt));
  } else if (left.total > 0) broken.push('orders stand, and no one was notified of the run');
  return broken.map((what) => `${JSON.stringify(dies)} ${onDoubt}: ${what}`);
}

/** The machine that takes over dies as well; it comes back, or a third one continues. */
async function secondCaseOf(
  dies: Death,
  place: Place,
  counts = noActs(),
): Promise<readonly string[]> {
  const { bare, clones } = place;
  const ref = `refs/deskhand/second-${dies.at}-${dies.nth}-${dies.when}`;
  const on = (folder: string): Machine => machine(bare, { folder, settings: { ref } });
  const [a, b] = [on(clones[0]), on(clones[1])];
  const desk = await openMarket();
  const first = { at: 'request', path: 'place-order', nth: 3, when: 'after' } as const;
  await expect(sit(a, desk, desks, { dies: first })).rejects.toThrow();
  desk.clock.advance(lease + minute);
  moveMarket(desk);
  const second = await sit(b, desk, desks, { isResumed: true, dies, counts }).then(
    (result) => result,
    () => undefined,
  );
  desk.clock.advance(lease + minute);
  const isBack = dies.nth % 2 === 0;
  const c = on(clones[isBack ? 1 : 0]);
  if (isBack) {
    const isKept = (path: string): boolean => basename(path) !== 'locks';
    cpSync(b.stateDir, c.stateDir, { recursive: true, filter: isKept });
  }
  const result = second ?? (await sit(c, desk, desks, { isResumed: true }));
  const told = await toldBy(second === undefined ? c : b);
  const broken = judge(result, await booksOf(desk), told, 'resend');
  return broken.map((what) => `${JSON.stringify(dies)} of the second: ${what}`);
}

test('the machine that takes over crashes at each of its lines and pushes', async () => {
  const place = openPlace();
  const counts = noActs();
  expect(await secondCaseOf({ at: 'push', nth: 99, when: 'after' }, place, counts)).toEqual([]);
  const broken: string[] = [];
  for (const death of deaths(counts)) {
    if (death.at === 'request' || death.when === 'before') continue; // looking up changes nothing
    broken.push(...(await secondCaseOf(death, place)));
  }
  expect(broken).toEqual([]);
}, 600_000);

function judge(result: RunResult, books: Books, told: Told, onDoubt: OnDoubt): readonly string[] {
  const { done, doubts } = told;
  const broken: string[] = [];
  for (const [name, ids] of books.byName) {
    const isTold = ids.every((id) => done.has(id)) || doubts.has(name);
    if (ids.length > 1) broken.push(`${name} stands ${ids.length} times`);
    if (!isTold) broken.push(`${name} is not told of`);
  }
  if (books.total > ordersIn) broken.push(`${books.total} orders`);
  if (result.status === 'done' && books.total !== ordersIn) broken.push(`done: ${books.total}`);
  if (result.status !== 'done' && result.exit !== 6) broken.push(`ended ${result.status}`);
  if (onDoubt === 'resend' && result.status !== 'done') broken.push(`resend: ${result.status}`);
  if (result.status === 'doubt' && doubts.size === 0) broken.push('in doubt of nothing');
  return broken;
}

async function lengthOf({ bare, clones }: Place): Promise<Record<Act, number>> {
  const counts = noActs();
  const desk = await openMarket();
  const one = machine(bare, { folder: clones[0], settings: { ref: 'refs/deskhand/whole' } });
  const result = await sit(one, desk, desks, { counts });
  expect(result.status).toBe('done');
  expect((await booksOf(desk)).total).toBe(ordersIn);
  return counts;
}

const isWhole = process.env['EVERY_DEATH'] !== undefined;

/**
 * Every push, and every second line and request with EVERY_DEATH unset; that a line was written is
 * as death before the next.
 */
function* deaths(length: Record<Act, number>): Generator<Death> {
  for (const at of ['journal', 'request', 'push'] as const) {
    for (let nth = 1; nth <= length[at]; nth++) {
      if (!isWhole && at !== 'push' && nth % 2 === 0) continue;
      if (at !== 'journal') yield { at, nth, when: 'before' };
      yield { at, nth, when: 'after' };
    }
  }
}

test.each(['resend', 'ask'] as const)(
  'crashing at every action, with on-doubt: %s',
  async (onDoubt) => {
    const place = openPlace();
    const length = await lengthOf(place);
    const broken: string[] = [];
    for (const death of deaths(length)) broken.push(...(await caseOf(death, onDoubt, place)));
    expect(length.push).toBeGreaterThan(3);
    expect(broken).toEqual([]);
  },
  600_000,
);
