/** Runs the playbook a step uses, and makes one outcome of how it ended. */
import type { Outcome } from '../journal/entry.ts';
import { provenAt } from '../journal/replay.ts';
import type { Item } from '../plan/items.ts';
import { nestedIn } from '../plan/nested.ts';
import type { Playbook, Step } from '../playbook/playbook.ts';
import { InterruptedError, type Bench } from './bench.ts';
import type { Failure, Walked } from './outcome.ts';
import { outputsOf } from './outputs.ts';

/** The failure, when there is one, names the step within. */
export async function runNested(
  used: Playbook,
  step: Step,
  item: Item,
  bench: Bench,
): Promise<{ readonly outcome: Outcome; readonly failure?: Failure }> {
  const before = provenAt(bench.before, item.address).outcome;
  if (before?.kind === 'done') return { outcome: before };
  const { playbook, scope, guards } = nestedIn(used, step, item, bench.guards);
  const inner = { ...bench, guards };
  const walked = await bench.walk(playbook, scope, inner);
  if (walked.isInterrupted) throw new InterruptedError();
  const { failure } = walked;
  const outcome = failure === undefined ? endOf(playbook, walked) : outcomeOf(failure);
  await bench.recorder.record({ kind: 'settled', address: item.address, outcome });
  return { outcome, ...(failure && { failure }) };
}

function endOf(playbook: Playbook, { abandoned, scope }: Walked): Outcome {
  return abandoned === undefined
    ? { kind: 'done', output: outputsOf(playbook, scope), evidence: 'answered' }
    : { kind: 'skipped', ...abandoned };
}

function outcomeOf({ status, code, message, exit, address }: Failure): Outcome {
  const told = `${address}: ${message}`;
  return status === 'doubt'
    ? { kind: 'doubt', because: told }
    : { kind: status === 'refused' ? 'refused' : 'failed', code, message: told, exit };
}
