/** The orders of a run: their requests, the outcome of each, and its evidence. */
import type { Millis } from '../base/clock.ts';
import { decimal, isDecimalText, zero, type Decimal } from '../base/decimal.ts';
import { isRecord } from '../base/json.ts';
import { plainText } from '../base/text.ts';
import type { KeyedWrite } from '../exchange/api/keyed-write.ts';
import { keyIn, keyedWriteOf, orderListOf } from '../exchange/api/meant-order.ts';
import { lineOf, meets } from '../exchange/api/order-terms.ts';
import type { OperationName } from '../exchange/api/operations/index.ts';
import type { Address, Evidence } from '../engine/journal/entry.ts';
import { accountField } from './accounts.ts';
import { recordsWith, textAt } from './read-json.ts';
import { directionOf, orderRequest } from './order-text.ts';
import type { ActionStory, Story } from './story.ts';
import { moment, money, stateOf, type ActionState } from './words.ts';

export interface OrderLine {
  readonly address: Address;
  /** Profile of the order's account, in a run with several accounts. */
  readonly account?: string;
  /**
   * The state of the order: that of the exchange if a later read showed it; `placed` if only the response
   * did.
   */
  readonly state: string;
  readonly standing: ActionState;
  readonly symbol: string;
  /** The direction of the order: `open long` in hedge mode, `buy` in one-way mode. */
  readonly side: string;
  /** Every other field of the request that differs from its default. */
  readonly terms: readonly string[];
  readonly size: string;
  /** The price of the order; '' for a market order. */
  readonly price: string;
  /** Size times price; absent for a market order. */
  readonly notional?: Decimal;
  /** The currency of the notional: `USDT`. */
  readonly coin: string;
  readonly clientOid: string;
  readonly orderId: string;
  readonly how: string;
}

/** Every order that was sent, in the order of the steps. */
export function ordersOf(story: Story): OrderLine[] {
  const seen = readBack(story);
  return story.steps.flatMap((step) =>
    step.actions.flatMap((action) => {
      const { operation, input } = action;
      const keyed = keyedWriteOf(operation);
      if (operation === undefined || keyed === undefined || input === undefined) return [];
      return orderLine(action, { operation, keyed }, stateOf(action, step), seen);
    }),
  );
}

/** When an order was sent: when it was signed first, or recorded. */
export function sentAt({ intents, settledAt }: ActionStory, { started }: Story): Millis {
  return intents[0]?.signedAt ?? settledAt ?? started.at;
}

/** When the first and the last of the orders of a run were sent; undefined if it has none. */
export function sentWithin(story: Story): readonly [first: Millis, last: Millis] | undefined {
  let within: readonly [Millis, Millis] | undefined;
  for (const { actions } of story.steps) {
    for (const action of actions) {
      if (keyedWriteOf(action.operation) === undefined || action.input === undefined) continue;
      const at = sentAt(action, story);
      within = [Math.min(within?.[0] ?? at, at), Math.max(within?.[1] ?? at, at)];
    }
  }
  return within;
}

interface Placing {
  readonly operation: OperationName;
  readonly keyed: KeyedWrite;
}

/** The sum of notionals by coin, and how many orders have none: `3,100.00 USDT + 1 at market`. */
export function notionalWords(orders: readonly OrderLine[]): string {
  const sums = new Map<string, Decimal>();
  let atMarket = 0;
  for (const { notional, coin } of orders) {
    if (notional === undefined) atMarket++;
    else sums.set(coin, (sums.get(coin) ?? zero).plus(notional));
  }
  const words = [...sums].map(([coin, sum]) => `${money(sum)} ${coin}`);
  if (atMarket > 0) words.push(`${atMarket} at market`);
  return words.join(' + ');
}

/**
 * The orders with those in doubt first, then the refused ones, then the rest: what needs a person is never
 * cut off.
 */
export function urgentFirst(orders: readonly OrderLine[]): OrderLine[] {
  return orders.toSorted((a, b) => urgency(a) - urgency(b));
}

function urgency({ standing }: OrderLine): number {
  if (standing === 'doubt') return 0;
  return standing === 'refused' || standing === 'failed' ? 1 : 2;
}

/** An order as a later read of the exchange's lists showed it. */
interface Seen {
  readonly status: string;
  readonly at: Millis;
  readonly by: string;
}

/** Orders that reads of the run showed, by clientOid; the last read counts. */
function readBack(story: Story): ReadonlyMap<string, Seen> {
  const seen = new Map<string, Seen>();
  for (const step of story.steps) {
    for (const { operation, outcome, settledAt } of step.actions) {
      const list = orderListOf(operation);
      if (list === undefined) continue;
      const { key, status } = list.row;
      const [field] = status.fields;
      if (outcome?.kind !== 'done' || settledAt === undefined) continue;
      for (const row of recordsWith(outcome.output, [key, field])) {
        const [clientOid, orderStatus] = [row[key], row[field]];
        if (typeof clientOid !== 'string' || typeof orderStatus !== 'string') continue;
        const earlier = seen.get(clientOid);
        if (earlier !== undefined && earlier.at > settledAt) continue;
        seen.set(clientOid, { status: orderStatus, at: settledAt, by: step.id });
      }
    }
  }
  return seen;
}

function orderLine(
  action: ActionStory,
  { operation, keyed }: Placing,
  standing: ActionState,
  seen: ReadonlyMap<string, Seen>,
): OrderLine {
  const { input, outcome } = action;
  const output = outcome?.kind === 'done' ? outcome.output : undefined;
  const clientOid = keyIn(operation, input) ?? keyIn(operation, output) ?? '';
  const look = seen.get(clientOid);
  const notional = notionalOf(action, keyed);
  const { fields } = keyed;
  const part = (field: string): string => plainText(textAt(input, field) ?? '', 40);
  const isThere = standing === 'done' || standing === 'found';
  return {
    address: plainText(action.address, 120),
    ...accountField(action.account),
    standing,
    state: isThere ? plainText(look?.status ?? 'placed', 40) : standing,
    symbol: part(fields.symbol),
    side: directionOf(operation, input),
    terms: orderRequest(operation, input).terms,
    size: part(fields.size),
    price: part(fields.price),
    ...(notional && { notional }),
    coin: coinOf(action, keyed),
    clientOid: plainText(clientOid, 64),
    orderId: plainText(textAt(output, keyed.id) ?? '', 40),
    how: isThere && look ? `read back ${moment(look.at)} UTC` : howOf(action),
  };
}

function notionalOf(
  { input }: ActionStory,
  { fields, inQuoteCoin }: KeyedWrite,
): Decimal | undefined {
  const size = textAt(input, fields.size) ?? '';
  const price = textAt(input, fields.price) ?? '';
  const isAmount = meets(inQuoteCoin, isRecord(input) ? input : {});
  if (isAmount) return isDecimalText(size) ? decimal(size) : undefined;
  if (!isDecimalText(size) || !isDecimalText(price)) return undefined;
  return decimal(size).times(decimal(price));
}

function coinOf({ input }: ActionStory, keyed: KeyedWrite): string {
  const { fields, shown } = keyed;
  const line = lineOf(keyed, isRecord(input) ? input : {});
  const currency = line && shown.currency?.[line];
  if (currency !== undefined) return currency;
  const coin = fields.coin && textAt(input, fields.coin);
  return plainText(coin ?? quoteCoinIn(textAt(input, fields.symbol) ?? ''), 20);
}

/** The quote coin of a symbol, which is at its end. */
function quoteCoinIn(symbol: string): string {
  return /(?:USDT|USDC|USD|EUR|BTC|ETH)$/.exec(symbol.toUpperCase())?.[0] ?? '';
}

/** The evidence for the outcome of an action. */
function howOf({ outcome, settledAt, isOpen, intents }: ActionStory): string {
  const time = settledAt === undefined ? '' : ` ${moment(settledAt)} UTC`;
  if (isOpen) return 'no response recorded';
  switch (outcome?.kind) {
    case 'done':
      return `${evidenceWords[outcome.evidence]}${time}`;
    case 'refused':
      return `answer ${plainText(outcome.code, 20)}${time}`;
    case 'failed':
      return outcome.person ? 'recorded by a person: not there' : 'nothing was executed';
    case 'doubt':
      return 'no response';
    case 'skipped':
      return plainText(outcome.because, 60);
    case undefined:
      return intents.length === 0 ? 'not sent' : 'no response recorded';
  }
}

const evidenceWords: Readonly<Record<Evidence, string>> = {
  answered: 'answered',
  'looked-up': 'looked up',
  'from-ledger': 'in the ledger',
  'from-plan': 'from the plan',
  'by-person': 'a person says',
};
