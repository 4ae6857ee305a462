/** Reasons why an order is not sent: another order with its clientOid, and trading rules. */
import { exits } from '../../base/error.ts';
import { meantOrder, placesOrders } from '../../exchange/api/meant-order.ts';
import { futuresLine } from '../../exchange/api/terms.ts';
import type { Destination, Outcome } from '../journal/entry.ts';
import type { Unproved } from '../journal/ledger.ts';
import { UnprovedAccountError } from '../journal/standing.ts';
import { decidedWords } from '../plan/decided.ts';
import { misfitsOf } from '../plan/terms.ts';
import type { WriteJob } from '../interpreter/jobs.ts';
import type { EffectContext } from './effect-context.ts';

/** The outcome of a write that another key may already have done on this account. */
export function ofAnotherKey(unproved: readonly Unproved[], destination: Destination): Outcome {
  const { message, hint } = new UnprovedAccountError(unproved, destination);
  return { kind: 'failed', code: 'account', message, hint: hint ?? '', exit: exits.heldBack };
}

/** The outcome of an order with the clientOid of another. */
export function takenName(other: string): Outcome {
  return {
    kind: 'failed',
    code: 'clientoid-taken',
    message: `not sent: it has the same clientOid as ${other}`,
    hint: 'give each order its own clientOid, or leave it out',
    exit: exits.stopped,
  };
}

/** The outcome of a write that the run continued without. */
export const notSentAgain: Outcome = {
  kind: 'failed',
  code: 'decided',
  message: `not sent: ${decidedWords}`,
  hint: 'start a new run for the rest',
  exit: exits.stopped,
};

/**
 * The failure of an order that the exchange would refuse: its values may have been known only after a
 * step.
 */
export async function unfitness(
  call: WriteJob['call'],
  context: EffectContext,
): Promise<Outcome | undefined> {
  if (!placesOrders(call.operation)) return undefined;
  const order = meantOrder(call.operation, call.input, context.destination.family);
  const traded = futuresLine(order.line);
  const terms = traded && (await context.terms?.(traded));
  const misfits = terms === undefined ? [] : misfitsOf(order, terms);
  if (misfits.length === 0) return undefined;
  return {
    kind: 'failed',
    code: 'unfit',
    message: `not sent: ${misfits.map(({ message }) => message).join('; ')}`,
    hint: misfits[0]?.hint ?? 'check the source of the value',
    exit: exits.stopped,
  };
}
