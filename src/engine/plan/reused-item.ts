/** The items of a step that are not executed, because an earlier run did them: the step is executed for the others. */
import { appendTo } from '../../base/groups.ts';
import { digestOf, isRecord } from '../../base/json.ts';
import { listed, nearWord, plainText, shellWord } from '../../base/text.ts';
import { keyField } from '../../exchange/api/meant-order.ts';
import { wireInput } from '../../language/expression/evaluate.ts';
import {
  EvaluationError,
  toJson,
  type Scope,
  type Value,
} from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import type { Address } from '../journal/entry.ts';
import type { Reused, ReusedItem } from '../journal/reused.ts';
import { profileOf } from './account.ts';
import { addressOf, itemAt, ownerOf } from './addresses.ts';
import { requestWords } from './drift-state.ts';
import type { Item } from './items.ts';
import type { PlannedAction } from './plan.ts';
import { writtenWords } from './reused-step.ts';
import { valueDifferences } from './value-differences.ts';

/** The items of a step that is executed for some of them. */
interface ItemsOfStep {
  /** The items that an earlier run did, by key. */
  readonly done: ReadonlyMap<string, ReusedItem>;
  /** The keys of the items that a person named: they are executed again. */
  readonly named: readonly string[];
  /** Those of the named items that the earlier run had: each may have been removed since. */
  readonly had: ReadonlySet<string>;
  /** What a person abandoned in the earlier run: each may exist. */
  readonly abandoned: readonly Address[];
}

/** The items of each step that is executed for some of them, by its path. */
export type ReusedItems = ReadonlyMap<string, ItemsOfStep>;

export function reusedItems(reused: Reused | undefined): ReusedItems {
  const done = new Map<string, [string, ReusedItem][]>();
  for (const item of reused?.items ?? []) appendTo(done, item.step, [item.key, item]);
  const named = new Map<string, string[]>();
  for (const address of reused?.from ?? []) {
    const item = itemAt(address);
    if (item !== undefined) appendTo(named, item.step, item.key);
  }
  const abandoned = (reused?.abandoned ?? []).map(({ address }) => address);
  const had = new Set(reused?.had);
  return new Map(
    [...named].map(([step, keys]) => {
      const before = new Set(keys.filter((key) => had.has(addressOf(step, key))));
      return [step, { done: new Map(done.get(step)), named: keys, had: before, abandoned }];
    }),
  );
}

/** The items of a step that are executed. */
export function executedItems(
  { path }: Step,
  items: readonly Item[],
  reused: ReusedItems,
): readonly Item[] {
  const own = reused.get(path);
  return own === undefined ? items : items.filter(({ key = '' }) => !own.done.has(key));
}

/** An item that is not executed; undefined for one that is. */
export function reusedItem(
  { path }: Step,
  { key = '' }: Item,
  reused: ReusedItems,
): ReusedItem | undefined {
  return reused.get(path)?.done.get(key);
}

/**
 * Checks that each item that an earlier run did is an item of the step now, on the same account, as under another key
 * it would be executed again, that no other item is executed of which a person abandoned a write, which may exist,
 * and that each item is there that a person named, unless it was taken out since the earlier run.
 * @param own the profile of the run's own account
 * @throws EvaluationError
 */
export function refuseLostItems(
  step: Step,
  items: readonly Item[],
  reused: ReusedItems,
  own: string,
): void {
  const { path } = step;
  const ofStep = reused.get(path);
  if (ofStep === undefined) return;
  const { done, named, had, abandoned } = ofStep;
  const byKey = new Map(items.map((item) => [item.key, item]));
  for (const [key, reusedOne] of done) {
    const why = whyLost(step, byKey.get(key), reusedOne, own);
    if (why === undefined) continue;
    throw new EvaluationError(
      `${nameOf(path, key)}, which ${plainText(reusedOne.run, 60)} did, ${why}`,
      `leave in for-each what that run did, or execute all of it: --from ${shellWord(path)}`,
    );
  }
  const unnamed = items.filter(({ key = '' }) => !done.has(key) && !named.includes(key));
  const addresses = new Set(unnamed.map(({ address }) => address));
  const unknown = abandoned.find((address) => ownerOf(address, addresses) !== undefined);
  if (unknown !== undefined) {
    const item = ownerOf(unknown, addresses) ?? path;
    throw new EvaluationError(
      `${plainText(unknown, 120)}, which a person abandoned, may exist, and would be sent again`,
      `if it exists, take its item out of for-each; if it does not, name it, too: --from ${shellWord(item)}`,
    );
  }
  const missing = named.find((key) => !byKey.has(key) && !had.has(key));
  if (missing === undefined) return;
  const near = nearWord(
    missing,
    items.flatMap(({ key }) => key ?? []),
  );
  throw new EvaluationError(
    `${nameOf(path, missing)}, which --from names, is not among the items of the step`,
    near === undefined
      ? `name one that is, or leave ${shellWord(addressOf(path, missing))} out of --from`
      : `did you mean ${shellWord(addressOf(path, near))}?`,
  );
}

/** Why an item is not the one that an earlier run did; undefined if it is. */
function whyLost(
  step: Step,
  item: Item | undefined,
  { value, writes = [] }: ReusedItem,
  own: string,
): string | undefined {
  if (item === undefined) return 'is not among the items of the step now';
  if (value !== placedValue(item)) return 'is another item now: only its position identifies it';
  const sent = writes.find(({ address }) => address === item.address);
  const [then, now] = [sent?.account ?? own, profileOf(step, item) ?? own];
  if (sent === undefined || then === now) return undefined;
  return `was sent on account ${plainText(then, 60)}, and is for ${plainText(now, 60)} now`;
}

function nameOf(step: string, key: string): string {
  return plainText(addressOf(step, key), 120);
}

/** The digest of the value of an item that only its position identifies. */
export function placedValue({
  isByPlace,
  scope,
}: Pick<Item, 'isByPlace' | 'scope'>): string | undefined {
  if (isByPlace !== true) return undefined;
  const { each } = scope;
  return digestOf(isRecord(each) && 'value' in each ? toJson(each['value']) : null);
}

/** The plan of an item that an earlier run did: it has no effect, and its response is known. */
export function plannedReusedItem(
  step: Step,
  { address, scope }: Item,
  item: ReusedItem,
): { readonly action: PlannedAction; readonly response: Value } {
  const { run, files = [], response } = item;
  const from = `reused from ${plainText(run, 60)}`;
  const parts = [
    ...sentWords(step, item),
    ...writtenWords([], files),
    ...changedWords(step, scope, item),
  ];
  const because = parts.length === 0 ? from : `${from}: ${parts.join('; ')}`;
  return { action: { address, input: {}, change: { kind: 'reused', because } }, response };
}

/** The order that an item placed or the value that it set; of one that uses a playbook the number of its writes. */
function sentWords({ action }: Step, { input, writes = [] }: ReusedItem): readonly string[] {
  const own =
    action.kind === 'call' && input !== undefined ? requestWords(action.operation, input) : [];
  return own.length > 0 ? own.map((words) => plainText(words, 120)) : writtenWords(writes, []);
}

/** The fields of a write that the step would send now with another value; what was sent stays. */
function changedWords(
  { action, with: fields }: Step,
  scope: Scope,
  { input }: ReusedItem,
): readonly string[] {
  if (action.kind !== 'call' || !isRecord(input)) return [];
  const { operation } = action;
  const { input: now, unknown } = wireInput(operation, fields, scope);
  const own = keyField(operation);
  const names = new Set([...Object.keys(input), ...Object.keys(now)]);
  const changed = [...names].flatMap((name) => {
    if (unknown.has(name) || (name === own && now[name] === undefined)) return [];
    return valueDifferences(name, input[name], now[name]);
  });
  const words = changed.map(
    ({ path, was = 'nothing', is = 'nothing' }) => `${path} ${was}, now ${is}`,
  );
  return words.length === 0 ? [] : [`sent with ${plainText(listed(words), 160)}`];
}
