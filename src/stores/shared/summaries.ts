/** Fetches what changed in a shared database: of runs that ended and left nothing the summary, of others the record. */
import { existsSync } from 'node:fs';
import { continuedIn } from '../../engine/journal/continued.ts';
import { JournalError } from '../../engine/journal/error.ts';
import { headerOf, type RunHeader } from '../../engine/journal/header.ts';
import { isRunId } from '../../engine/journal/identity.ts';
import {
  factsIn,
  factsOf,
  summaryText,
  summaryVersion,
  type OverviewFact,
} from '../../engine/journal/run-summary.ts';
import { readHeader, readRun, runFolder } from '../../engine/journal/runs.ts';
import type { Facts, RecordEnd, StoredRow } from '../../engine/journal/stored-facts.ts';
import { runHere } from '../run-files.ts';
import { prunedRun } from '../claims.ts';
import { StoreError } from '../store.ts';
import { bringChanged, bringUnlessHeld } from './bring.ts';
import type { Fetched, Known } from './cursor.ts';
import { lastLink, linesIn } from './lines.ts';
import type { SharedRetention } from './retention.ts';
import type { Changes, SharedRuns, Summary } from './shared-runs.ts';

export interface Fetching {
  readonly runs: SharedRuns;
  readonly stateDir: string;
  /** How overviews are stored; absent if no summaries are used: then every record is fetched. */
  readonly overview?: OverviewFact;
}

type Changed = Changes['runs'][number];

const pageRuns = 500; // summaries of a call, each usually some 2 kB
const textMax = 256 * 1024; // characters of a summary: the record of a run with more is fetched

/**
 * Fetches the runs that changed. A run whose record has the end that is known here did not.
 * @throws StoreError; for what is not the id of a run after all others are here
 */
export async function fetchChanged(
  fetching: Fetching,
  known: Known,
  { runs: changed, cursor }: Changes,
): Promise<Fetched> {
  const { runs, stateDir, overview } = fetching;
  if (overview === undefined) {
    await bringChanged(runs, stateDir, { runs: changed, cursor });
    return { cursor, rows: [], dropped: [], forgot: false };
  }
  const continued = continuedIn(stateDir);
  const [toCompare, unknown]: [Changed[], Changed[]] = [[], []];
  for (const one of changed) {
    if (!isEndOf(one, known.end(one.run))) unknown.push(one);
    else if (continued?.has(one.run) !== false && isHere(stateDir, one.run)) toCompare.push(one);
  }
  const summaries = await summariesOf(unknown, runs, overview);
  const rows: StoredRow[] = [];
  for (const one of unknown) {
    const facts = summaries.get(one.run);
    if (facts !== undefined) rows.push({ ...one, facts });
    if (facts === undefined || isHere(stateDir, one.run)) toCompare.push(one);
  }
  await bringChanged(runs, stateDir, { runs: toCompare, cursor });
  for (const one of unknown) {
    const row = summaries.has(one.run) ? undefined : await rowFrom(one, fetching, overview);
    if (row !== undefined) rows.push(row);
  }
  const found = new Set(rows.map(({ run }) => run));
  const left = unknown.filter(({ run }) => known.end(run) !== undefined);
  const dropped = left.flatMap(({ run }) => (found.has(run) ? [] : [run]));
  return { cursor, rows, dropped, forgot: await hasForgotten(left, known, runs) };
}

/**
 * Makes the summary of a run that ended here, for the process that ends it.
 * @param header as the database has it
 */
export async function summaryHere(
  stateDir: string,
  header: string,
  run: string,
  end: RecordEnd,
  overview: OverviewFact,
): Promise<Summary | undefined> {
  try {
    const read = headerOf(JSON.parse(header), run);
    const facts = factsOf(read, await readRun(stateDir, run), overview);
    return facts && summaryOf(run, end, facts, overview);
  } catch (error) {
    if (error instanceof JournalError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Fetches the record of a run of which only facts are here.
 * @throws HeldError when it was removed; JournalError when the database has none
 */
export async function fetchWhole(
  { runs, stateDir }: Fetching,
  run: string,
  retention?: SharedRetention,
): Promise<void> {
  await bringUnlessHeld(runs, stateDir, run);
  if (isHere(stateDir, run)) return;
  if ((await retention?.known([run]))?.get(run) === 'pruned') throw prunedRun(run);
  throw new JournalError(
    `the database has no record of run ${run} any more`,
    undefined,
    'restore the database from a backup',
  );
}

/** The summaries that count, by run. */
async function summariesOf(
  changed: readonly Changed[],
  runs: SharedRuns,
  overview: OverviewFact,
): Promise<ReadonlyMap<string, Facts>> {
  const ends = new Map(changed.filter(({ run }) => isRunId(run)).map((one) => [one.run, one]));
  const names = [...ends.keys()];
  const found = new Map<string, Facts>();
  for (let from = 0; from < names.length; from += pageRuns) {
    const page = await runs.summaries(names.slice(from, from + pageRuns), summaryVersion(overview));
    for (const { run, text } of page) {
      const end = ends.get(run);
      const facts = end && factsIn(text, run, end, overview);
      if (facts !== undefined) found.set(run, facts);
    }
  }
  return found;
}

/** The facts of a run without a summary, from its record that was fetched; stored for other machines. */
async function rowFrom(
  { run, lines, link }: Changed,
  { stateDir, runs }: Fetching,
  overview: OverviewFact,
): Promise<StoredRow | undefined> {
  const end = { lines, link };
  const facts = await factsHere(stateDir, run, end, overview);
  if (facts === undefined) return undefined;
  const summary = summaryOf(run, end, facts, overview);
  if (summary !== undefined) await runs.summarize(run, summary).catch(ignoreUnreachable);
  return { run, ...end, facts };
}

/** The facts of a run here, if its record ends as that of the database. */
async function factsHere(
  stateDir: string,
  run: string,
  end: RecordEnd,
  overview: OverviewFact,
): Promise<Facts | undefined> {
  if (!isRunId(run) || !isHere(stateDir, run)) return undefined;
  try {
    const { journal } = (await runHere(stateDir, run)) ?? { journal: '' };
    if (linesIn(journal) !== end.lines || lastLink(journal) !== end.link) return undefined;
    const header: RunHeader = await readHeader(stateDir, run);
    return factsOf(header, await readRun(stateDir, run), overview);
  } catch {
    return undefined; // a command that reads the run reports the problem
  }
}

function summaryOf(
  run: string,
  end: RecordEnd,
  facts: Facts,
  overview: OverviewFact,
): Summary | undefined {
  const text = summaryText(run, end, facts);
  if (text.length > textMax) return undefined;
  return { ...end, version: summaryVersion(overview), text };
}

/** Whether the database has fewer lines of a run than it had confirmed. */
async function hasForgotten(
  changed: readonly Changed[],
  known: Known,
  runs: SharedRuns,
): Promise<boolean> {
  for (const { run, lines } of changed) {
    const before = known.end(run)?.lines ?? 0;
    if (lines >= before) continue;
    const there = await runs.lines(run, before);
    if (there !== undefined && there.count < before) return true;
  }
  return false;
}

function isEndOf({ lines, link }: Changed, end: RecordEnd | undefined): boolean {
  return end?.lines === lines && end.link === link;
}

function isHere(stateDir: string, run: string): boolean {
  return existsSync(runFolder(stateDir, run));
}

function ignoreUnreachable(error: unknown): undefined {
  if (error instanceof StoreError) return undefined; // another machine makes it again
  throw error;
}
