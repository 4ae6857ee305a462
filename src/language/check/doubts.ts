/** Whether the result of a step exists for later expressions. */
import type { Expression, Playbook, Step } from '../playbook.ts';

/** Why a step's outputs may be missing, and how the expression can handle it. */
export interface Doubt {
  readonly because: string;
  readonly remedy?: string;
}

/**
 * The doubt about a step by id; undefined if its outputs are certain.
 * @param of `items`: whether the map of all items has every item
 */
export type DoubtOf = (id: string, of?: 'items') => Doubt | undefined;

interface Reason extends Doubt {
  /** Steps with this condition are skipped together. */
  readonly condition?: Expression;
  /** The step whose failure skips every step that needs it. */
  readonly failing?: string;
  /** Whether only some items of the step may have failed. */
  readonly ofItems?: true;
}

/** @returns the doubts for each reader: a step of the playbook, or its end */
export function doubtsIn(
  { steps }: Playbook,
  { isResumed = false }: { readonly isResumed?: boolean },
): {
  readonly seenFrom: (step: Step) => DoubtOf;
  readonly seenAfterStop: DoubtOf;
} {
  const reasons = new Map<string, readonly Reason[]>();
  for (const step of steps) reasons.set(step.id, reasonsOf(step, reasons));
  return {
    seenFrom: (step) => (id, of) =>
      reasons.get(id)?.find((reason) => {
        if (of === 'items' && (isResumed || reason.ofItems !== true)) return false;
        return !isShared(reason, step);
      }),
    seenAfterStop: (id, of) =>
      reasons.has(id) && of === undefined
        ? { because: `the run may have stopped before ${id} was done` }
        : undefined,
  };
}

function reasonsOf(step: Step, earlier: ReadonlyMap<string, readonly Reason[]>): readonly Reason[] {
  const { id, condition, forEach, onError, needs } = step;
  const reasons: Reason[] = [];
  if (condition !== undefined) {
    const because = `${id} is skipped when its condition is false`;
    reasons.push({ because, remedy: 'give this step the same if', condition });
  }
  if (onError === 'continue') {
    const because = `the run continues if ${id} fails`;
    const needs = `add needs: [${id}]`;
    const remedy = forEach === undefined ? needs : `${needs}, or set on-error: partial in ${id}`;
    reasons.push({ because, remedy, failing: id, ...(forEach && { ofItems: true }) });
  }
  for (const need of needs) {
    const failing = earlier.get(need)?.find((reason) => reason.failing === need)?.failing;
    if (failing === undefined) continue;
    const because = `${id} is skipped when ${need} fails`;
    reasons.push({ because, remedy: `add needs: [${need}]`, failing });
  }
  return reasons;
}

/** Whether the reader is skipped for the same reason. */
function isShared({ condition, failing }: Reason, step: Step): boolean {
  if (failing !== undefined) return step.needs.includes(failing);
  return (
    condition !== undefined && step.condition !== undefined && implies(step.condition, condition)
  );
}

/** Whether a condition equals another one, or includes it. */
function implies(a: Expression, b: Expression): boolean {
  const [whole, part] = [a, b].map(({ text }) => text.replace(/^\{\{|\}\}$/g, '').trim());
  if (b.references.some(({ root }) => root === 'each') || part === undefined) return false;
  // The values of two steps may have the same name.
  if ([a, b].some(({ locals }) => locals.some(({ isOfStep }) => isOfStep))) return false;
  return whole === part || (whole?.startsWith('and ') === true && whole.includes(`(${part})`));
}
