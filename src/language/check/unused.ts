/** Unused inputs: probably left over, or misspelled in an expression. */
import { expressionsOf, stepsOf } from '../expressions.ts';
import type { Expression, Playbook } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { expressionsIn } from '../template.ts';

export function warnOfUnused(playbook: Playbook, problems: Problems): void {
  const used = new Set<string>();
  for (const expression of allExpressions(playbook)) {
    for (const { root, path } of expression.references)
      if (root === 'inputs') used.add(path[0] ?? '');
  }
  for (const [name, { at }] of playbook.inputs) {
    if (!used.has(name))
      problems.add('PB501', at, `the input ${name} is not used`, { level: 'warning' });
  }
}

function allExpressions(playbook: Playbook): Expression[] {
  const { outputs, guards } = playbook;
  const templates = [...outputs.values(), ...(guards.symbols ? [guards.symbols] : [])];
  return [...templates.flatMap(expressionsIn), ...stepsOf(playbook).flatMap(expressionsOf)];
}
