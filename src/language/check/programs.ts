/** Programs of steps: allowed by the profile of the run, and existing if named by a path. */
import { isList } from '../expression/value.ts';
import { stepsOf } from '../expressions.ts';
import type { AccountRules } from '../limits.ts';
import type { Playbook, Step } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { constantIn } from './constant.ts';

/**
 * Checks that the profile allows the steps' programs. A step with a condition may need none: the plan
 * checks it.
 * @param profile the profile of the run; a step's own account does not matter for programs
 */
export function checkPrograms(
  playbook: Playbook,
  profile: string,
  rules: AccountRules,
  problems: Problems,
): void {
  let mayBeMade = false; // whether an earlier program may create it
  const check = (step: Step): void => {
    if (step.action.kind === 'playbook') {
      for (const inner of stepsOf(step.action.playbook)) check(inner);
      return;
    }
    if (step.uses !== 'shell/run') return;
    const command = step.with.get('command');
    const name = nameIn(step);
    const fault = name === undefined ? undefined : rules.program(profile, name);
    const isLeft = step.condition !== undefined || (mayBeMade && fault?.kind !== 'refused');
    mayBeMade = true;
    if (fault === undefined || isLeft) return;
    const { kind, message, hint } = fault;
    problems.add('PB423', command?.at ?? step.usesAt, `${step.id}: ${message}`, {
      ...(hint !== undefined && { hint }),
      ...(kind === 'elsewhere' && { level: 'warning' }),
    });
  };
  for (const step of stepsOf(playbook)) check(step);
}

/** The first word of a command, if it is constant. */
function nameIn(step: Step): string | undefined {
  const command = step.with.get('command');
  if (command === undefined) return undefined;
  const first = command.kind === 'list' ? command.items[0] : command;
  const value = first && constantIn(first);
  const name = value !== undefined && isList(value) ? value[0] : value;
  return typeof name === 'string' ? name : undefined;
}
