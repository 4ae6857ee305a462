/** The writes and the files that a run recorded in some of its steps and items, or outside them. */
import { appendTo } from '../../base/groups.ts';
import type { Entry } from '../journal/entry.ts';
import { provenAt, replay } from '../journal/replay.ts';
import type { Reused, ReusedStep } from '../journal/reused.ts';
import { isCreated, keptWrites, type LeftWrite } from '../journal/unfinished.ts';
import { addressOf, ownerOf } from '../plan/addresses.ts';
import { writeWords } from '../plan/reused-step.ts';

type Writes = NonNullable<ReusedStep['writes']>;
type Files = NonNullable<ReusedStep['files']>;

/** The writes on the exchange of some steps or items, once per address. */
export function writesOf(
  ids: Iterable<string>,
  entries: readonly Entry[],
): ReadonlyMap<string, Writes> {
  const owners = new Set(ids);
  const found = new Map<string, Writes[number][]>();
  for (const write of writesIn(entries)) {
    const owner = ownerOf(write.address, owners);
    if (owner !== undefined) appendTo(found, owner, write);
  }
  return found;
}

function writesIn(entries: readonly Entry[]): Writes {
  const known = replay(entries);
  const writes = new Map<string, Writes[number]>();
  for (const entry of entries) {
    if (entry.kind !== 'intended') continue;
    const { address, operation, account } = entry;
    if (provenAt(known, address).outcome?.kind !== 'done') continue;
    writes.set(address, { address, operation, ...(account !== undefined && { account }) });
  }
  return [...writes.values()];
}

/** The files that some steps wrote, each as it was written last. */
export function filesOf(
  ids: Iterable<string>,
  entries: readonly Entry[],
): ReadonlyMap<string, Files> {
  const owners = new Set(ids);
  const found = new Map<string, Map<string, Files[number]>>();
  for (const entry of entries) {
    if (entry.kind !== 'wrote' && entry.kind !== 'document') continue;
    const owner = ownerOf(entry.step, owners);
    if (owner === undefined) continue;
    const { file, sha256 } = entry;
    const files = found.get(owner) ?? new Map<string, Files[number]>();
    files.set(file, { file, sha256, ...(entry.kind === 'wrote' && { rows: entry.rows }) });
    found.set(owner, files);
  }
  return new Map([...found].map(([owner, files]) => [owner, [...files.values()]]));
}

/**
 * The writes in steps and items that another run executes again: those of a run, and of the runs whose results it
 * reused.
 * @param kept the steps and items that are not executed again
 */
export function writesBeside(kept: Iterable<string>, entries: readonly Entry[]): Writes {
  return [...reusedWrites(entries), ...writesIn(entries)].filter(isExecuted(kept));
}

/**
 * What a person abandoned in steps and items that another run does not take over, of a run and of those whose
 * results it reused: each may exist.
 */
export function abandonedBeside(kept: Iterable<string>, entries: readonly Entry[]): Writes {
  const [started] = entries;
  const before = started?.kind === 'started' ? (started.reused?.abandoned ?? []) : [];
  const known = replay(entries);
  const own = new Map<string, Writes[number]>();
  for (const entry of entries) {
    if (entry.kind !== 'intended' || !isCreated(entry.operation)) continue;
    const { address, operation, account } = entry;
    if (provenAt(known, address).outcome?.kind !== 'skipped') continue; // a person decided that
    own.set(address, { address, operation, ...(account !== undefined && { account }) });
  }
  return [...before, ...own.values()].filter(isExecuted(kept));
}

function isExecuted(kept: Iterable<string>): (write: { readonly address: string }) => boolean {
  const owners = new Set(kept);
  return ({ address }) => ownerOf(address, owners) === undefined;
}

/** The writes of earlier runs in the steps and items that a run took over. */
function reusedWrites([started]: readonly Entry[]): Writes {
  if (started?.kind !== 'started') return [];
  const { steps = [], items = [] } = started.reused ?? {};
  return [...steps, ...items].flatMap(({ writes = [] }) => writes);
}

/**
 * The end of a hint to execute something again: what it created stays, and is created a second time.
 * @param kept the steps and items that are not executed again
 */
export function sentAgain(entries: readonly Entry[], kept: Iterable<string> = []): string {
  const [started] = entries;
  const reused = reusedWrites(entries).filter(({ operation }) => isCreated(operation));
  const again = [...createdBeside(kept, entries), ...reused.filter(isExecuted(kept))];
  if (again.length === 0 || started?.kind !== 'started') return '';
  return `, which sends ${writeWords(again)} of ${started.run} again`;
}

/** What a run itself created, or may have, and that another run would create again. */
export function createdBeside(
  kept: Iterable<string>,
  entries: readonly Entry[],
): readonly LeftWrite[] {
  const [started] = entries;
  if (started?.kind !== 'started') return [];
  const own = keptWrites(started, entries).filter(({ isLasting }) => !isLasting);
  return own.filter(isExecuted(kept));
}

/** The items, of some, that steps of a run had, whether it executed them or took them over. */
export function itemsHad(addresses: readonly string[], entries: readonly Entry[]): string[] {
  const [started] = entries;
  const { items = [], had = [] } = (started?.kind === 'started' && started.reused) || {};
  const all = new Set([...had, ...items.map(({ step, key }) => addressOf(step, key))]);
  for (const entry of entries) {
    if (entry.kind !== 'opened') continue;
    for (const key of entry.items ?? []) all.add(addressOf(entry.step, key));
  }
  return addresses.filter((address) => all.has(address));
}

/** The steps and items that a run does not execute. */
export function keptOf({ steps, items = [] }: Pick<Reused, 'steps' | 'items'>): readonly string[] {
  return [...steps.map(({ id }) => id), ...items.map(({ step, key }) => addressOf(step, key))];
}
