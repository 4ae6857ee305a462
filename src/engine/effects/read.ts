/** A read, repeated while `until` is false; a read frozen by the plan is not repeated. */
import type { Millis } from '../../base/clock.ts';
import { exits, InternalError } from '../../base/error.ts';
import { readAll } from '../../exchange/api/reading.ts';
import type { Outcome } from '../journal/entry.ts';
import type { Item } from '../plan/items.ts';
import { wireInput } from '../../language/expression/evaluate.ts';
import { isTrue } from '../../language/expression/known.ts';
import type { Step } from '../../language/playbook.ts';
import { InterruptedError } from '../interpreter/durable.ts';
import { limitsOf } from '../interpreter/jobs.ts';
import type { EffectContext } from './effect-context.ts';
import { recordCall } from './record-call.ts';

const defaultPollMs: Millis = 1_000;

/** @throws RefusedError, UnavailableError, AnswerError: a failed read is not recorded */
export async function readOnce(step: Step, item: Item, context: EffectContext): Promise<Outcome> {
  const { action, until, poll } = step;
  const { address } = item;
  if (action.kind !== 'call') throw new InternalError(`${step.path} reads nothing`);
  const { operation } = action;
  const frozen = context.frozen.get(address);
  if (frozen !== undefined) return { kind: 'done', output: frozen, evidence: 'from-plan' };
  const { input } = wireInput(operation, step.with, item.scope);
  const giveUpAt = context.clock.monotonic() + (poll?.forMs ?? 0);
  for (;;) {
    if (context.drain.aborted) throw new InterruptedError();
    const now = await context.exchange.serverTime(context.halt);
    const options = {
      signal: context.halt,
      onEvent: recordCall(address, context),
      ...limitsOf(step),
    };
    const reading = { exchange: context.exchange, options, now };
    const { answer: response } = await readAll(operation, input, reading);
    if (until === undefined || isTrue(until, { ...item.scope, response })) {
      return { kind: 'done', output: response, evidence: 'answered' };
    }
    const ms = poll?.everyMs ?? defaultPollMs;
    if (context.clock.monotonic() + ms > giveUpAt) return pollEnded(address, poll?.forMs ?? 0);
    await context.record({ kind: 'waited', address, operation, why: 'poll', ms });
    await context.clock.sleep(ms, context.drain);
  }
}

function pollEnded(address: string, forMs: Millis): Outcome {
  return {
    kind: 'failed',
    code: 'poll-ended',
    message: `${address}: the condition in until was still false after ${forMs / 1000} s`,
    hint: 'check the last response with `deskhand runs show last`, or poll for longer',
    exit: exits.stopped,
  };
}
