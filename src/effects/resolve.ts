/** A person's statement on an action in doubt: compared with the exchange, then recorded as an outcome. */
import { second, type Clock, type Millis } from '../base/clock.ts';
import { DeskhandError, exits, messageOf } from '../base/error.ts';
import { isRecord } from '../base/json.ts';
import { spoken } from '../base/text.ts';
import { checkInput } from '../api/check.ts';
import { classOf } from '../api/errors.ts';
import type { Exchange, TimeWatch } from '../api/exchange.ts';
import type { Input } from '../api/operations/index.ts';
import type { Address, Destination, Entry, Outcome, PersonsWord } from '../journal/entry.ts';
import { replay, signingsOf } from '../journal/replay.ts';
import { differenceTo, visitOrders, type Order } from '../plan/orders.ts';
import { abandonedIn } from '../interpreter/outcome.ts';
import { Fence, type Signed } from './fence.ts';
import { searchFrom } from './reconcile.ts';
import { isUnreadable } from './unreadable.ts';

/** The outcome of an action, as a person recorded it. */
export type PersonsFinding =
  | { readonly kind: 'placed'; readonly id: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'abandon' };

/** A write with an unknown outcome. */
export interface InDoubt {
  readonly address: Address;
  readonly because: string;
  /** What this run sent for it, oldest first; empty when the doubt comes from elsewhere. */
  readonly intents: readonly Intent[];
}

type Intent = Extract<Entry, { readonly kind: 'intended' }>;

/** The exchange contradicts the person's statement, or the outcome cannot be known yet. */
export class EvidenceError extends DeskhandError {
  constructor(message: string, hint: string) {
    super(`${message}; it remains in doubt`, {
      code: 'evidence',
      actor: 'operator',
      exit: exits.heldBack,
      hint,
    });
  }
}

/** Actions of a run that a person may settle: in doubt, or abandoned earlier. */
export function doubtsIn(entries: readonly Entry[]): readonly InDoubt[] {
  return [...replay(entries)].flatMap(([address, { outcome, openSince }]) => {
    const intents = entries.filter(isIntent).filter((intent) => intent.address === address);
    if (openSince.length > 0 && outcome === undefined) {
      return [{ address, intents, because: 'the response was not recorded' }];
    }
    // A doubt in a nested playbook is settled there: a statement about the whole step would be
    // ignored.
    if (outcome?.kind === 'doubt' && outcome.at !== undefined) return [];
    const because = outcome?.kind === 'doubt' ? outcome.because : abandonedIn(outcome)?.because;
    return because === undefined ? [] : [{ address, intents, because }];
  });
}

/**
 * Sub-accounts that were refused because their name is used: by an earlier attempt whose response
 * was lost, or by someone else. The response does not distinguish the two, but a person may know.
 */
export function namesTaken(entries: readonly Entry[]): readonly InDoubt[] {
  return [...replay(entries)].flatMap(([address, { outcome }]) => {
    const intents = entries.filter(isIntent).filter((intent) => intent.address === address);
    if (outcome?.kind !== 'refused' || classOf(outcome.code) !== 'exists') return [];
    if (intents.at(-1)?.operation !== 'account/create-sub') return [];
    return [{ address, intents, because: outcome.message }];
  });
}

export interface Witness {
  readonly person: PersonsWord;
  /** The run's accounts: it may have been sent on any of them. */
  readonly exchanges: readonly Exchange[];
  readonly target: Destination['target'];
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * The outcome of a person's statement, and a note for them.
 * @throws EvidenceError when the exchange contradicts it
 */
export async function outcomeBy(
  doubt: InDoubt,
  verdict: PersonsFinding,
  witness: Witness,
): Promise<{ readonly outcome: Outcome; readonly note?: string }> {
  const { person } = witness;
  if (verdict.kind === 'abandon') {
    const because = 'a person abandoned it; it may or may not have happened';
    return { outcome: { kind: 'skipped', because, person } };
  }
  const intent = doubt.intents.at(-1);
  if (intent === undefined) {
    const hint = 'resolve it in the run that sent it, or abandon it with --abandon';
    throw new EvidenceError(`this run sent nothing for ${doubt.address}: ${doubt.because}`, hint);
  }
  const signed = doubt.intents.flatMap(signingsOf);
  if (verdict.kind === 'absent') return absent(intent, signed, witness);
  switch (intent.operation) {
    case 'futures/place-order':
      return placed(intent, verdict.id, signed, witness);
    case 'account/create-sub': {
      const note = isRecord(intent.input) ? intent.input['note'] : undefined;
      const output = { subUid: verdict.id, ...(typeof note === 'string' && { note }) };
      return { outcome: { kind: 'done', output, evidence: 'by-person', person } };
    }
    default: {
      const hint = `resume the run: it does ${intent.operation} again, which is harmless`;
      throw new EvidenceError(`${doubt.address} has no id to name`, hint);
    }
  }
}

async function placed(
  { input, address }: Intent,
  orderId: string,
  signed: readonly Signed[],
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
  const looked = await look(meant, signed, { exchanges, signal });
  const ours = looked.orders.find((order) => order.clientOid === clientOid);
  const named = looked.orders.find((order) => order.orderId === orderId);
  if (named !== undefined) refuseOther(named, meant, address);
  if (ours !== undefined && ours.orderId !== orderId) {
    const hint = `if this is the order, use --placed ${ours.orderId}`;
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

/** @throws EvidenceError when an order is another one */
function refuseOther(order: Order, meant: Placed, address: Address): void {
  const difference =
    order.clientOid === meant.clientOid
      ? differenceTo(order, meant)
      : `its clientOid is ${order.clientOid}, not ${meant.clientOid ?? ''}`;
  if (difference === undefined) return;
  const hint = 'find the order with this clientOid, or abandon it with --abandon';
  throw new EvidenceError(`order ${order.orderId} is not ${address}: ${difference}`, hint);
}

/** Accepted only when no delayed copy can still be accepted, and no list shows it. */
async function absent(
  intent: Intent,
  signed: readonly Signed[],
  witness: Witness,
): Promise<{ readonly outcome: Outcome; readonly note?: string }> {
  const notes: string[] = [];
  for (const exchange of witness.exchanges) {
    const watch = exchange.watchTime();
    try {
      await refuseUnlessAbsent(intent, signed, { ...witness, exchange, watch });
      if (watch.dispute() > 0) notes.push(disputed(watch.dispute()));
    } finally {
      watch.end();
    }
  }
  const outcome: Outcome = {
    kind: 'failed',
    code: 'absent',
    message: 'a person recorded that it does not exist',
    hint: 'resume the run: it is looked up again, then sent again',
    exit: exits.stopped,
    person: witness.person,
  };
  const [note] = notes;
  return { outcome, ...(note !== undefined && { note }) };
}

interface Asked extends Witness {
  readonly exchange: Exchange;
  readonly watch: TimeWatch;
}

/** @throws EvidenceError when it may still be accepted, exists, or cannot be searched */
async function refuseUnlessAbsent(
  { operation, input, address }: Intent,
  signed: readonly Signed[],
  { exchange, watch, clock, target, signal }: Asked,
): Promise<void> {
  const fence = new Fence(signed, { clock, watch, target });
  const meant = operation === 'futures/place-order' ? orderIn(input) : undefined;
  for (;;) {
    const now = await exchange.serverTime(signal);
    const began = clock.monotonic();
    const looked = meant
      ? await look(meant, signed, { exchanges: [exchange], signal })
      : await askTime(exchange, signal);
    // Its responses count, too: one from the future would otherwise end the wait.
    const left = Math.max(fence.at - now, fence.left(began));
    if (left >= 0) {
      const isHere = now > fence.at && fence.at < (watch.earliest(began) ?? 0);
      if (!isHere || !fence.isWallBehind) throw tooEarly(left, watch);
      await clock.sleep(fence.leftHere(clock.monotonic()) + 1, signal);
      continue;
    }
    const ours = looked.orders.find((order) => order.clientOid === meant?.clientOid);
    if (ours !== undefined) {
      const hint = `use --placed ${ours.orderId} instead`;
      throw new EvidenceError(`${address} is there, as order ${ours.orderId}`, hint);
    }
    if (looked.unreadable === undefined) return;
    const hint = 'check in another way; --placed and --abandon need no list';
    throw new EvidenceError(`the lists cannot be read (${looked.unreadable})`, hint);
  }
}

function tooEarly(left: Millis, watch: TimeWatch): EvidenceError {
  const apart = watch.dispute();
  const why = apart > 0 ? `; ${disputed(apart)}` : '';
  return new EvidenceError(
    `the exchange may accept it for another ${spoken(left + second)}${why}`,
    'wait, check again, then record it',
  );
}

function disputed(ms: Millis): string {
  return `the times of two responses differ by ${spoken(ms)}`;
}

interface Looked {
  readonly orders: readonly Order[];
  readonly unreadable?: string;
}

/** For a write that no list shows, only the time is read. */
async function askTime(exchange: Exchange, signal: AbortSignal): Promise<Looked> {
  await exchange.call('market/list-discount-rates', {}, { signal });
  return { orders: [] };
}

type Placed = Input<'futures/place-order'>;

/** Every later order of the product type, on all accounts. */
async function look(
  { productType: category }: Placed,
  signed: readonly Signed[],
  { exchanges, signal }: Pick<Witness, 'exchanges' | 'signal'>,
): Promise<Looked> {
  const orders: Order[] = [];
  try {
    for (const exchange of exchanges) {
      const now = await exchange.serverTime(signal);
      const search = { category, since: searchFrom(signed, now), now, signal };
      await visitOrders(exchange, search, (order) => {
        orders.push(order);
        return 'continue';
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
