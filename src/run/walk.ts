/** Walks a playbook step by step, whether it is the run's own or one that a step uses. */
import type { Scope } from '../playbook/expression/value.ts';
import type { Playbook, Step } from '../playbook/playbook.ts';
import type { Bench } from './bench.ts';
import type { Failure, StepResult, Walked } from './outcome.ts';
import { withFailure, withStep } from './scope.ts';
import { runStep } from './step.ts';

/**
 * Does the steps of a playbook in their order, then what it does at the end.
 * @param only these steps; all when absent
 */
export async function walk(
  playbook: Playbook,
  start: Scope,
  bench: Bench,
  only?: readonly string[],
): Promise<Walked> {
  let scope = start;
  let failure: Failure | undefined;
  let isInterrupted = false;
  const ended = new Map<string, StepResult>();
  for (const step of playbook.steps) {
    const reason = reasonToSkip(step, ended, only);
    const result = reason ? await skip(step, reason, bench) : await runStep(step, scope, bench);
    ended.set(step.id, result);
    scope = withStep(scope, step.id, result);
    isInterrupted ||= result.status === 'interrupted';
    if (isInterrupted) break;
    failure ??= result.failure;
    if (result.failure && (step.onError === 'stop' || result.status === 'doubt')) break;
  }
  if (isInterrupted || bench.drain.aborted) {
    return { scope, isInterrupted, ...(failure && { failure }) };
  }
  if (failure) await runAside(playbook.onFailure, withFailure(scope, failure), bench);
  const last = await runAside(playbook.finally, scope, bench);
  failure ??= last;
  return { scope, isInterrupted, ...(failure && { failure }) };
}

/** Steps of `on-failure` and `finally`: each is tried, whatever happened to the one before. */
async function runAside(
  steps: readonly Step[],
  scope: Scope,
  bench: Bench,
): Promise<Failure | undefined> {
  let failure: Failure | undefined;
  for (const step of steps) failure ??= (await runStep(step, scope, bench)).failure;
  return failure;
}

function reasonToSkip(
  step: Step,
  ended: ReadonlyMap<string, StepResult>,
  only: readonly string[] | undefined,
): string | undefined {
  if (only !== undefined && !only.includes(step.id)) return 'not selected';
  const missing = step.needs.find((id) => ended.get(id)?.failure !== undefined);
  return missing === undefined ? undefined : `it needs ${missing}, which failed`;
}

async function skip(step: Step, because: string, bench: Bench): Promise<StepResult> {
  await bench.recorder.record({ kind: 'closed', step: step.path, status: 'skipped', because });
  return { status: 'skipped', because, items: [] };
}
