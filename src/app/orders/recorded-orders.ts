/** The orders that runs of a state folder recorded: which run placed each, from which plan, and who approved it. */
import type { Millis } from '../../base/clock.ts';
import { decimalText } from '../../base/decimal.ts';
import { messageOf } from '../../base/error.ts';
import { lineOfWrite } from '../../exchange/api/meant-order.ts';
import type { OrderCategory } from '../../exchange/api/vocabulary.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { Destination, Entry } from '../../engine/journal/entry.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { answersIn } from '../../engine/journal/people-answers.ts';
import { evidenceOf } from '../../engine/journal/evidence.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import type { AllRuns } from '../../engine/journal/run-list.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { ordersOf, sentAt, type OrderLine } from '../../report/orders.ts';
import { storyOf, type ActionStory, type Story } from '../../report/story.ts';
import type { RunOrder } from '../documents/order-documents.ts';

/** Which orders are wanted; an absent field selects all. */
export interface OrderFilter {
  /** The first moment at which a wanted order was signed. */
  readonly from: Millis;
  /** The moment before which a wanted order was signed. */
  readonly to: Millis;
  readonly playbook?: string;
  readonly account?: string;
  readonly symbol?: string;
  readonly state?: string;
  /** A clientOid or an orderId. */
  readonly id?: string;
}

/** An order with what a read of its account needs. */
export interface RecordedOrder {
  readonly order: RunOrder;
  readonly operation: OperationName;
  /** The product line of the order; absent if no list shows it. */
  readonly line?: OrderCategory;
  readonly destination: Destination;
}

export interface RecordedOrders {
  /** The orders that were found, newest first. */
  readonly orders: readonly RecordedOrder[];
  /** The problems of records that could not be read completely. */
  readonly damages: readonly string[];
}

/** The orders of one run. */
export interface OrdersOfRun {
  readonly orders: readonly RecordedOrder[];
  /** The reason why the record of the run could not be read completely. */
  readonly damage?: string;
  /** Whether the run has not ended: then it may have more orders in a moment. */
  readonly isOpen?: true;
}

/**
 * Collects the wanted orders. A run that ended and wrote nothing, or nothing in the wanted time, is not read.
 * @param read reads the orders of a run
 */
export async function recordedOrders(
  { headers, ended }: AllRuns,
  wanted: OrderFilter,
  read: (run: string) => Promise<OrdersOfRun>,
): Promise<RecordedOrders> {
  const asked = headers.filter((each) => mayHave(each, ended, wanted));
  const found = await ordersIn(
    asked.map(({ run }) => run),
    wanted,
    read,
  );
  ended.keep(headers.map(({ run }) => run));
  return found;
}

/** The wanted orders of some runs, the newest first. @param read reads the orders of a run */
export async function ordersIn(
  runs: readonly string[],
  wanted: OrderFilter,
  read: (run: string) => Promise<OrdersOfRun>,
): Promise<RecordedOrders> {
  const orders: RecordedOrder[] = [];
  const damages: string[] = [];
  for (const run of runs) {
    const found = await read(run);
    if (found.damage !== undefined) damages.push(found.damage);
    orders.push(...found.orders.filter(({ order }) => isWanted(order, wanted)));
  }
  const newest = orders.toSorted((a, b) => b.order.sentAt - a.order.sentAt);
  return { orders: newest, damages };
}

/** The orders that a run recorded; of a damaged record those that can be read. */
export async function ordersOfRun(stateDir: string, run: string): Promise<OrdersOfRun> {
  try {
    const entries = await readRun(stateDir, run);
    const isEnded = entries.at(-1)?.kind === 'finished';
    return { orders: recordedIn(entries), ...(!isEnded && { isOpen: true }) };
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    const { entries } = await evidenceOf(stateDir, run);
    return { orders: recordedIn(entries), damage: messageOf(error) };
  }
}

function mayHave(header: RunHeader, runs: AllRuns['ended'], wanted: OrderFilter): boolean {
  if (wanted.playbook !== undefined && header.playbook !== wanted.playbook) return false;
  const ended = runs.ended(header);
  if (ended === undefined || (header.accounts ?? []).length > 0) return true;
  return ended.signedAt !== undefined && ended.signedAt >= wanted.from;
}

/** Whether an order is among those that a filter selects. */
export function isWanted(order: RunOrder, wanted: OrderFilter): boolean {
  const { from, to, account, symbol, state, id } = wanted;
  return (
    order.sentAt >= from &&
    order.sentAt < to &&
    (account === undefined || order.account === account) &&
    (symbol === undefined || order.symbol.toUpperCase() === symbol.toUpperCase()) &&
    (state === undefined || order.state === state) &&
    (id === undefined || order.clientOid === id || order.orderId === id)
  );
}

function recordedIn(entries: readonly Entry[]): readonly RecordedOrder[] {
  if (entries[0]?.kind !== 'started') return [];
  const story = storyOf(entries);
  const actions = new Map<string, ActionStory>();
  for (const step of story.steps) {
    for (const action of step.actions) actions.set(action.address, action);
  }
  return ordersOf(story).flatMap((line) => {
    const action = actions.get(line.address);
    if (action?.operation === undefined || action.input === undefined) return [];
    const { operation, input } = action;
    const destination = destinationOf(story, action);
    const category = lineOfWrite(operation, input);
    const order = orderOf(line, action, story, destination);
    return [{ order, operation, ...(category && { line: category }), destination }];
  });
}

function destinationOf({ started }: Story, { account }: ActionStory): Destination {
  const { destination, accounts = [] } = started;
  return accounts.find(({ profile }) => profile === account) ?? destination;
}

function orderOf(
  line: OrderLine,
  action: ActionStory,
  story: Story,
  { profile, target }: Destination,
): RunOrder {
  const { address, state, symbol, side, size, price, notional, coin, clientOid, orderId } = line;
  const { started } = story;
  const { run, playbook, plan, approvals = [] } = started;
  const people = new Set([...approvals.map(({ who }) => who), ...letGoBy(line, story)]);
  return {
    sentAt: sentAt(action, story),
    run,
    playbook: playbook.name,
    address,
    account: profile,
    target,
    symbol,
    side,
    size,
    price,
    ...(notional && { notional: decimalText(notional) }),
    coin,
    clientOid,
    orderId,
    state,
    ...(plan !== undefined && { plan }),
    ...(people.size > 0 && { approvedBy: [...people] }),
  };
}

/** The people who approved an order in the run, before it was sent. */
function letGoBy({ address }: OrderLine, { steps }: Story): readonly string[] {
  return steps.flatMap(({ actions }) =>
    actions.flatMap(({ asked, outcome }) => {
      if (outcome?.kind !== 'done' || asked === undefined) return [];
      const isOf = asked.effects.some(({ address: shown }) => isPartOf(shown, address));
      return isOf ? answersIn(outcome.output).map(({ who }) => who) : [];
    }),
  );
}

/** Whether an address is that of an effect, of one of its items, or of a step below it. */
function isPartOf(shown: string, address: string): boolean {
  return (
    address === shown || (address.startsWith(shown) && /^[[/]/.test(address.slice(shown.length)))
  );
}
