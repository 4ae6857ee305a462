/** The actions of a step: one, or one for each item of its for-each, with a lasting key each. */
import { decimalText, isDecimal } from '../base/decimal.ts';
import type { Address } from '../journal/entry.ts';
import { evaluateTemplate } from '../playbook/expression/evaluate.ts';
import { isPlainMap } from '../playbook/expression/helpers/define.ts';
import {
  EvaluationError,
  isList,
  itemsMax,
  Moment,
  type Scope,
  type Value,
} from '../playbook/expression/value.ts';
import type { Step } from '../playbook/playbook.ts';
import { addressOf } from './keys.ts';

export interface Item {
  readonly address: Address;
  /** Absent for a step without for-each. */
  readonly key?: string;
  /** The step's scope, with `each` in it. */
  readonly scope: Scope;
}

/**
 * @returns the items, or the step that has to be done before they are known
 * @throws EvaluationError for a list that is none, two items of one key, or too many items
 */
export function itemsOf(
  step: Step,
  scope: Scope,
): { readonly items: readonly Item[] } | { readonly after: string } {
  if (step.forEach === undefined) return { items: [{ address: step.path, scope }] };
  const found = evaluateTemplate(step.forEach, scope);
  // A list whose members are unknown in part still has its items.
  const collection = found.known ? found.value : found.partial;
  if (collection === undefined) return { after: found.known ? step.path : found.after };
  const members = membersOf(collection, step);
  if (members.length > itemsMax) {
    throw new EvaluationError(
      `${step.path}: for-each has ${members.length} items; at most ${itemsMax} are allowed`,
      'split the playbook',
    );
  }
  const items: Item[] = [];
  const seen = new Map<string, number>();
  for (const [index, member] of members.entries()) {
    const each = { key: member.key, value: member.value, index };
    const itemScope: Scope = { ...scope, each };
    const key = step.key ? keyFrom(evaluateTemplate(step.key, itemScope), step) : member.key;
    const earlier = seen.get(key);
    if (earlier !== undefined) {
      throw new EvaluationError(
        `${step.path}: items ${earlier} and ${index} have the same key ${JSON.stringify(key)}`,
        'give every item its own key; nothing of this step was sent',
      );
    }
    seen.set(key, index);
    items.push({
      address: addressOf(step.path, key),
      key,
      scope: { ...scope, each: { ...each, key } },
    });
  }
  return { items };
}

function membersOf(value: Value, step: Step): readonly { key: string; value: Value }[] {
  if (isList(value)) {
    return value.map((item, index) => ({ key: scalarText(item) ?? String(index), value: item }));
  }
  if (isPlainMap(value)) return Object.entries(value).map(([key, item]) => ({ key, value: item }));
  throw new EvaluationError(`${step.path}: for-each takes a list or a map`);
}

function keyFrom(found: ReturnType<typeof evaluateTemplate>, step: Step): string {
  const text = found.known ? scalarText(found.value) : undefined;
  if (text === undefined || text === '') {
    throw new EvaluationError(
      `${step.path}: key must be a text known before the step begins`,
      'build it from each.value or from inputs',
    );
  }
  return text;
}

/** A scalar as the text people would write for it; undefined for lists, maps and unknowns. */
function scalarText(value: Value): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isDecimal(value)) return decimalText(value);
  return value instanceof Moment ? String(value.ms) : undefined;
}
