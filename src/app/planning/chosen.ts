/** The selected steps of a playbook, and the occurrence of its schedule. */
import type { Millis } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import { nearWord } from '../../base/text.ts';
import { EvaluationError } from '../../language/expression/value.ts';
import { momentOf } from '../../language/inputs.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { StalePlanError } from '../../engine/plan/stale.ts';
import { onlySteps, stepsAsIn } from '../../language/only.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { ReuseChoice } from './reuse.ts';
import { slotAt, type Slot } from '../schedule/slot.ts';

export interface Chosen {
  /** The playbook, reduced to the selected steps. */
  readonly playbook: Playbook;
  readonly slot?: Slot;
}

/** The options of a new plan that a person may choose. */
export interface PlanChoice {
  /** Ids of steps; all steps if it is empty. */
  readonly only: readonly string[];
  /** The time of an occurrence of the playbook's schedule: `2026-08-01T09:00:00Z`. */
  readonly scheduledFor?: string;
  /** The step from which on everything is executed, with the results of an earlier run for the others. */
  readonly reuse?: ReuseChoice;
  /** How long the plan is valid: `15m`. */
  readonly expires?: string;
}

/** Applies `--only` and `--scheduled-for` to a playbook. @throws UsageError */
export function chosenSteps(whole: Playbook, { only, scheduledFor: time }: PlanChoice): Chosen {
  const ids = whole.steps.map(({ id }) => id);
  const unknown = only.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    const near = nearWord(unknown, ids);
    throw new UsageError(
      `unknown step ${JSON.stringify(unknown)}`,
      near && `did you mean ${near}?`,
    );
  }
  if (time === undefined) return { playbook: onlySteps(whole, only) };
  const slot = slotAt(whole, momentFrom(time), only);
  return { playbook: onlySteps(whole, slot.only), slot };
}

/** The playbook, reduced to the steps of a plan. @throws StalePlanError when --only cannot select them */
export function chosenAsIn(plan: Plan, whole: Playbook): Playbook {
  const playbook = stepsAsIn(whole, plan);
  const ids = playbook.steps.map(({ id }) => id);
  if (onlySteps(whole, ids).steps.length === ids.length) return playbook;
  throw new StalePlanError(`plan ${plan.id} omits steps that others need`);
}

function momentFrom(text: string): Millis {
  try {
    return momentOf(text).ms;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw new UsageError(`--scheduled-for: ${error.message}`, error.hint);
  }
}
