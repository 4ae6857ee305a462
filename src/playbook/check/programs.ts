/** Programs of steps: allowed by the profile of the run, and there where a path names them. */
import { isList } from '../expression/value.ts';
import { stepsOf } from '../expressions.ts';
import type { AccountRules } from '../limits.ts';
import type { Playbook, Step } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { constantIn } from './constant.ts';

/**
 * A step with a condition may need nothing: that is left to the plan.
 * @param profile the one the run is on; a step's own account decides nothing about programs
 */
export function checkPrograms(
  playbook: Playbook,
  profile: string,
  rules: AccountRules,
  problems: Problems,
): void {
  let mayBeMade = false; // by a program before it
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

/** The first word of a command, where it is the same whatever is given to the run. */
function nameIn(step: Step): string | undefined {
  const command = step.with.get('command');
  if (command === undefined) return undefined;
  const first = command.kind === 'list' ? command.items[0] : command;
  const value = first && constantIn(first);
  const name = value !== undefined && isList(value) ? value[0] : value;
  return typeof name === 'string' ? name : undefined;
}
