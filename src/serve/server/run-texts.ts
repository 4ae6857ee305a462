/** Finds runs by words, and those that may have some orders: in memory, and in the catalogue. */
import type { Millis } from '../../base/clock.ts';
import type { ListedTable } from '../../report/overview/listed-table.ts';
import type { KnownRun, Overviews } from '../../report/overview/overviews.ts';
import type { RunFilter, Selected } from './run-filter.ts';
import type { RunIndex } from './run-index.ts';
import { accountsIn, playbookIn } from './run-places.ts';
import { namesOf } from './run-row.ts';

/** The runs that have all of some words in their names or in the ids of their orders. @param words in lower case */
export async function havingWords(
  words: readonly string[],
  index: RunIndex,
  overviews: Overviews,
  wanted: RunFilter = {},
): Promise<Selected> {
  const ids = await overviews.havingIds(words, index.table);
  const hasName = placeNames(index.table);
  return index.narrowed(
    wanted,
    (place) => {
      const run = index.table.runAt(place);
      return words.every((word) => hasName(place, word) || ids.get(word)?.has(run) === true);
    },
    ({ run }) => {
      const read = index.live.get(run)?.read;
      if (read === undefined) return false;
      const names = namesOf(read.row);
      return words.every((word) => names.includes(word) || read.ids.includes(word));
    },
  );
}

/** Whether the row of a place has a word. */
function placeNames(table: ListedTable): (place: number, word: string) => boolean {
  const lower = (texts: readonly string[]): string => texts.join('\n').toLowerCase();
  const groups = table.groups.map((group) => {
    const [own] = group.accounts;
    return lower([playbookIn(group), ...accountsIn(group), own?.target ?? '']);
  });
  const people = table.people.map(lower);
  return (place, word) =>
    groups[table.groupAt(place)]?.includes(word) === true ||
    people[table.peopleAt(place)]?.includes(word) === true ||
    table.runAt(place).toLowerCase().includes(word) ||
    table.whatAt(place).toLowerCase().includes(word);
}

/** The newest run with each text in the ids of its orders. @param texts in lower case */
export async function newestHaving(
  texts: readonly string[],
  { table, live }: RunIndex,
  overviews: Overviews,
): Promise<ReadonlyMap<string, string>> {
  const ids = await overviews.havingIds(texts, table);
  const newest = new Map<string, string>();
  for (const text of texts) {
    let last = -Infinity;
    const note = (run: string, at: Millis): void => {
      if (at <= last) return;
      last = at;
      newest.set(text, run);
    };
    for (const run of ids.get(text) ?? []) {
      const place = table.find(run);
      if (place !== undefined) note(run, table.startedAt(place));
    }
    for (const { read } of live.values()) {
      if (read?.ids.includes(text) === true) note(read.row.run, read.row.startedAt);
    }
  }
  return newest;
}

/** A time, of which the end is excluded, and what else the orders of a run may have. */
export interface OrderTime {
  readonly from: Millis;
  readonly to: Millis;
  readonly playbook?: string;
  /** A clientOid or an orderId. */
  readonly id?: string;
}

/** A run, and when it was created: at negative infinity if its header cannot be read. */
export interface DatedRun {
  readonly run: string;
  readonly createdAt: Millis;
  /** Why its header cannot be read. */
  readonly damage?: string;
}

/** The runs that may have orders, and those whose record cannot be read, the newest first. */
export async function withOrders(
  wanted: OrderTime,
  { table, live }: RunIndex,
  overviews: Overviews,
): Promise<readonly DatedRun[]> {
  const { from, to, playbook } = wanted;
  const id = wanted.id?.toLowerCase();
  const ids = id === undefined ? undefined : (await overviews.havingIds([id], table)).get(id);
  table.read();
  const groups = table.groups.map((group) => playbook === undefined || group.playbook === playbook);
  const found: DatedRun[] = [];
  for (const place of table.places()) {
    if (groups[table.groupAt(place)] !== true) continue;
    if (!table.hasSent(place, from, to)) continue;
    const run = table.runAt(place);
    if (ids?.has(run) !== false) found.push({ run, createdAt: table.createdAt(place) });
  }
  for (const [run, { found: known, read }] of live) {
    const dated = known && datedRun(run, known, wanted);
    if (dated === undefined) continue;
    const isRead = known?.kind === 'read';
    if (isRead && id !== undefined && read?.ids.includes(id) === false) continue;
    found.push(dated);
  }
  return found.toSorted(
    (a, b) => b.createdAt - a.createdAt || (a.run === b.run ? 0 : a.run < b.run ? 1 : -1),
  );
}

/** A run in memory, if it may have orders of the time. */
function datedRun(
  run: string,
  known: KnownRun,
  { from, to, playbook }: OrderTime,
): DatedRun | undefined {
  if (known.kind === 'unnamed') return { run, createdAt: -Infinity, damage: known.because };
  const { header } = known;
  if (playbook !== undefined && header.playbook !== playbook) return undefined;
  const dated = { run, createdAt: header.createdAt };
  if (known.kind !== 'read') return dated;
  const { sent } = known.overview;
  return sent !== undefined && sent[1] >= from && sent[0] < to ? dated : undefined;
}
