/** A person's word on an action in doubt: held against what the exchange shows, then an outcome. */
import { second, type Millis } from '../base/clock.ts';
import { DeskhandError, exits, messageOf } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { spoken } from '../base/text.ts';
import { checkInput } from '../contract/check.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Input } from '../contract/operations/index.ts';
import type { Address, Entry, Outcome, PersonsWord } from '../journal/entry.ts';
import { replay, signedAtOf } from '../journal/replay.ts';
import { differenceTo, visitOrders, type Order } from '../plan/orders.ts';
import { abandonedIn } from '../run/outcome.ts';
import { fenceOf, isUnreadable, searchFrom } from './reconcile.ts';

/** What a person says became of an action. */
export type Verdict =
  | { readonly kind: 'placed'; readonly id: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'abandon' };

/** An action nobody knows the outcome of. */
export interface InDoubt {
  readonly address: Address;
  readonly because: string;
  /** What this run sent for it, oldest first; empty when the doubt comes from elsewhere. */
  readonly intents: readonly Intent[];
}

type Intent = Extract<Entry, { readonly kind: 'intended' }>;

/** What the exchange shows speaks against the person's word, or cannot be known yet. */
export class EvidenceError extends DeskhandError {
  constructor(message: string, hint: string) {
    super(`${message}; it stays in doubt`, {
      code: 'evidence',
      actor: 'operator',
      exit: exits.heldBack,
      hint,
    });
  }
}

/** Actions of a run that a person may settle: in doubt, or left undone by a person before. */
export function doubtsIn(entries: readonly Entry[]): readonly InDoubt[] {
  return [...replay(entries)].flatMap(([address, { outcome, openSince }]) => {
    const intents = entries.filter(isIntent).filter((intent) => intent.address === address);
    if (openSince.length > 0 && outcome === undefined) {
      return [{ address, intents, because: 'the answer was never recorded' }];
    }
    // What is in doubt within it is settled there: a word on the whole would be passed over.
    if (outcome?.kind === 'doubt' && outcome.at !== undefined) return [];
    const because = outcome?.kind === 'doubt' ? outcome.because : abandonedIn(outcome)?.because;
    return because === undefined ? [] : [{ address, intents, because }];
  });
}

export interface Witness {
  readonly person: PersonsWord;
  /** The run's accounts: it may have been sent on any of them. */
  readonly exchanges: readonly Exchange[];
  readonly signal: AbortSignal;
}

/**
 * The outcome a person's word makes, and what they should know of it.
 * @throws EvidenceError when what the exchange shows speaks against it
 */
export async function outcomeBy(
  doubt: InDoubt,
  verdict: Verdict,
  witness: Witness,
): Promise<{ readonly outcome: Outcome; readonly note?: string }> {
  const { person } = witness;
  if (verdict.kind === 'abandon') {
    const because = 'a person left it undone; it may or may not have happened';
    return { outcome: { kind: 'skipped', because, person } };
  }
  const intent = doubt.intents.at(-1);
  if (intent === undefined) {
    const hint = 'settle it where it was sent, or leave it undone with --abandon';
    throw new EvidenceError(`this run sent nothing for ${doubt.address}: ${doubt.because}`, hint);
  }
  const signedAt = doubt.intents.flatMap(signedAtOf);
  if (verdict.kind === 'absent') return { outcome: await absent(intent, signedAt, witness) };
  switch (intent.operation) {
    case 'futures/place-order':
      return placed(intent, verdict.id, signedAt, witness);
    case 'account/create-sub': {
      const note = isRecord(intent.input) ? intent.input['note'] : undefined;
      const output = { subUid: verdict.id, ...(typeof note === 'string' && { note }) };
      return { outcome: { kind: 'done', output, evidence: 'by-person', person } };
    }
    default: {
      const hint = `resume the run: it does ${intent.operation} again, which harms nobody`;
      throw new EvidenceError(`${doubt.address} has no id that could be named`, hint);
    }
  }
}

async function placed(
  { input, address }: Intent,
  orderId: string,
  signedAt: readonly Millis[],
  { person, exchanges, signal }: Witness,
): Promise<{ readonly outcome: Outcome; readonly note?: string }> {
  const meant = orderIn(input);
  const clientOid = meant.clientOid ?? '';
  const outcome: Outcome = {
    kind: 'done',
    output: { orderId, clientOid },
    evidence: 'by-person',
    person,
  };
  const looked = await look(meant, signedAt, { exchanges, signal });
  const ours = looked.orders.find((order) => order.clientOid === clientOid);
  const named = looked.orders.find((order) => order.orderId === orderId);
  if (named !== undefined) refuseOther(named, meant, address);
  if (ours !== undefined && ours.orderId !== orderId) {
    const hint = `if that is the one, say --placed ${ours.orderId}`;
    throw new EvidenceError(`the exchange shows clientOid ${clientOid} as ${ours.orderId}`, hint);
  }
  if (named !== undefined) return { outcome };
  const { unreadable } = looked;
  const isBlind = unreadable !== undefined;
  return {
    outcome,
    note: isBlind ? `the lists cannot be read (${unreadable})` : 'the lists do not show it',
  };
}

/** @throws EvidenceError when an order is not the one that was meant */
function refuseOther(order: Order, meant: Placed, address: Address): void {
  const difference =
    order.clientOid === meant.clientOid
      ? differenceTo(order, meant)
      : `its clientOid is ${order.clientOid}, not ${meant.clientOid ?? ''}`;
  if (difference === undefined) return;
  const hint = 'look for the order of this clientOid, or leave it undone with --abandon';
  throw new EvidenceError(`order ${order.orderId} is not ${address}: ${difference}`, hint);
}

/** Believed only when no copy under way can still be accepted, and no list shows it. */
async function absent(
  { operation, input, address }: Intent,
  signedAt: readonly Millis[],
  { person, exchanges, signal }: Witness,
): Promise<Outcome> {
  const fence = fenceOf(signedAt);
  for (const exchange of exchanges) {
    const left = fence - (await exchange.serverTime(signal));
    if (left < 0) continue;
    const hint = 'wait, look again, then say it';
    throw new EvidenceError(
      `the exchange may accept it for another ${spoken(left + second)}`,
      hint,
    );
  }
  if (operation === 'futures/place-order') {
    const meant = orderIn(input);
    const { orders, unreadable } = await look(meant, signedAt, { exchanges, signal });
    const ours = orders.find((order) => order.clientOid === meant.clientOid);
    if (ours !== undefined) {
      const hint = `say --placed ${ours.orderId} instead`;
      throw new EvidenceError(`${address} is there, as order ${ours.orderId}`, hint);
    }
    if (unreadable !== undefined) {
      const hint = 'look in another way; --placed or --abandon need no list';
      throw new EvidenceError(`the lists cannot be read (${unreadable})`, hint);
    }
  }
  return {
    kind: 'failed',
    code: 'absent',
    message: 'a person says it is not there',
    hint: 'resume the run: it is sent again',
    exit: exits.stopped,
    person,
  };
}

type Placed = Input<'futures/place-order'>;

/** Every order of the line that was made since, of all accounts. */
async function look(
  { productType: category }: Placed,
  signedAt: readonly Millis[],
  { exchanges, signal }: Pick<Witness, 'exchanges' | 'signal'>,
): Promise<{ readonly orders: readonly Order[]; readonly unreadable?: string }> {
  const orders: Order[] = [];
  const search = { category, since: searchFrom(signedAt), signal };
  try {
    for (const exchange of exchanges) {
      await visitOrders(exchange, search, (order) => {
        orders.push(order);
        return 'go on';
      });
    }
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return { orders, unreadable: messageOf(error) };
  }
  return { orders };
}

function orderIn(input: unknown): Placed {
  checkInput('futures/place-order', input);
  return input;
}

function isIntent(entry: Entry): entry is Intent {
  return entry.kind === 'intended';
}
