/** What keeps a write from being sent: the guards, and the terms of the exchange where it tells them. */
import { exits } from '../base/error.ts';
import type { Outcome } from '../journal/entry.ts';
import { lineOf } from '../plan/observe.ts';
import { misfitsOf } from '../plan/terms.ts';
import type { WriteJob } from '../run/jobs.ts';
import type { Bench } from './bench.ts';

/** What becomes of a write that breaks a guard. */
export function heldBack(because: string): Outcome {
  return {
    kind: 'failed',
    code: 'guard',
    message: `held back by a guard: ${because}`,
    hint: 'change the playbook, or have the guard changed by whoever owns it',
    exit: exits.heldBack,
  };
}

/** What becomes of an order that would carry the clientOid of another. */
export function takenName(other: string): Outcome {
  return {
    kind: 'failed',
    code: 'clientoid-taken',
    message: `not sent: its clientOid is that of ${other}, too`,
    hint: 'give each order a clientOid of its own, or leave it out',
    exit: exits.stopped,
  };
}

/** An order the exchange would refuse: its values may have been known only after a step. */
export async function unfitness(
  call: WriteJob['call'],
  bench: Bench,
): Promise<Outcome | undefined> {
  const line = lineOf(call.input['productType']);
  if (call.operation !== 'futures/place-order' || line === undefined) return undefined;
  const terms = await bench.terms?.(line);
  const misfits = terms === undefined ? [] : misfitsOf(call.input, terms);
  if (misfits.length === 0) return undefined;
  return {
    kind: 'failed',
    code: 'unfit',
    message: `not sent: ${misfits.map(({ message }) => message).join('; ')}`,
    hint: misfits[0]?.hint ?? 'look at what the value was made from',
    exit: exits.stopped,
  };
}
