/** All runs as a comparison goes through them: by groups, without the headers of those that ended. */
import type { Millis } from '../../base/clock.ts';
import { destinationsOf } from '../../engine/journal/account.ts';
import type { TableRow } from '../../engine/journal/ended-table.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { newestFirst } from '../../engine/journal/proved-runs.ts';
import type { RunGroup } from '../../engine/journal/run-columns.ts';
import type { AllRuns } from '../../engine/journal/run-list.ts';

/** A run as lists have it. */
export interface ListedRun extends Pick<TableRow, 'run' | 'group' | 'createdAt'> {
  /** The time when the run signed its last write; -Infinity if it sent none, absent if it must be read. */
  readonly signedAt?: Millis;
}

/** All runs, oldest first; the headers of those that ended are not created. */
export function listedRuns({ others, ended }: AllRuns): readonly ListedRun[] {
  const known = ended.listing.rows();
  const single = [...others, ...known.others].map((header): ListedRun => {
    const { run, playbook, createdAt } = header;
    const group = { playbook, accounts: destinationsOf(header) };
    const end = ended.ended(header);
    return { run, group, createdAt, ...(end && { signedAt: end.signedAt ?? -Infinity }) };
  });
  return [...single, ...known.ended].toSorted(newestFirst).toReversed();
}

/** A predicate that asks once about each group of runs. */
export function onceFor(isAsked: (group: RunGroup) => boolean): (group: RunGroup) => boolean {
  const known = new Map<RunGroup, boolean>();
  return (group) => {
    const is = known.get(group) ?? isAsked(group);
    known.set(group, is);
    return is;
  };
}

export function headerOf(run: string, { others, ended }: AllRuns): RunHeader {
  return others.find((each) => each.run === run) ?? ended.listing.headerOf(run);
}
