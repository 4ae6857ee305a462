/** Unused inputs and values of `let`: probably left over, or misspelled in an expression. */
import { expressionsOf, stepsOf } from '../expressions.ts';
import type { Expression, Named, Playbook, Template } from '../playbook.ts';
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
  const locals = new Set(allExpressions(playbook).flatMap((expression) => expression.locals));
  for (const [name, { local, at }] of letsOf(playbook)) {
    if (!locals.has(local))
      problems.add('PB501', at, `the value let.${name} is not used`, { level: 'warning' });
  }
}

function allExpressions(playbook: Playbook): Expression[] {
  const { outputs, guards } = playbook;
  const templates = [
    ...outputs.values(),
    ...(guards.symbols ? [guards.symbols] : []),
    ...defaultsOf(playbook),
    ...letsOf(playbook).map(([, { template }]) => template),
  ];
  return [...templates.flatMap(expressionsIn), ...stepsOf(playbook).flatMap(expressionsOf)];
}

/** The values of `let` of the playbook and of its steps. */
function letsOf(playbook: Playbook): readonly (readonly [string, Named])[] {
  return [playbook, ...stepsOf(playbook)].flatMap((part) => [...part.let]);
}

/** The defaults of inputs, which may use earlier inputs. */
function defaultsOf({ inputs }: Playbook): readonly Template[] {
  return [...inputs.values()].flatMap((input) => (input.default ? [input.default] : []));
}
