/** Explicit names of writes on the exchange: unique for each write. */
import { isOrderKey } from '../../exchange/api/meant-order.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { stepsOf } from '../expressions.ts';
import type { Playbook, Step, Template } from '../playbook.ts';
import type { SourceRange } from '../source-range.ts';
import type { Problems } from '../problems.ts';
import { dependsOnItem, textOfTemplate } from '../template.ts';
import { fixedValues } from './fixed.ts';

interface Named {
  readonly step: Step;
  readonly field: string;
  readonly name: Template;
  /** A name inside a nested playbook is reported at the step that uses it. */
  readonly at: SourceRange;
}

export function checkNames(playbook: Playbook, problems: Problems): void {
  const earlier = new Map<string, Step>();
  for (const { step, field, name, at } of stepsOf(playbook).flatMap(namesOf)) {
    const isOfItem = dependsOnItem(name);
    if (step.forEach && !isOfItem) {
      const hint = isOrderKey(field)
        ? 'remove it: deskhand creates one for each item'
        : 'put {{ each.key }} or {{ each.value }} into it';
      problems.add('PB405', at, `every item would have the same ${field}`, { hint });
      continue;
    }
    if (isOfItem) continue;
    const text = `${field} ${textOfTemplate(name)}`;
    const other = earlier.get(text);
    if (other === undefined) earlier.set(text, step);
    else if (!(other.condition && step.condition)) {
      problems.add('PB405', at, `${other.id} gives the same ${field}`);
    }
  }
}

function namesOf(step: Step): readonly Named[] {
  if (step.action.kind === 'playbook') {
    return fixedNames(step.action.playbook).map(({ label, value }) => ({
      step,
      field: label,
      name: value,
      at: step.at,
    }));
  }
  return [...ownNames(step)].map(([field, name]) => ({ step, field, name, at: name.at }));
}

function ownNames({ action, with: fields }: Step): ReadonlyMap<string, Template> {
  if (action.kind !== 'call') return new Map();
  const { key, uniqueBy: field = key } = operationOf(action.operation);
  const name = field === undefined ? undefined : fields.get(field);
  return new Map(field === undefined || name === undefined ? [] : [[field, name]]);
}

const fixedNames = fixedValues(ownNames);
