/** Whether what a step leaves behind is there for whatever looks at it later. */
import type { Expression, Playbook, Step } from '../playbook.ts';

/** Why a step's outputs may be missing, and what the one who looks can do about it. */
export interface Doubt {
  readonly because: string;
  readonly remedy?: string;
}

/** Asks about a step by its id; undefined when its outputs are certain. */
export type DoubtOf = (id: string) => Doubt | undefined;

interface Reason extends Doubt {
  /** Steps with this condition are skipped together. */
  readonly condition?: Expression;
  /** A step that needs this one is skipped when it fails. */
  readonly failing?: string;
}

/** @returns the doubts of each place that may look: a step of the playbook, or what comes after all */
export function doubtsIn({ steps }: Playbook): {
  readonly seenFrom: (step: Step) => DoubtOf;
  readonly seenAfterStop: DoubtOf;
} {
  const reasons = new Map<string, readonly Reason[]>();
  for (const step of steps) reasons.set(step.id, reasonsOf(step, reasons));
  return {
    seenFrom: (step) => (id) => reasons.get(id)?.find((reason) => !isShared(reason, step)),
    seenAfterStop: (id) =>
      reasons.has(id) ? { because: `the run may have stopped before ${id} was done` } : undefined,
  };
}

function reasonsOf(step: Step, earlier: ReadonlyMap<string, readonly Reason[]>): readonly Reason[] {
  const { id, condition, onError, needs } = step;
  const reasons: Reason[] = [];
  if (condition !== undefined) {
    const because = `${id} is skipped when its condition is false`;
    reasons.push({ because, remedy: 'give this step the same if', condition });
  }
  if (onError === 'continue') {
    const because = `the run continues if ${id} fails`;
    reasons.push({ because, remedy: `add needs: [${id}]`, failing: id });
  }
  for (const need of needs) {
    const failing = earlier.get(need)?.find((reason) => reason.failing === need)?.failing;
    if (failing === undefined) continue;
    const because = `${id} is skipped when ${need} fails`;
    reasons.push({ because, remedy: `add needs: [${need}]`, failing });
  }
  return reasons;
}

/** Whether the one who looks is skipped for the same reason. */
function isShared({ condition, failing }: Reason, step: Step): boolean {
  if (failing !== undefined) return step.needs.includes(failing);
  return (
    condition !== undefined && step.condition !== undefined && implies(step.condition, condition)
  );
}

/** Whether a condition is another one, or that one and more. */
function implies(a: Expression, b: Expression): boolean {
  const [whole, part] = [a, b].map(({ text }) => text.replace(/^\{\{|\}\}$/g, '').trim());
  if (b.references.some(({ root }) => root === 'each') || part === undefined) return false;
  return whole === part || (whole?.startsWith('and ') === true && whole.includes(`(${part})`));
}
