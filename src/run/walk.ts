/** Walks a playbook step by step, whether it is the run's own or one that a step uses. */
import type { Scope } from '../playbook/expression/value.ts';
import { awaitedBy } from '../playbook/expressions.ts';
import type { Playbook, Step } from '../playbook/playbook.ts';
import type { Bench } from './bench.ts';
import { gravest, type Abandoned, type Failure, type StepResult, type Walked } from './outcome.ts';
import { withFailure, withStep } from './scope.ts';
import { runStep } from './step.ts';

/**
 * Does the steps of a playbook, then what it does at the end. A step that names its needs waits
 * for them and for the steps it reads; any other for all before it.
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
  let abandoned: Abandoned | undefined;
  let isInterrupted = false;
  let isStopped = false;
  const ended = new Map<string, StepResult>();
  const left = [...playbook.steps];
  const awaited = new Map(left.map((step) => [step.id, [...awaitedBy(step)]]));
  const running = new Map<string, Promise<void>>();
  const begin = async (step: Step): Promise<void> => {
    const reason = reasonToSkip(step, ended, only);
    const result = reason ? await skip(step, reason, bench) : await runStep(step, scope, bench);
    running.delete(step.id);
    ended.set(step.id, result);
    scope = withStep(scope, step.id, result);
    failure = gravest([failure, result.failure].filter((one) => one !== undefined));
    abandoned ??= result.abandoned;
    isInterrupted ||= result.status === 'interrupted';
    isStopped ||= isInterrupted || stops(step, result);
  };
  const isReady = (step: Step): boolean =>
    step.needs.length > 0
      ? awaited.get(step.id)?.every((id) => ended.has(id)) === true
      : step === left[0] && running.size === 0;
  for (;;) {
    while (!isStopped && running.size < playbook.parallel) {
      const step = left.find(isReady);
      if (step === undefined) break;
      left.splice(left.indexOf(step), 1);
      running.set(step.id, begin(step));
    }
    if (running.size === 0) break;
    await oneOf(running.values());
  }
  if (isInterrupted || bench.drain.aborted) {
    return { scope, isInterrupted, ...(failure && { failure }) };
  }
  if (failure) await runAside(playbook.onFailure, withFailure(scope, failure), bench);
  const last = await runAside(playbook.finally, scope, bench);
  failure ??= last;
  return { scope, isInterrupted, ...(failure && { failure }), ...(abandoned && { abandoned }) };
}

function stops(step: Step, { failure, status }: StepResult): boolean {
  return failure !== undefined && (step.onError === 'stop' || status === 'doubt');
}

/** Waits for one; when it throws, for all: nothing goes on behind an error's back. */
async function oneOf(running: Iterable<Promise<void>>): Promise<void> {
  const all = [...running];
  try {
    await Promise.race(all);
  } catch (error) {
    await Promise.allSettled(all);
    throw error;
  }
}

/** Steps of `on-failure` and `finally`: each is tried, whatever happened to the one before. */
async function runAside(
  steps: readonly Step[],
  scope: Scope,
  bench: Bench,
): Promise<Failure | undefined> {
  let failure: Failure | undefined;
  for (const step of steps) {
    const result = await runStep(step, scope, bench);
    failure ??= result.failure;
  }
  return failure;
}

function reasonToSkip(
  step: Step,
  ended: ReadonlyMap<string, StepResult>,
  only: readonly string[] | undefined,
): Reason | undefined {
  if (only !== undefined && !only.includes(step.id)) return { because: 'not selected' };
  for (const id of step.needs) {
    const need = ended.get(id);
    if (need?.failure !== undefined) {
      return { because: `it needs ${id}, which failed`, isLeftOut: true };
    }
    if (need?.isLeftOut) return { because: `it needs ${id}, which was left out`, isLeftOut: true };
  }
  for (const id of awaitedBy(step)) {
    const abandoned = ended.get(id)?.abandoned;
    if (abandoned) return { because: `it needs ${id}, which a person left undone`, abandoned };
  }
  return undefined;
}

type Reason = Pick<StepResult, 'abandoned' | 'isLeftOut'> & { readonly because: string };

async function skip(step: Step, reason: Reason, bench: Bench): Promise<StepResult> {
  const { because } = reason;
  await bench.recorder.record({ kind: 'closed', step: step.path, status: 'skipped', because });
  return { status: 'skipped', items: [], ...reason };
}
