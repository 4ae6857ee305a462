/** Finds events in the journals of runs, the newest runs first, and in a run the newest events first. A call
 * reads a bounded number of journals and says how far it came, so that nobody waits and the next one continues
 * from there.
 */
import { setImmediate } from 'node:timers/promises';
import type { Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { Desk } from './desk.ts';
import { eventRows, type EventRow } from './event-rows.ts';
import { firstAtOrBefore, type Selected } from './run-filter.ts';
import type { RunRow } from './run-row.ts';

interface Sought {
  /** Words that the event has all of, in upper or lower case. */
  readonly words: readonly string[];
  /** The kind of the event, by its word: `refused`. */
  readonly kind?: string;
  readonly account?: string;
  readonly since?: Millis;
  readonly until?: Millis;
}

/** A place from which a search continues: before an entry of a run, or before the whole run. */
export interface Place {
  readonly startedAt: Millis;
  readonly run: string;
  readonly desk: string;
  /** Only entries before this one; absent: all of the run. */
  readonly before?: number;
}

interface FoundEvent extends EventRow {
  readonly row: RunRow;
}

interface Search {
  readonly events: readonly FoundEvent[];
  /** Number of journals that were read. */
  readonly read: number;
  /** The start of the last run that was searched, or left out by its times. */
  readonly back?: Millis;
  /** Where the next call continues; absent if no run is left. */
  readonly next?: Place;
  /** The problems of runs that could not be searched. */
  readonly damages: readonly string[];
}

interface Searching {
  /** Runs that may have the events, the newest first. */
  readonly runs: Selected;
  /** The desks by their names. */
  readonly desks: ReadonlyMap<string, Pick<Desk, 'entries'>>;
  /** The event as the person may see it: only that is searched. */
  readonly shown: (event: EventRow) => EventRow;
}

const limits = { events: 100, runs: 100, entries: 20_000 };

/** Searches on from a place. @param from default: the newest run */
export async function search(
  sought: Sought,
  { runs, desks, shown }: Searching,
  from?: Place,
): Promise<Search> {
  const events: FoundEvent[] = [];
  const damages: string[] = [];
  let [read, entriesRead] = [0, 0];
  let back: { readonly back?: Millis } = {};
  for (let at = from === undefined ? 0 : indexOf(from, runs); at < runs.length; at++) {
    if (mayHave(at, runs, sought)) {
      const row = runs.row(at);
      if (
        read === limits.runs ||
        entriesRead >= limits.entries ||
        events.length === limits.events
      ) {
        return { events, damages, read, ...back, next: placeOf(row) };
      }
      const entries = await entriesOf(row, desks.get(row.desk), damages);
      read += 1;
      entriesRead += entries.length;
      const before = isAt(from, row) ? from?.before : undefined;
      const matches = matchesIn(entries, before, sought, shown);
      const fitting = matches.slice(0, limits.events - events.length);
      events.push(...fitting.map((event) => ({ ...event, row })));
      if (fitting.length < matches.length) {
        const next = { ...placeOf(row), before: fitting.at(-1)?.seq ?? 1 };
        return { events, damages, read, back: row.startedAt, next };
      }
      await setImmediate(); // others have a turn
    }
    back = { back: runs.startedAt(at) };
  }
  return { events, damages, read, ...back };
}

/** Where a search continues: at the run itself, or at the next older one if it was removed. */
function indexOf(place: Place, runs: Selected): number {
  let at = firstAtOrBefore(runs, place.startedAt);
  while (at < runs.length && runs.startedAt(at) >= place.startedAt && !isAt(place, runs.row(at)))
    at += 1;
  return at;
}

function isAt(place: Place | undefined, { run, desk }: RunRow): boolean {
  return place?.run === run && place.desk === desk;
}

function placeOf({ startedAt, run, desk }: RunRow): Place {
  return { startedAt, run, desk };
}

/** Whether a run may have an event of the time. */
function mayHave(at: number, runs: Selected, { since, until }: Sought): boolean {
  if (until !== undefined && runs.startedAt(at) >= until) return false;
  const lastAt = since === undefined ? undefined : runs.lastAt(at);
  return since === undefined || lastAt === undefined || lastAt >= since;
}

async function entriesOf(
  { run }: RunRow,
  desk: Pick<Desk, 'entries'> | undefined,
  damages: string[],
): Promise<readonly Entry[]> {
  try {
    return (await desk?.entries(run)) ?? [];
  } catch (error) {
    damages.push(messageOf(error));
    return [];
  }
}

/** The wanted events of a run, the newest first. @param before only those before this entry */
function matchesIn(
  entries: readonly Entry[],
  before: number | undefined,
  { words, kind, account, since, until }: Sought,
  shown: Searching['shown'],
): readonly EventRow[] {
  const rowOf = eventRows(entries);
  return entries
    .filter(
      ({ at, seq }) =>
        (before === undefined || seq < before) &&
        (since === undefined || at >= since) &&
        (until === undefined || at < until),
    )
    .map((entry) => shown(rowOf(entry)))
    .filter((event) => {
      const { address, word, text, account: own } = event;
      if (kind !== undefined && word.toLowerCase() !== kind) return false;
      if (account !== undefined && own !== undefined && own !== account) return false;
      const line = `${address} ${own ?? ''} ${word} ${text}`.toLowerCase();
      return words.every((each) => line.includes(each));
    })
    .toReversed();
}
