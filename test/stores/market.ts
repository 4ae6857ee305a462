/** A playbook that follows the market, on machines that share a repository; and what must be true after. */
import { clientOf, openHarness, playbookFrom, type Harness } from '../support/harness.ts';
import { limitOrder } from '../support/order.ts';
import { doubtsIn } from '../../src/engine/effects/doubts.ts';
import type { OnDoubt } from '../../src/engine/effects/effect-context.ts';
import type { RunResult } from '../../src/engine/interpreter/interpret.ts';
import { hub, machine, type Machine } from './machines.ts';
import { isTried } from '../support/share.ts';
import { answerAs } from '../support/answer-forms.ts';
import type { AnswerForms } from '../../src/sandbox/world/world-settings.ts';
import { entriesOn, type Act, type Death } from './machine-process.ts';

/** Keys and prices are those of reads, at every level, and the market moves while no one looks. */
export const desks = playbookFrom(
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
export const ordersIn = 5;

interface Books {
  /** Orders with our names, open and closed, by clientOid. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly total: number;
}

export async function booksOf(harness: Harness): Promise<Books> {
  const byName = new Map<string, string[]>();
  for (const name of ['order/list-open', 'order/list-history'] as const) {
    for await (const { rows } of clientOf(harness).pages(name, {})) {
      for (const row of rows) {
        const [clientOid, orderId] = [String(row.clientOid), String(row.orderId)];
        if (!/^dh.{26}$/.test(clientOid)) continue;
        const ids = byName.get(clientOid) ?? [];
        if (!ids.includes(orderId)) byName.set(clientOid, [...ids, orderId]);
      }
    }
  }
  return { byName, total: [...byName.values()].flat().length };
}

/** A name that was used may be used again: only we are between an order and its second. */
export async function openMarket(answers: AnswerForms = 'interface'): Promise<Harness> {
  const harness = await openHarness();
  answerAs(answers, harness.sandbox);
  harness.sandbox.control('POST', 'config', { duplicateClientOid: 'accept' });
  return harness;
}

/** What is read again is not what was read before. */
export function moveMarket({ sandbox }: Harness): void {
  const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', price: '78012.5' };
  sandbox.control('POST', 'market', market);
}

/** Orders a run says are there, by id, and those it leaves in doubt, by name. */
interface Told {
  readonly done: ReadonlySet<string>;
  readonly doubts: ReadonlySet<string>;
}

export async function toldBy(
  one: Pick<Machine, 'stateDir'>,
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
export interface Place {
  readonly bare: string;
  readonly clones: readonly [string, string];
}

export function openPlace(): Place {
  const bare = hub();
  return { bare, clones: [machine(bare).folder, machine(bare).folder] };
}

/** What is wrong after a run, by the exchange's own books. */
export function judge(
  result: RunResult,
  books: Books,
  told: Told,
  onDoubt: OnDoubt,
): readonly string[] {
  const { done, doubts } = told;
  const broken: string[] = [];
  for (const [name, ids] of books.byName) {
    const isReported = ids.every((id) => done.has(id)) || doubts.has(name);
    if (ids.length > 1) broken.push(`${name} stands ${ids.length} times`);
    if (!isReported) broken.push(`${name} is not reported`);
  }
  if (books.total > ordersIn) broken.push(`${books.total} orders`);
  if (result.status === 'done' && books.total !== ordersIn) broken.push(`done: ${books.total}`);
  if (result.status !== 'done' && result.exit !== 6) broken.push(`ended ${result.status}`);
  if (onDoubt === 'resend' && result.status !== 'done') broken.push(`resend: ${result.status}`);
  if (result.status === 'doubt' && doubts.size === 0) broken.push('in doubt of nothing');
  return broken;
}

/**
 * Every push, and of lines and requests one of so many, or each in `.ci/run`; that a line was
 * written is as death before the next.
 * @param from the first one that is tried
 */
export function* deathsIn(
  length: Record<Act, number>,
  { from, oneOf }: { readonly from: number; readonly oneOf: number },
): Generator<Death> {
  for (const at of ['journal', 'request', 'push'] as const) {
    for (let nth = 1; nth <= length[at]; nth++) {
      if (at !== 'push' && !isTried(nth - from, oneOf)) continue;
      if (at !== 'journal') yield { at, nth, when: 'before' };
      yield { at, nth, when: 'after' };
    }
  }
}
