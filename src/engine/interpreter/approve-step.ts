/** `approve`: asks people about the effects that follow, and binds these to the answer. */
import { exits } from '../../base/error.ts';
import { approvalsBefore, letGoBy } from '../../language/approvals.ts';
import { approvalSpan } from '../../language/check/approve-fields.ts';
import { scalarText } from '../../language/expression/scalar-text.ts';
import { knownValue } from '../../language/expression/known.ts';
import {
  EvaluationError,
  isList,
  type Scope,
  type Value,
} from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import type { Question } from '../journal/asked-schema.ts';
import { hasEffect } from '../plan/effect.ts';
import type { Item } from '../plan/items.ts';
import { keyOf, type InterpreterContext } from './interpreter-context.ts';
import type { TaskEnd } from './durable.ts';
import { differenceFrom, effectsOf, letGoAfter, reusedIn } from './let-go.ts';
import type { Failure, StepResult } from './outcome.ts';
import { ended, type Routine } from './routine.ts';

/** Waits for the answer of people. What they are asked is the same however often the run is resumed. */
export function* approval(step: Step, item: Item, context: InterpreterContext): Routine<TaskEnd> {
  const { durable, naming } = context;
  const { address } = item;
  const question = questionOf(step, item, context);
  const account = naming.destination.profile;
  const end = yield* ended(
    durable.start(keyOf(address, context), 'approve', { account, address, question }),
  );
  if (end.kind === 'done') context.approved.set(step.path, question.effects);
  return end;
}

function questionOf(step: Step, item: Item, context: InterpreterContext): Question {
  const text = scalarText(valueOf(step, item.scope, 'text') ?? '');
  if (text === undefined || text === '') {
    throw new EvaluationError(`${step.path}: text must be a text that is not empty`);
  }
  const by = valueOf(step, item.scope, 'by');
  const count = valueOf(step, item.scope, 'count');
  return {
    text,
    lasts: approvalSpan(valueOf(step, item.scope, 'for') ?? null),
    ...(by !== undefined && peopleIn(by, step)),
    ...(count !== undefined && { count: countIn(count, step) }),
    effects: [...letGoAfter(step, item.scope, context)],
  };
}

function valueOf(step: Step, scope: Scope, field: string): Value | undefined {
  const template = step.with.get(field);
  return template && knownValue(template, scope, field);
}

function peopleIn(value: Value, { path }: Step): Pick<Question, 'by' | 'of'> {
  if (value === 'other' || value === 'anyone') return { by: value };
  const names = isList(value) ? value.map((name) => scalarText(name) ?? '') : [];
  if (names.length > 0 && names.every((name) => name !== '')) return { of: names };
  throw new EvaluationError(`${path}: by must be other, anyone, or a list of people`);
}

function countIn(value: Value, { path }: Step): number {
  const count = Number(scalarText(value) ?? '');
  if (Number.isInteger(count) && count >= 1 && count <= 20) return count;
  throw new EvaluationError(`${path}: count must be a whole number from 1 to 20`);
}

/** The code of a step whose effects differ from those that were approved. */
export const otherThanApproved = 'other-than-approved';

/** The failure of a step that would do something else than people approved; nothing of it is sent. */
export function unlikeApproved(
  step: Step,
  scope: Scope,
  context: InterpreterContext,
): Failure | undefined {
  if (context.approved.size === 0) return undefined; // the usual case
  const { playbook, approved } = context;
  for (const each of playbook.steps) {
    const effects = approved.get(each.path);
    if (effects === undefined || !letGoBy(each.id, playbook).some(({ id }) => id === step.id))
      continue;
    const difference = differenceFrom(effects, effectsOf(step, scope, context), step);
    if (difference === undefined) continue;
    return {
      step: step.path,
      address: step.path,
      status: 'failed',
      code: otherThanApproved,
      message: `it differs from what was approved at ${each.path}: ${difference}; nothing of it was sent`,
      hint: 'start a new run, and have it approved again',
      exit: exits.heldBack,
    };
  }
  return undefined;
}

/**
 * The approval without which a step does not start, whatever `on-error` says; one that its own condition
 * skipped is not needed, and one of an earlier run does not count.
 */
export function missingApproval(
  step: Step,
  ended: ReadonlyMap<string, StepResult>,
  context: Pick<InterpreterContext, 'playbook' | 'reused' | 'within'>,
): string | undefined {
  const reused = reusedIn(context);
  for (const id of approvalsBefore(context.playbook).get(step.id) ?? []) {
    if (reused.get(id)?.status === 'done' && hasEffect(step)) return id;
    const result = ended.get(id);
    const isSkipped = result?.status === 'skipped' && result.missing === undefined;
    if (result?.status !== 'done' && !isSkipped) return id;
  }
  return undefined;
}
