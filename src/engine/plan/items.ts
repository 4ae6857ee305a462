/** The actions of a step: one, or one for each item of its for-each, each with a permanent key. */
import { DeskhandError, exits } from '../../base/error.ts';
import type { Address, Entry } from '../journal/entry.ts';
import { canonicalKey } from '../journal/identity.ts';
import { evaluateTemplate } from '../../language/expression/evaluate.ts';
import { isPlainMap } from '../../language/expression/helpers/define.ts';
import { scalarText } from '../../language/expression/scalar-text.ts';
import {
  EvaluationError,
  isList,
  itemsDefault,
  itemsHint,
  itemsOfRun,
  Unknown,
  type Scope,
  type Value,
} from '../../language/expression/value.ts';
import { isLasting } from '../../language/lasting.ts';
import { combinationsOf } from '../../language/matrix.ts';
import type { Step } from '../../language/playbook.ts';
import type { Naming } from './naming.ts';
import { addressOf } from './addresses.ts';

export interface Item {
  readonly address: Address;
  /** The key of the item; absent for a step without for-each. */
  readonly key?: string;
  /** The step's scope, with `each` in it. */
  readonly scope: Scope;
  /** Whether the item's key is its position in a list. */
  readonly isByPlace?: boolean;
}

/**
 * @param itemsMax the limit of the profile
 * @returns the items, or the step after which they are known
 * @throws EvaluationError for a value that is not a list, two items with the same key, or too many
 * items
 */
export function itemsOf(
  step: Step,
  scope: Scope,
  itemsMax: number,
): { readonly items: readonly Item[] } | { readonly after: string } {
  if (step.forEach === undefined) return { items: [{ address: step.path, scope }] };
  const found = evaluateTemplate(step.forEach, scope);
  // A list with unknown members still has its items.
  const collection = found.known ? found.value : found.partial;
  if (collection === undefined) return { after: found.known ? step.path : found.after };
  const members = membersOf(collection, step, itemsMax);
  if ('after' in members) return members;
  if (members.length > itemsMax) {
    throw new EvaluationError(
      `${step.path}: for-each has ${members.length} items; at most ${itemsMax} are allowed`,
      itemsHint(itemsMax),
    );
  }
  const items: Item[] = [];
  const seen = new Map<string, number>();
  const { each: _outer, ...shared } = scope;
  for (const [index, member] of members.entries()) {
    const { value } = member;
    const scopeOf = (key: string): Scope => ({ each: { key, value, index }, ...shared });
    const key = step.key
      ? keyFrom(evaluateTemplate(step.key, scopeOf(member.key)), step)
      : member.key;
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
      scope: scopeOf(key),
      isByPlace: step.key === undefined && member.isByPlace === true,
    });
  }
  return { items };
}

/**
 * Checks that items are identified permanently: each has a key that is not its position, and no two
 * keys are equal numbers. A run that started before this check continues without it.
 * @throws EvaluationError when nothing of this step may be sent
 */
export function refuseFleeting(
  step: Step,
  items: readonly Item[],
  { began }: Pick<Naming, 'began'>,
): void {
  if (began?.naming === 1 || !isLasting(step)) return;
  if (items.some(({ isByPlace }) => isByPlace)) {
    throw new EvaluationError(
      `${step.path}: its items are identified only by their position, and with once-per: playbook an inserted item would write the others again`,
      'add a key that identifies each item: key: "{{ each.value.… }}"',
    );
  }
  const seen = new Map<string, string>();
  for (const { key } of items) {
    if (key === undefined) continue;
    const earlier = seen.get(canonicalKey(key));
    if (earlier !== undefined) {
      throw new EvaluationError(
        `${step.path}: the keys ${JSON.stringify(earlier)} and ${JSON.stringify(key)} are the same number`,
        'give every item its own key; nothing of this step was sent',
      );
    }
    seen.set(canonicalKey(key), key);
  }
}

/** The limit of items under which a run started, or was resumed later. */
export function itemsMaxIn(entries: readonly Entry[]): number {
  return entries.reduce((most, entry) => {
    const isLimit = entry.kind === 'started' || entry.kind === 'resumed';
    return isLimit ? Math.max(most, entry.itemsMax ?? most) : most;
  }, itemsDefault);
}

/** Counts the items of a plan. */
export class ItemCount {
  #count = 0;

  /** The maximum number of items of one step. */
  readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  /** Counts more items of a step. @throws TooManyItemsError */
  add(step: Step, more: number): void {
    this.#count += more;
    if (this.#count > itemsOfRun(this.max)) throw new TooManyItemsError(step.path, this.max);
  }
}

/** All items of a run are planned, recorded in the journal and kept in memory. */
class TooManyItemsError extends DeskhandError {
  constructor(path: string, max: number) {
    super(`${path}: with its items the run has more than ${itemsOfRun(max)}, which is the limit`, {
      code: 'too-many-items',
      actor: 'author',
      exit: exits.invalid,
      hint: itemsHint(max),
    });
  }
}

interface Member {
  readonly key: string;
  readonly value: Value;
  readonly isByPlace?: boolean;
}

function membersOf(
  value: Value,
  step: Step,
  itemsMax: number,
): readonly Member[] | { readonly after: string } {
  if (step.isMatrix) return combinationsOf(value, itemsMax);
  if (isList(value)) {
    return value.map((item, index) => {
      const key = scalarText(item);
      const isByPlace = key === undefined && !(item instanceof Unknown);
      return { key: key ?? String(index), value: item, isByPlace };
    });
  }
  if (isPlainMap(value)) return Object.entries(value).map(([key, item]) => ({ key, value: item }));
  throw new EvaluationError(`${step.path}: for-each takes a list or a map`);
}

function keyFrom(found: ReturnType<typeof evaluateTemplate>, step: Step): string {
  const text = found.known ? scalarText(found.value) : undefined;
  if (text === undefined || text === '') {
    throw new EvaluationError(
      `${step.path}: key must be a text that is known before the step starts`,
      'build it from each.value or from inputs',
    );
  }
  return text;
}
