/** Whether the account shows the state that an accepted write set: an accepted value is not a set one. */
import { second, type Millis } from '../../base/clock.ts';
import { exits } from '../../base/error.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import {
  shownState,
  showsOnly,
  stateWords,
  type ShownState,
} from '../../exchange/api/shown-state.ts';
import type { StateFields } from '../../exchange/api/operation.ts';
import type { Outcome } from '../journal/entry.ts';
import { valueSet } from '../journal/states.ts';
import { InterruptedError } from '../interpreter/durable.ts';
import type { WriteJob } from '../interpreter/jobs.ts';
import type { EffectContext } from './effect-context.ts';
import { recordCall } from './record-call.ts';
import { isUnreadable } from './unreadable.ts';

/** The pauses between reads: an exchange shows a setting within seconds, or does not have it. */
const pauses: readonly Millis[] = [0.2, 0.5, 1, 2, 3, 3].map((seconds) => seconds * second);

/** The limits of one read. */
const bounds = { timeoutMs: 5 * second, attempts: 2 };

/**
 * The outcome of a write that was answered, after the account has shown its state. Where the account does not
 * show it, or cannot be read, the answer is believed.
 * @throws InterruptedError when the run is stopped meanwhile: the next process sets the same value again
 */
export async function provedState(
  call: WriteJob['call'],
  outcome: Outcome,
  context: EffectContext,
): Promise<Outcome> {
  const { sets } = operationOf(call.operation);
  const value = valueSet(call.operation, call.input);
  const isAnswered = outcome.kind === 'done' && outcome.evidence === 'answered';
  if (sets === undefined || value === undefined || !isAnswered) return outcome;
  for (const pause of [...pauses, undefined]) {
    const state = await stateNow(call, context);
    if (state === undefined || showsOnly(state, value)) return outcome;
    if (pause === undefined) return notSet(value, state, sets);
    if (context.drain.aborted) throw new InterruptedError();
    await context.clock.sleep(pause, context.drain);
  }
  return outcome;
}

/** The state as the account shows it now; undefined if it does not, or cannot be read. */
export async function stateNow(
  { address, operation, input }: WriteJob['call'],
  context: EffectContext,
): Promise<ShownState | undefined> {
  const options = { signal: context.halt, ...bounds, onEvent: recordCall(address, context) };
  try {
    return await shownState({ operation, input }, context.exchange, options);
  } catch (error) {
    if (context.halt.aborted) throw new InterruptedError();
    if (!isUnreadable(error)) throw error;
    return undefined;
  }
}

function notSet(value: string, state: ShownState, { value: field, unit }: StateFields): Outcome {
  const shown = stateWords(state, unit);
  return {
    kind: 'failed',
    code: 'not-set',
    message: `the exchange accepted ${value}${unit}, and the account still shows ${shown}`,
    hint: `check the ${field} on the exchange, then resume the run: it is set again`,
    exit: exits.stopped,
  };
}
