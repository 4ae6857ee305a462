/** What must hold at the end of a seed, by the exchange's own books. */
import type { Entry, Outcome } from '../../src/engine/journal/entry.ts';
import type { Visibility } from '../../src/engine/journal/visible.ts';
import { readJournal } from '../../src/engine/journal/journal.ts';
import { replay } from '../../src/engine/journal/replay.ts';
import { visibilitiesIn } from '../../src/engine/journal/visibility.ts';
import type { RunResult } from '../../src/engine/interpreter/interpret.ts';
import type { Story } from './story.ts';

interface OrderSeen {
  readonly orderId: string;
  readonly clientOid: string;
  readonly price: string;
  readonly status: string;
}

export interface Evidence {
  readonly story: Story;
  readonly journal: string;
  readonly file: string | undefined;
  /** How the last life ended, when it did not die. */
  readonly result?: RunResult;
  /** Every order of the account, as the exchange has them. */
  readonly orders: { readonly open: readonly OrderSeen[]; readonly closed: readonly OrderSeen[] };
  readonly accounts: readonly { readonly uid: string; readonly parent?: string }[];
  readonly steps: readonly string[];
}

const rowsInAll = 6; // coins with a discount rate

/** Everything that is wrong, in words; empty when all promises were kept. */
export function judge(evidence: Evidence): string[] {
  let entries: readonly Entry[];
  try {
    ({ entries } = readJournal(evidence.journal, 'journal.ndjson'));
  } catch (error) {
    return [`the journal cannot be read at the end: ${String(error)}`];
  }
  const outcomes = new Map([...replay(entries)].map(([at, { outcome }]) => [at, outcome]));
  return [
    ...judgeEnd(evidence, outcomes, entries),
    ...judgeLists(evidence, entries),
    ...evidence.story.prices.flatMap((price) => [
      ...judgeOrder(price, evidence, outcomes),
      ...judgeCancel(price, evidence, outcomes),
    ]),
    ...judgeSub(evidence, outcomes),
    ...judgeFile(evidence, outcomes),
  ];
}

type Outcomes = ReadonlyMap<string, Outcome | undefined>;

/** When all is calm a run ends: done, or in a doubt that only a person can settle. */
function judgeEnd(
  { result, story }: Evidence,
  outcomes: Outcomes,
  entries: readonly Entry[],
): string[] {
  if (result === undefined) return ['in calm, no life came to its end'];
  if (result.status === 'done') return [];
  const doubts = [...outcomes].filter(([, outcome]) => outcome?.kind === 'doubt');
  if (result.status === 'stopped' && isCancelRefused(story, outcomes)) return [];
  if (result.status !== 'doubt') return [`in calm, the run ended as ${result.status}`];
  if (doubts.length === 0) return ['it ended in doubt, and the journal names none'];
  return doubts
    .filter(([address]) => address !== 'sub' && mayResend(story, entries))
    .map(([address]) => `${address} stays in doubt though it may be sent again`);
}

/** An order that ended cannot be cancelled, and where nothing shows it the refusal is all that is known. */
function isCancelRefused({ hides, hidesKey }: Story, outcomes: Outcomes): boolean {
  const refused = [...outcomes].filter(([, outcome]) => outcome?.kind === 'refused');
  return hides && hidesKey && refused.every(([address]) => address.startsWith('cancel['));
}

/** Whether an order that no list shows is sent again: where lists have shown one, or need not. */
function mayResend({ onDoubt, isLive }: Story, entries: readonly Entry[]): boolean {
  return onDoubt === 'resend' && (!isLive || listsIn(entries).includes('listed'));
}

function listsIn(entries: readonly Entry[]): readonly Visibility['orders'][] {
  return [...visibilitiesIn(entries).values()].map(({ orders }) => orders);
}

/** What is learned of the lists is true. */
function judgeLists({ story }: Evidence, entries: readonly Entry[]): string[] {
  const wrong = story.hides ? 'listed' : 'unlisted';
  return listsIn(entries).includes(wrong) ? [`the lists are taken to be ${wrong}`] : [];
}

function judgeOrder(price: string, { orders }: Evidence, outcomes: Outcomes): string[] {
  const address = `ladder[${price}]`;
  const outcome = outcomes.get(address);
  const found = [...orders.open, ...orders.closed].filter((order) => samePrice(order, price));
  if (found.length > 1) return [`${address} was placed ${found.length} times`];
  const [order] = found;
  switch (outcome?.kind) {
    case 'done': {
      if (order === undefined) return [`${address} is done, and there is no such order`];
      const recorded = Object(outcome.output).orderId;
      return recorded === order.orderId ? [] : [`${address} records another order: ${recorded}`];
    }
    case 'refused':
    case 'failed':
      return order === undefined
        ? []
        : [`${address} is reported as ${outcome.kind}, and it stands`];
    case 'doubt':
    case 'skipped':
      return [];
    case undefined:
      return order === undefined ? [] : [`${address} stands, and the journal never says so`];
  }
}

/** A cancelled order has ended, and it is told whether it was filled before. */
function judgeCancel(price: string, { orders }: Evidence, outcomes: Outcomes): string[] {
  const address = `cancel[${price}]`;
  const outcome = outcomes.get(address);
  if (outcome?.kind !== 'done') return [];
  const placed = outcomes.get(`ladder[${price}]`);
  const id = placed?.kind === 'done' ? Object(placed.output).orderId : undefined;
  if (id === undefined) return [`${address} is done, and no order was recorded before`];
  if (orders.open.some(({ orderId }) => orderId === id))
    return [`${address} is done, and it is open`];
  const ended = orders.closed.find(({ orderId }) => orderId === id);
  const { status } = Object(outcome.output);
  return ended?.status === status ? [] : [`${address} tells ${status}, and it is ${ended?.status}`];
}

function samePrice(order: OrderSeen, price: string): boolean {
  return Number(order.price) === Number(price);
}

function judgeSub({ accounts, steps }: Evidence, outcomes: Outcomes): string[] {
  if (!steps.includes('sub')) return [];
  const made = accounts.filter(({ uid, parent }) => parent !== undefined && uid >= '7100000000');
  const outcome = outcomes.get('sub');
  if (made.length > 1) return [`sub was created ${made.length} times`];
  const [sub] = made;
  switch (outcome?.kind) {
    case 'done':
      return Object(outcome.output).subUid === sub?.uid ? [] : ['sub is done, and is not there'];
    case 'failed':
    case 'refused':
      return sub === undefined ? [] : [`sub is reported as ${outcome.kind}, and it stands`];
    case 'doubt':
    case 'skipped':
      return [];
    case undefined:
      return sub === undefined ? [] : ['sub stands, and the journal never says so'];
  }
}

/** Under its final name a file is absent or whole, and whole when its step is done. */
function judgeFile({ file, steps }: Evidence, outcomes: Outcomes): string[] {
  if (!steps.includes('file')) return [];
  const rows = file?.trimEnd().split(/\r?\n/).slice(1) ?? [];
  const isWhole = rows.length === rowsInAll && new Set(rows).size === rowsInAll;
  if (file !== undefined && !isWhole) return [`the file has ${rows.length} rows, not ${rowsInAll}`];
  if (outcomes.get('file')?.kind === 'done' && file === undefined) {
    return ['the file is done, and is not there'];
  }
  return [];
}
