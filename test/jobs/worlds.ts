/** Worlds that move: by themselves at each request, and through other people between a plan and its run. */
import type { Transport, WireRequest } from '../../src/exchange/api/exchange.ts';
import {
  operationNames,
  operationOf,
  type OperationName,
} from '../../src/exchange/api/operations/index.ts';
import { isAccepted } from '../model/entries.ts';
import { answerAs } from '../support/answer-forms.ts';
import { cancelling, leverageCall, placing } from './calls.ts';
import type { Desk } from './desk.ts';
import type { Choice } from './features.ts';
import { marksAtStart, setKey, setMark, type Stage } from './stage.ts';

/** Writes by account and symbol, as the exchange has them. */
export type Books = Readonly<Record<string, number>>;

export interface World {
  /** Between the plan and its run. */
  readonly meanwhile: (desk: Desk) => void;
  /** Orders, sub-accounts and leverage that came through our requests. */
  readonly books: () => Books;
  /** How many of our orders are open, of all symbols or of one. */
  readonly open: (symbol?: string) => number;
  /** The uids of new sub-accounts. */
  readonly subs: () => readonly string[];
  /** Our orders of BTCUSDT that the exchange has. */
  readonly orders: () => readonly Placed[];
  /** Loses the request of an order, or its response, and then, if it is blind, also what lists show, until it heals. */
  readonly lose: (loss: Loss) => void;
  /** Ends what was lost. @returns the price of the order that was lost */
  readonly heal: () => string | undefined;
  /** Puts the exchange back to now, after the work. */
  readonly apart: <T>(work: () => Promise<T>) => Promise<T>;
  readonly wrap: (transport: Transport) => Transport;
}

export interface Placed {
  readonly orderId: string;
  readonly price: string;
}

/** An order that is lost on its way. */
export interface Loss {
  /** Counted from now, from 1. */
  readonly nth: number;
  readonly when: 'before' | 'after-commit';
  readonly isBlind: boolean;
}

export function worldOf(choice: Choice, stage: Stage): World {
  const sets = new Map<string, number>();
  const others = new Set<string>();
  const placed = placing(choice, {}).uses;
  const cancelled = cancelling(choice, {}).uses;
  const set = leverageCall(choice).uses;
  let reads = 0;
  let loss: Loss | undefined;
  let lost: string | undefined;
  if (choice.failure === 'lost') loseOneAnswer(stage, placed);
  answerAs(choice.answers, stage.sandbox);
  return {
    wrap: (transport) => async (request, signal) => {
      if (choice.world === 'ticks' && request.operation === 'market/list-tickers') {
        reads += 1;
        move(stage, 1 + reads * 0.0002);
      }
      if (loss !== undefined && request.operation === placed) {
        loss = { ...loss, nth: loss.nth - 1 };
        if (loss.nth === 0) lost = loseOne(stage, request, loss);
      }
      const response = await transport(request, signal);
      const counted = { [set]: 'leverage', [cancelled]: 'cancel' }[request.operation];
      if (counted !== undefined && isAccepted(response)) {
        const key = `${accountOf(request, stage)} ${counted}`;
        sets.set(key, (sets.get(key) ?? 0) + 1);
      }
      if (choice.world === 'fills' && request.operation === placed) fill(stage);
      return response;
    },
    meanwhile: (desk) => {
      if (choice.world === 'ticks') move(stage, 1.001);
      if (choice.world === 'others') for (const id of otherTools(stage)) others.add(id);
      if (choice.world === 'rotation') rotate(stage, desk, choice);
    },
    apart: async (work) => {
      stage.sandbox.control('POST', 'snapshots', { name: 'now' });
      try {
        return await work();
      } finally {
        stage.sandbox.control('POST', 'snapshots/restore', { name: 'now' });
      }
    },
    orders: () => placedIn(stage, others),
    lose: (next) => (loss = next),
    heal: () => {
      const price = lost;
      [loss, lost] = [undefined, undefined];
      stage.sandbox.control('PUT', 'faults', { rules: [] });
      return price;
    },
    subs: () => subsIn(stage).map(({ uid }) => uid),
    open: (symbol) => openIn(stage, others, symbol),
    books: () => ({ ...ordersIn(stage, others), ...Object.fromEntries(sets) }),
  };
}

/** What was written between two looks at the books. */
export function difference(before: Books, after: Books): Books {
  const entries = Object.entries(after).map(([key, n]) => [key, n - (before[key] ?? 0)] as const);
  return Object.fromEntries(entries.filter(([, n]) => n !== 0));
}

function openIn(
  { sandbox, accounts }: Stage,
  others: ReadonlySet<string>,
  symbol: string | undefined,
): number {
  return accounts.flatMap(({ uid }) => {
    const { open } = Object(sandbox.control('GET', 'orders', { uid }));
    return [...open].filter(
      (order) => !others.has(String(order.orderId)) && (symbol ?? order.symbol) === order.symbol,
    );
  }).length;
}

function ordersIn(stage: Stage, others: ReadonlySet<string>): Books {
  const books: Record<string, number> = {};
  for (const { name, uid } of stage.accounts) {
    const { open, closed } = Object(stage.sandbox.control('GET', 'orders', { uid }));
    for (const { symbol, orderId } of [...open, ...closed]) {
      if (others.has(String(orderId))) continue;
      const key = `${name} ${symbol}`;
      books[key] = (books[key] ?? 0) + 1;
    }
  }
  for (const { parent } of subsIn(stage)) {
    const owner = stage.accounts.find(({ uid }) => uid === parent);
    const key = `${owner?.name ?? 'another'} sub`;
    books[key] = (books[key] ?? 0) + 1;
  }
  return books;
}

interface SubAccount {
  readonly uid: string;
  readonly parent?: string;
}

function subsIn({ sandbox, accounts }: Stage): readonly SubAccount[] {
  const all: readonly SubAccount[] = Object(sandbox.control('GET', 'accounts'));
  return all.filter(({ parent }) => accounts.some(({ uid }) => uid === parent));
}

function placedIn({ sandbox, accounts }: Stage, others: ReadonlySet<string>): readonly Placed[] {
  return accounts.flatMap(({ uid }) => {
    const { open, closed } = Object(sandbox.control('GET', 'orders', { uid }));
    return [...open, ...closed].flatMap(({ symbol, orderId, price }) => {
      const isOurs = symbol === 'BTCUSDT' && !others.has(String(orderId));
      return isOurs ? [{ orderId: String(orderId), price: String(price) }] : [];
    });
  });
}

/** @returns the price of the order */
function loseOne({ sandbox }: Stage, { operation, body }: WireRequest, loss: Loss): string {
  const { when, isBlind } = loss;
  const lost = { match: { operation }, when, times: 1, action: { kind: 'reset' } };
  const looks = operationNames.filter(
    (name) => /order/.test(name) && operationOf(name).effect === 'read',
  );
  const unread = looks.map((name) => ({
    match: { operation: name },
    when: 'before',
    action: { kind: 'status', status: 500 },
  }));
  sandbox.control('PUT', 'faults', { rules: [lost, ...(isBlind ? unread : [])] });
  return String(JSON.parse(String(body)).price);
}

function loseOneAnswer({ sandbox }: Stage, operation: OperationName): void {
  const match = { operation, nth: 2 };
  const rule = { match, when: 'after-commit', times: 1, action: { kind: 'reset' } };
  sandbox.control('PUT', 'faults', { rules: [rule] });
}

function move({ sandbox }: Stage, factor: number): void {
  for (const [symbol, mark] of Object.entries(marksAtStart))
    setMark(sandbox, symbol, mark * factor);
}

/** The market falls through every resting order of ours, and comes back. */
function fill(stage: Stage): void {
  move(stage, 0.5);
  move(stage, 1);
}

/** @returns the ids of the orders that another tool placed */
function otherTools({ sandbox, accounts }: Stage): readonly string[] {
  return accounts.map(({ uid }) => {
    const order = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', side: 'buy', tradeSide: 'open' };
    const limit = { orderType: 'limit', size: '0.002', price: '45000' };
    const placed = sandbox.control('POST', 'orders', { uid, ...order, ...limit });
    return String(Object(placed).orderId);
  });
}

/** The key of the first account is replaced by another one, there and here. */
function rotate({ sandbox, accounts: [first] }: Stage, desk: Desk, { family }: Choice): void {
  if (first === undefined) return;
  const { passphrase, name } = first;
  const next = { apiKey: 'key-of-desk-main-001', secretKey: 'secret-of-desk-main-001', passphrase };
  setKey(sandbox, { ...first, ...next }, { family });
  setKey(sandbox, first, { family, isFrozen: true });
  desk.useKey(name, next);
}

function accountOf({ headers }: WireRequest, { accounts }: Stage): string {
  const keys = Object.values(headers);
  const found = accounts.find(({ apiKey }) => keys.includes(apiKey));
  return found?.name ?? 'main'; // only its key is ever replaced
}

/**
 * A leverage whose response was lost, or is not understood, is set again: that is the same state. So it is with
 * a cancellation.
 */
export function statesIn(sent: Books): Books {
  return Object.fromEntries(
    Object.entries(sent).flatMap(([key, n]) => {
      if (key.endsWith('cancel')) return [];
      return [[key, key.endsWith('leverage') ? 1 : n] as const];
    }),
  );
}
