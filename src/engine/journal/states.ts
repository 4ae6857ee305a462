/** States of an account that writes set: the last value set for each target, by a run of any playbook. */
import { digestOf, fieldOf, type Json } from '../../base/json.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { HandWrite } from './by-hand.ts';
import type { Entry } from './entry.ts';
import { mayBeOf, type LastSet, type LedgerView } from './ledger.ts';
import type { RunRecord } from './run-record.ts';
import { writesOf } from './sent-writes.ts';

/**
 * The key of the state that a write sets, in the ledger of its account; undefined if it sets none, or its
 * target is not known yet.
 */
export function stateKey(operation: OperationName, input: Json): string | undefined {
  const { sets } = operationOf(operation);
  const target = sets?.target.map((field) => fieldOf(input, field));
  if (target === undefined || target.includes(undefined)) return undefined;
  return digestOf(['state', operation, target as Json]);
}

/** The value that a write sets; undefined if it is not known yet. */
export function valueSet(operation: OperationName, input: Json): string | undefined {
  const value = fieldOf(input, operationOf(operation).sets?.value ?? '');
  return typeof value === 'string' ? value : undefined;
}

/**
 * Whether an earlier run set this value last. After a write of the run itself, the value is sent again: its
 * plan could not know the outcome.
 */
export function isSetBy(
  { done, run: by }: LastSet,
  value: string | undefined,
  run: string,
): boolean {
  return done !== undefined && done.value === value && by !== undefined && by !== run;
}

/** The states that some runs set last on an account, by key. */
export function statesFrom(
  records: readonly RunRecord[],
  view: LedgerView,
  byHand: readonly HandWrite[],
): ReadonlyMap<string, LastSet> {
  const states = new Map<string, LastSet>();
  const sets = [...records.flatMap((record) => setsIn(record, view)), ...setsByHand(byHand, view)];
  for (const [key, set] of sets) states.set(key, laterSet(states.get(key), set));
  return states;
}

/** The later of two writes that set one state. */
export function laterSet(before: LastSet | undefined, set: LastSet): LastSet {
  return before !== undefined && before.at > set.at ? before : set;
}

/** A key with the state that was set under it. */
type KeyedSet = readonly [string, LastSet];

function setsByHand(writes: readonly HandWrite[], view: LedgerView): readonly KeyedSet[] {
  return writes.flatMap(({ operation, input, destination, at }): readonly KeyedSet[] => {
    const key = stateKey(operation, input);
    if (key === undefined || view.standingOf(destination) === 'other') return [];
    return [[key, { kind: 'set', at }]];
  });
}

function setsIn({ run, entries }: RunRecord, view: LedgerView): readonly KeyedSet[] {
  const [started] = entries;
  if (started?.kind !== 'started') return [];
  const sent = [...writesOf(entries).values()].flatMap(({ intent, signed, output }) => {
    const { operation, input, signedAt: at } = intent;
    const key = stateKey(operation, input);
    const standing = key === undefined ? 'other' : mayBeOf(intent, started, view);
    if (key === undefined || standing === 'other') return [];
    if (output === undefined && signed.length === 0) return [];
    const value = standing === 'same' ? valueSet(operation, input) : undefined;
    const done = output !== undefined && value !== undefined && { value, output };
    return [[key, { kind: 'set', run, at, ...(done && { done }) }] as const];
  });
  return [...sent, ...untoldIn(run, started, entries, view)];
}

type Started = Extract<Entry, { readonly kind: 'started' }>;

/** Writes that another machine may have sent without reporting them. */
function untoldIn(
  run: string,
  started: Started,
  entries: readonly Entry[],
  view: LedgerView,
): readonly KeyedSet[] {
  if (entries.at(-1)?.kind === 'finished') return [];
  const told = new Set(
    entries.flatMap((entry) =>
      entry.kind === 'intended' || entry.kind === 'settled' ? [entry.address] : [],
    ),
  );
  return entries.flatMap((entry) => {
    if (entry.kind !== 'opened') return [];
    return (entry.writes ?? []).flatMap((write) => {
      const key = stateKey(write.operation, write.input);
      if (key === undefined || told.has(write.address)) return [];
      if (mayBeOf(write, started, view) === 'other') return [];
      return [[key, { kind: 'set', run, at: entry.at } as const] as const];
    });
  });
}
