/** Steps that are done on this machine, as a plan shows them: never with their secrets. */
import { messageOf } from '../base/error.ts';
import { evaluateTemplate } from '../playbook/expression/evaluate.ts';
import { isList, toJson, type Scope } from '../playbook/expression/value.ts';
import type { Step } from '../playbook/playbook.ts';
import { sourcesOf } from '../playbook/tables.ts';
import type { PlanningBench } from './bench.ts';
import type { Item } from './items.ts';
import type { PlannedAction } from './plan.ts';
import { checkAllowed } from './programs.ts';

const holdsSecrets: ReadonlySet<string> = new Set(['url', 'sign-with', 'env']);

/** @throws ConfigError when the program that would be run is not allowed */
export function checkProgram(step: Step, item: Item, bench: PlanningBench): void {
  if (step.uses !== 'shell/run') return;
  const template = step.with.get('command');
  const found = template && evaluateTemplate(template, item.scope);
  const [name] = found?.known && isList(found.value) ? found.value : [];
  if (typeof name !== 'string') return; // known later: asked again before it is run
  checkAllowed(name, bench.programs, bench.naming.destination.profile);
}

/** What a local step would do, without its secrets. */
export function localInput(step: Step, scope: Scope): PlannedAction['input'] {
  if (step.uses.startsWith('report/')) return madeOf(step, scope);
  return Object.fromEntries(
    [...step.with]
      .filter(([name]) => !holdsSecrets.has(name))
      .map(([name, template]) => {
        try {
          const found = evaluateTemplate(template, scope);
          return [name, found.known ? toJson(found.value) : { 'known-after': found.after }];
        } catch (error) {
          return [name, { 'known-later': messageOf(error) }];
        }
      }),
  );
}

/** Whose rows a table or a chart is made of, and what it writes; the rest is known later. */
function madeOf(step: Step, scope: Scope): PlannedAction['input'] {
  const from = sourcesOf(step).map((source) => source.step);
  const file = step.with.get('file');
  const found = file && evaluateTemplate(file, scope);
  return {
    ...(from.length > 0 && { from }),
    ...(found?.known && { file: toJson(found.value) }),
  };
}
