/** The rest of a run, planned from the run's record and from reads that are made again. */
import { canonicalJson, isJsonRecord, type Json, type JsonRecord } from '../../base/json.ts';
import type { Address } from '../journal/entry.ts';
import { isOurName } from '../journal/identity.ts';
import type { Replay } from '../journal/replay.ts';
import { isWrite } from './effect.ts';
import { movedWords, valueWords, type Difference } from './moved.ts';
import type { Plan, PlannedAction } from './plan.ts';
import { isNearNumber } from './values.ts';

/**
 * The differences between a run's remaining writes as its record determines them and as repeated reads
 * do. A write that needs a value which only the record has cannot be compared.
 * @param again the same rest, with the reads of the run made again
 * @param move how far a number may have moved, as a ratio
 */
export function recordDifferences(
  rest: Plan,
  again: Plan,
  known: Replay,
  move: string,
): readonly Difference[] {
  const sources = sourcesIn(known);
  return pairsIn(rest, again).flatMap(({ address, recorded, now }) => {
    if (recorded === undefined || now === undefined || recorded.change.kind !== now.change.kind) {
      return [{ what: address, was: sentWords(recorded), is: sentWords(now) }];
    }
    const source = onlyRecorded(recorded, sources);
    if (source !== undefined) {
      return [{ what: address, was: `made from what ${source} returned`, is: 'only recorded' }];
    }
    return fieldDifferences(recorded, now, move);
  });
}

interface Pair {
  readonly address: Address;
  readonly recorded?: PlannedAction | undefined;
  readonly now?: PlannedAction | undefined;
}

/**
 * The writes that are sent, or may be, of both plans. The keys of items may follow from a price that moved:
 * as many items of a step as before are the same ones, in their order.
 */
function pairsIn(rest: Plan, again: Plan): readonly Pair[] {
  const ofRest = new Map(rest.steps.filter(isWrite).map(({ id, actions }) => [id, actions]));
  const ofAgain = new Map(again.steps.filter(isWrite).map(({ id, actions }) => [id, actions]));
  return [...new Set([...ofRest.keys(), ...ofAgain.keys()])].flatMap((id) => {
    const [was, is] = [ofRest.get(id) ?? [], ofAgain.get(id) ?? []];
    if (was.length !== is.length) return byAddress(was, is);
    const isMoved = was.some(({ address }, at) => address !== is[at]?.address);
    if (!isMoved) return byAddress(was, is);
    return was.flatMap((recorded, at) =>
      isSent(recorded) ? [{ address: recorded.address, recorded, now: is[at] }] : [],
    );
  });
}

function byAddress(was: readonly PlannedAction[], is: readonly PlannedAction[]): readonly Pair[] {
  const [recorded, now] = [was, is].map(
    (actions) => new Map(actions.filter(isSent).map((action) => [action.address, action])),
  );
  return [...new Set([...(recorded?.keys() ?? []), ...(now?.keys() ?? [])])].map((address) => ({
    address,
    recorded: recorded?.get(address),
    now: now?.get(address),
  }));
}

function isSent({ change: { kind } }: PlannedAction): boolean {
  return kind === 'create' || kind === 'set' || kind === 'later';
}

function sentWords(action: PlannedAction | undefined): string {
  if (action === undefined) return 'not sent';
  return action.change.kind === 'later' ? 'known only later' : 'sent';
}

/**
 * The completed sources of a run: each done action, the step of a done item, and the playbook of a done
 * step.
 */
function sourcesIn(known: Replay): ReadonlySet<string> {
  const sources = new Set<string>();
  for (const [address, { outcome }] of known) {
    if (outcome?.kind !== 'done') continue;
    sources.add(address);
    for (const { index } of address.matchAll(/[[/]/g)) sources.add(address.slice(0, index));
  }
  return sources;
}

/** The step of which a write needs a value, if the run has it already. */
function onlyRecorded(action: PlannedAction, recorded: ReadonlySet<string>): string | undefined {
  const { confidence } = action;
  const needed = [
    ...(confidence?.kind === 'known-after' ? [confidence.step] : []),
    ...Object.values(inputOf(action)).flatMap((value) =>
      isJsonRecord(value) && typeof value['known-after'] === 'string' ? [value['known-after']] : [],
    ),
  ];
  return needed.find((source) => recorded.has(source));
}

function inputOf({ input }: PlannedAction): JsonRecord {
  return isJsonRecord(input) ? input : {};
}

function fieldDifferences(was: PlannedAction, is: PlannedAction, move: string): Difference[] {
  const [recorded, now] = [inputOf(was), inputOf(is)];
  const names = new Set([...Object.keys(recorded), ...Object.keys(now)]);
  const fields = [...names].flatMap((field) => {
    const [before, after] = [recorded[field], now[field]];
    if (isSame(before, after, move) || (isName(before) && isName(after))) return [];
    const [first, second] = [valueWords(before), valueWords(after)];
    return [{ what: `${was.address} ${field}`, was: first, is: movedWords(first, second, move) }];
  });
  if (was.account === is.account) return fields;
  const [before, after] = [valueWords(was.account), valueWords(is.account)];
  return [{ what: `${was.address} account`, was: before, is: after }, ...fields];
}

function isSame(was: Json | undefined, is: Json | undefined, move: string): boolean {
  if (was === undefined || is === undefined) return was === is;
  return (
    canonicalJson(was) === canonicalJson(is) || isNearNumber(valueWords(was), valueWords(is), move)
  );
}

/** A clientOid that follows from the other fields. */
function isName(value: Json | undefined): boolean {
  return typeof value === 'string' && isOurName(value);
}
