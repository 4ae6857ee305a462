/** The items of a for-each, if known: their number, and their keys. */
import { canonicalDecimal } from '../../exchange/api/content.ts';
import { effortOf } from '../expression/effort.ts';
import { isPlainMap, textOf } from '../expression/helpers/define.ts';
import {
  EvaluationError,
  isList,
  itemsHint,
  TooManyError,
  type Scope,
  type Value,
} from '../expression/value.ts';
import { isLasting } from '../lasting.ts';
import { combinationsOf } from '../matrix.ts';
import type { Step } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { dependsOnItem } from '../template.ts';
import { constantIn } from './constant.ts';

const lookedAtMax = 200; // items whose expressions are evaluated; a plan evaluates all

export function checkItems(step: Step, problems: Problems): void {
  const { forEach, id, key } = step;
  const { itemsMax } = effortOf(problems);
  if (forEach === undefined) return;
  if (key !== undefined && !dependsOnItem(key)) {
    problems.add('PB412', key.at, 'every item would have the same key', {
      hint: 'derive it from each.value, each.key or each.index',
    });
    return;
  }
  const members = constantMembers(step, itemsMax, (error) => {
    if (!(error instanceof TooManyError)) return; // reported with its type
    problems.add('PB406', forEach.at, error.message, { hint: itemsHint(itemsMax) });
  });
  if (members === undefined) return;
  if (members.length > itemsMax) {
    problems.add('PB406', forEach.at, `${members.length} items; at most ${itemsMax} are allowed`, {
      hint: itemsHint(itemsMax),
    });
    return;
  }
  if (members.length === 0) {
    problems.add('PB502', forEach.at, `${id} never runs: there are no items`, {
      level: 'warning',
    });
  }
  if (key !== undefined && members.length > lookedAtMax) return;
  const isForEver = isLasting(step);
  const seen = new Map<string, number>();
  for (const [index, each] of members.entries()) {
    const name = key === undefined ? each.key : constantIn(key, { each: { ...each, index } });
    if (name === undefined) return;
    const written = keyText(name);
    const text = isForEver ? canonicalDecimal(written) : written;
    const earlier = seen.get(text);
    if (earlier !== undefined) {
      const message = `items ${earlier} and ${index} have the same key ${JSON.stringify(written)}`;
      problems.add('PB412', (key ?? forEach).at, message, {
        hint: 'give every item its own key',
      });
      return;
    }
    seen.set(text, index);
  }
}

/**
 * The known parts of each item of a step, for its expressions; one without `each` for a step
 * without for-each, and undefined if they are known only during the run.
 */
export function knownItems(step: Step): readonly Scope[] | undefined {
  const { forEach, key } = step;
  if (forEach === undefined) return [{}];
  const members = constantMembers(step, lookedAtMax);
  if (members === undefined || members.length > lookedAtMax) return undefined;
  return members.map((member, index) => {
    const each = { ...member, index };
    const named = key && constantIn(key, { each });
    return { each: named === undefined ? each : { ...each, key: named } };
  });
}

/** Whether a step executes all its items unless an earlier one fails. */
export function isCertainlyDone({ condition, oncePer }: Step): boolean {
  return condition === undefined && oncePer === 'run';
}

interface Member {
  readonly key: string;
  readonly value: Value;
}

/** The members of a constant for-each; undefined for any other, and for one that cannot be evaluated. */
function constantMembers(
  { forEach, isMatrix }: Step,
  itemsMax: number,
  onError: (error: EvaluationError) => void = () => undefined,
): readonly Member[] | undefined {
  const constant = forEach && constantIn(forEach);
  if (constant === undefined || isMatrix === undefined) return membersOf(constant);
  try {
    const found = combinationsOf(constant, itemsMax);
    return 'after' in found ? undefined : found;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    onError(error);
    return undefined;
  }
}

function membersOf(collection: Value | undefined): readonly Member[] | undefined {
  if (collection === undefined) return undefined;
  if (isList(collection)) {
    return collection.map((value, index) => ({ key: keyText(value) || String(index), value }));
  }
  if (!isPlainMap(collection)) return undefined;
  return Object.entries(collection).map(([key, value]) => ({ key, value }));
}

/** The key of a single value; "" for other values, which have no key. */
function keyText(value: Value): string {
  try {
    return textOf(value);
  } catch (error) {
    if (error instanceof EvaluationError) return '';
    throw error;
  }
}
