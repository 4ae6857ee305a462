/** Which part of a playbook was asked for, and for which time of its schedules. */
import type { Millis } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import { nearWord } from '../../base/text.ts';
import { EvaluationError } from '../../playbook/expression/value.ts';
import { momentOf } from '../../playbook/inputs.ts';
import { onlySteps } from '../../playbook/only.ts';
import type { Playbook } from '../../playbook/playbook.ts';
import { slotAt, type Slot } from '../../schedule/slot.ts';
import type { Given } from '../context.ts';

export interface Chosen {
  /** With the steps that were asked for. */
  readonly playbook: Playbook;
  readonly slot?: Slot;
}

/** What `--only` and `--scheduled-for` make of a playbook. @throws UsageError */
export function chosenSteps(whole: Playbook, given: Given): Chosen {
  const only = given.texts('only');
  const ids = whole.steps.map(({ id }) => id);
  const unknown = only.find((id) => !ids.includes(id));
  if (unknown !== undefined) {
    const near = nearWord(unknown, ids);
    throw new UsageError(
      `there is no step ${JSON.stringify(unknown)}`,
      near && `did you mean ${near}?`,
    );
  }
  const time = given.text('scheduled-for');
  if (time === undefined) return { playbook: onlySteps(whole, only) };
  const slot = slotAt(whole, momentGiven(time), only);
  return { playbook: onlySteps(whole, slot.only), slot };
}

function momentGiven(text: string): Millis {
  try {
    return momentOf(text).ms;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    throw new UsageError(`--scheduled-for: ${error.message}`, error.hint);
  }
}
