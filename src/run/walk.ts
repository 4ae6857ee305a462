/** Walks a playbook step by step, whether it is the run's own or one that a step uses. */
import type { Scope } from '../playbook/expression/value.ts';
import { awaitedBy } from '../playbook/expressions.ts';
import type { Step } from '../playbook/playbook.ts';
import type { Desk } from './desk.ts';
import { gravest, type Abandoned, type Failure, type StepResult, type Walked } from './outcome.ts';
import { sideBySide, type Routine } from './routine.ts';
import { withFailure, withStep } from './scope.ts';
import { runStep } from './step.ts';

/**
 * Does the steps of a playbook, then what it does at the end. A step that names its needs waits
 * for them and for the steps it reads; any other for all before it.
 */
export function* walk(start: Scope, desk: Desk): Routine<Walked> {
  const { playbook } = desk;
  let scope = start;
  let failure: Failure | undefined;
  let abandoned: Abandoned | undefined;
  let isInterrupted = false;
  let isStopped = false;
  const ended = new Map<string, StepResult>();
  const left = [...playbook.steps];
  const awaited = new Map(left.map((step) => [step.id, [...awaitedBy(step)]]));
  const begin = function* begin(step: Step): Routine<void> {
    const reason = reasonToSkip(step, ended);
    const result = reason ? skip(step, reason, desk) : yield* runStep(step, scope, desk);
    ended.set(step.id, result);
    scope = withStep(scope, step.id, result);
    failure = gravest([failure, result.failure].filter(isThere));
    abandoned ??= result.abandoned;
    isInterrupted ||= result.status === 'interrupted';
    isStopped ||= isInterrupted || stops(step, result);
  };
  const isReady = (step: Step, running: number): boolean =>
    step.needs.length > 0
      ? awaited.get(step.id)?.every((id) => ended.has(id)) === true
      : step === left[0] && running === 0;
  yield* sideBySide((running) => {
    if (isStopped || running >= playbook.parallel) return undefined;
    const place = left.findIndex((step) => isReady(step, running));
    const [step] = place === -1 ? [] : left.splice(place, 1);
    return step && begin(step);
  });
  if (isInterrupted || desk.drain.aborted) {
    return { scope, isInterrupted: true, ...(failure && { failure }) };
  }
  const asides = [
    ...(failure ? yield* runAside(playbook.onFailure, withFailure(scope, failure), desk) : []),
    ...(yield* runAside(playbook.finally, scope, desk)),
  ];
  failure = gravest([failure, ...asides.map((aside) => aside.failure)].filter(isThere));
  isInterrupted = failure === undefined && asides.some(({ status }) => status === 'interrupted');
  return { scope, isInterrupted, ...(failure && { failure }), ...(abandoned && { abandoned }) };
}

function isThere(failure: Failure | undefined): failure is Failure {
  return failure !== undefined;
}

function stops(step: Step, { failure, status }: StepResult): boolean {
  return failure !== undefined && (step.onError === 'stop' || status === 'doubt');
}

/** Steps of `on-failure` and `finally`: each is tried, whatever happened to the one before. */
function* runAside(steps: readonly Step[], scope: Scope, desk: Desk): Routine<StepResult[]> {
  const results: StepResult[] = [];
  for (const step of steps) results.push(yield* runStep(step, scope, desk));
  return results;
}

/** The first step it needs that was not done; of one it merely reads, only a person's word counts. */
function reasonToSkip(step: Step, ended: ReadonlyMap<string, StepResult>): Reason | undefined {
  for (const missing of awaitedBy(step)) {
    const { failure, abandoned, missing: before } = ended.get(missing) ?? {};
    const because = (why: string): string => `it needs ${missing}, which ${why}`;
    if (abandoned) return { missing, because: because('a person left undone'), abandoned };
    if (!step.needs.includes(missing)) continue;
    if (failure !== undefined) return { missing, because: because('failed') };
    if (before !== undefined) return { missing, because: because('was left out') };
  }
  return undefined;
}

type Reason = Pick<StepResult, 'abandoned'> & {
  readonly missing: string;
  readonly because: string;
};

function skip(step: Step, reason: Reason, desk: Desk): StepResult {
  const { because, missing } = reason;
  desk.durable.tell({ kind: 'closed', step: step.path, status: 'skipped', because, missing });
  return { status: 'skipped', items: [], ...reason };
}
