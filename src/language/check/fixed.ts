/** Constant values of a playbook: its files and names. */
import { stepsOf } from '../expressions.ts';
import type { Playbook, Step, Template } from '../playbook.ts';
import { isFixed, textOfTemplate } from '../template.ts';

/**
 * Collects constant values from the steps of a playbook and of nested ones, each text once. A playbook
 * that is used repeatedly is visited once.
 * @param own the constant values of a single step, by a label that is part of their identity
 */
export function fixedValues(
  own: (step: Step) => ReadonlyMap<string, Template>,
): (playbook: Playbook) => readonly FixedValue[] {
  const known = new WeakMap<Playbook, readonly FixedValue[]>();
  const valuesOf = (playbook: Playbook): readonly FixedValue[] => {
    const earlier = known.get(playbook);
    if (earlier !== undefined) return earlier;
    const found = new Map<string, FixedValue>();
    for (const step of stepsOf(playbook)) {
      const inner = step.action.kind === 'playbook' ? valuesOf(step.action.playbook) : [];
      const given = [...own(step)].map(([label, value]) => ({ label, value }));
      for (const each of [...inner, ...given]) {
        if (isFixed(each.value)) found.set(`${each.label} ${textOfTemplate(each.value)}`, each);
      }
    }
    known.set(playbook, [...found.values()]);
    return [...found.values()];
  };
  return valuesOf;
}

export interface FixedValue {
  readonly label: string;
  readonly value: Template;
}
