/** The steps of a playbook in groups, and the steps for which each waits, in words. */
import { plainText } from '../base/text.ts';
import type { Playbook, Step } from './playbook.ts';
import type { Waiting } from './sequence.ts';

export interface Group {
  /** The key of the group; absent for steps of the playbook itself. */
  readonly name: 'on-failure' | 'finally' | undefined;
  readonly steps: readonly Step[];
}

/** The groups of a playbook: the steps themselves, and those of `on-failure` and `finally`. */
export function groupsOf({ steps, onFailure, finally: last }: Playbook): readonly Group[] {
  const groups: readonly Group[] = [
    { name: undefined, steps },
    { name: 'on-failure', steps: onFailure },
    { name: 'finally', steps: last },
  ];
  return groups.filter((group) => group.steps.length > 0);
}

/** `for each item, after a`; a step that it is shown below is not named again. */
export function stepWords(
  { forEach, condition, needs }: Step,
  waiting: Waiting | undefined,
): string {
  const others = [...needs.slice(0, -1), ...(waiting?.implicit ?? [])];
  const after = needs.length === 0 ? 'after' : 'also after';
  return [
    ...(forEach === undefined ? [] : ['for each item']),
    ...(condition === undefined ? [] : ['if its condition holds']),
    ...(others.length === 0
      ? []
      : [`${after} ${others.map((id) => plainText(id, 60)).join(', ')}`]),
  ].join(', ');
}
