/** A read, repeated while `until` is false. */
import type { Millis } from '../base/clock.ts';
import { exits, InternalError } from '../base/error.ts';
import { readAll } from '../contract/reading.ts';
import type { Outcome } from '../journal/entry.ts';
import type { Item } from '../plan/items.ts';
import { wireInput } from '../playbook/expression/evaluate.ts';
import { isTrue } from '../playbook/expression/known.ts';
import type { Step } from '../playbook/playbook.ts';
import { InterruptedError } from '../run/durable.ts';
import { limitsOf } from '../run/jobs.ts';
import type { Bench } from './bench.ts';
import { tell } from './tell.ts';

const defaultPollMs: Millis = 1_000;

/** @throws RefusedError, UnavailableError, AnswerError: nothing is kept of a read that failed */
export async function readOnce(step: Step, item: Item, bench: Bench): Promise<Outcome> {
  const { action, until, poll } = step;
  const { address } = item;
  if (action.kind !== 'call') throw new InternalError(`${step.path} reads nothing`);
  const { operation } = action;
  const { input } = wireInput(operation, step.with, item.scope);
  const giveUpAt = bench.clock.monotonic() + (poll?.forMs ?? 0);
  for (;;) {
    if (bench.drain.aborted) throw new InterruptedError();
    const now = await bench.exchange.serverTime(bench.halt);
    const options = { signal: bench.halt, ...limitsOf(step), onEvent: tell(address, bench) };
    const reading = { exchange: bench.exchange, options, now };
    const { answer: response } = await readAll(operation, input, reading);
    if (until === undefined || isTrue(until, { ...item.scope, response })) {
      return { kind: 'done', output: response, evidence: 'answered' };
    }
    const ms = poll?.everyMs ?? defaultPollMs;
    if (bench.clock.monotonic() + ms > giveUpAt) return pollEnded(address, poll?.forMs ?? 0);
    await bench.record({ kind: 'waited', address, operation, why: 'poll', ms });
    await bench.clock.sleep(ms, bench.drain);
  }
}

function pollEnded(address: string, forMs: Millis): Outcome {
  return {
    kind: 'failed',
    code: 'poll-ended',
    message: `${address}: until was still false after ${forMs / 1000} s`,
    hint: 'look at the last answer with «deskhand runs show», or poll for longer',
    exit: exits.stopped,
  };
}
