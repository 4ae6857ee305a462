/** `runs list`: lists runs, newest first. */
import { exits, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import type { RunHeader } from '../../engine/journal/header.ts';
import { locksIn } from '../../engine/journal/lock.ts';
import {
  newestOf,
  readableRuns,
  type AllRuns,
  type UnnamedRun,
} from '../../engine/journal/run-list.ts';
import { noteWords, setAsideRuns } from '../../engine/journal/set-aside.ts';
import { openOverviews, type KnownRun, type Overviews } from '../../report/overview/overviews.ts';
import { allAccounts } from '../../report/accounts.ts';
import { moment } from '../../report/words.ts';
import type { ListedRuns, Listing } from '../../stores/store.ts';
import { oneOf, outputOf, type Context, type Args } from '../context.ts';
import { printError } from '../exits.ts';
import { sinceIn } from '../args/since.ts';
import { printShared } from '../running/shared.ts';
import { configOf } from '../../app/config/opened.ts';
import { runStatuses, type RunStatus } from '../../report/run-status.ts';
import type { RunsListOutput } from '../../app/documents/run-lists.ts';
import { columns } from '../../report/terminal/columns.ts';
import { lockData, lockLines } from '../screens/locks.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { stateWord, targetWord, toneOf } from '../../report/states.ts';

const shownMax = 50; // newest runs listed

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const config = await configOf(context);
  const { stateDir } = config;
  const wanted = wantedIn(args, context);
  const listing = await printShared(config, context, pageOf(wanted));
  const overviews = openOverviews(stateDir);
  const runs = await readableRuns(stateDir);
  // A header that was changed names its run all the same.
  const changed = await Promise.all(runs.unnamed.map(({ run: id }) => overviews.header(id)));
  const others = [...runs.others, ...changed.flatMap((header) => header ?? [])];
  const found = await rowsOf({ others, ended: runs.ended }, overviews, wanted);
  const { rows } = found;
  const damaged = rows.flatMap((row) => (row.kind === 'damaged' ? [row] : []));
  const unnamed = runs.unnamed.filter(
    ({ run: id }) => !damaged.some(({ header }) => header.run === id),
  );
  overviews.keep(runs.names, true);
  const setAside = await setAsideRuns(stateDir);
  const locks = await locksIn(stateDir);
  for (const line of lockLines(locks, context.terminal.err.theme)) context.terminal.err.line(line);
  if (format === 'json') {
    const beside = { unnamed, setAside, locks: locks.map(lockData) };
    const output: RunsListOutput = { version: 1, runs: rows.map(dataOf), ...beside };
    out.json(output);
  } else {
    if (rows.length > 0 || unnamed.length === 0) {
      out.line(textOf(withOlder(found, listing), out.theme).join('\n'));
    }
    for (const one of unnamed) out.line(unnamedText(one, out.theme));
    for (const note of setAside) out.line(out.theme.paint('faint', noteWords(note)));
  }
  for (const { error } of damaged) printError(error, context);
  return damaged.length + unnamed.length > 0 ? exits.stopped : exits.done;
}

interface Wanted {
  readonly playbook?: string;
  readonly status?: RunStatus;
  /** The creation time of the oldest runs that are listed. */
  readonly since: number;
}

function wantedIn(args: Args, { clock }: Context): Wanted {
  const [playbook, status] = [args.text('playbook'), args.text('status')];
  return {
    ...(playbook !== undefined && { playbook }),
    ...(status !== undefined && { status: oneOf(status, runStatuses, '--status') }),
    since: sinceIn(args.text('since'), clock.now()),
  };
}

/** The page that stores are asked for; undefined if the runs of a status are listed, which only their records tell. */
function pageOf({ playbook, status, since }: Wanted): ListedRuns | undefined {
  if (status !== undefined) return undefined;
  return {
    max: shownMax,
    ...(playbook !== undefined && { playbook }),
    ...(since > -Infinity && { since }),
  };
}

/** Counts the runs that only the store knows. */
function withOlder(
  found: Found,
  { count: all = 0, hasMore = false }: Omit<Listing, 'claims'>,
): Found {
  const { rows } = found;
  if (rows.length < shownMax) return found;
  return { ...found, older: Math.max(found.older, all - rows.length), hasMore };
}

function isPlaybook(name: string, { playbook }: Wanted): boolean {
  return playbook === undefined || name === playbook;
}

interface Found {
  readonly rows: readonly Row[];
  /** The number of older runs, which were not read. */
  readonly older: number;
  readonly isFiltered: boolean;
  /** Whether there are more older runs than that number. */
  readonly hasMore?: boolean;
}

/** The newest runs that match, and the number of older ones; a journal that changed is read. */
async function rowsOf(
  runs: Pick<AllRuns, 'others' | 'ended'>,
  overviews: Overviews,
  wanted: Wanted,
  max = wanted.status === undefined ? shownMax : Infinity,
): Promise<Found> {
  const { status } = wanted;
  const isAsked = ({ playbook, createdAt }: Pick<RunHeader, 'playbook' | 'createdAt'>): boolean =>
    isPlaybook(playbook, wanted) && createdAt >= wanted.since;
  const { headers, older } = newestOf(runs, isAsked, max);
  const rows: Row[] = [];
  for (let at = 0; at < headers.length && rows.length < shownMax; at += shownMax) {
    const page = headers.slice(at, at + shownMax);
    const read = await Promise.all(page.map(({ run: id }) => overviews.read(id)));
    const fits = (row: Row): boolean => status === undefined || statusOf(row) === status;
    rows.push(...read.filter((row) => row !== undefined && row.kind !== 'unnamed').filter(fits));
  }
  const shown = rows.slice(0, shownMax);
  const isFull = shown.length === shownMax;
  if (!isFull && older > 0) return rowsOf(runs, overviews, wanted, Infinity); // one was removed meanwhile
  const last = headers.findIndex(({ run: id }) => id === shown.at(-1)?.header.run);
  const { playbook = status, since } = wanted;
  const isFiltered = playbook !== undefined || since > -Infinity;
  return { rows: shown, older: isFull ? older + headers.length - last - 1 : 0, isFiltered };
}

type Row = Exclude<KnownRun, { readonly kind: 'unnamed' }>;

function dataOf(row: Row): RunsListOutput['runs'][number] {
  const { run, playbook, destination, accounts = [], createdAt } = row.header;
  const others = accounts.filter(({ profile }) => profile !== destination.profile);
  const because = row.kind === 'damaged' ? { because: row.error.message } : {};
  const setAside = asideOf(row);
  return {
    run,
    playbook,
    destination,
    ...(others.length > 0 && { accounts: others }),
    createdAt,
    status: statusOf(row),
    ...because,
    ...(setAside !== undefined && { setAside }),
    ...asksOf(row),
  };
}

/** The steps that wait for an approval. */
function asksOf(row: Row): { readonly asks?: string[] } {
  const { asks = [] } = row.kind === 'read' ? row.overview : {};
  return asks.length === 0 ? {} : { asks: asks.map(({ step }) => step) };
}

/** The reason why a run waits: an approval, or a person who set it aside. */
function waitWords(row: Row): string {
  const { asks = [] } = asksOf(row);
  return asks.length === 0 ? (asideOf(row) ?? '') : `waits for approval of ${asks.join(', ')}`;
}

function asideOf(row: Row): string | undefined {
  return row.kind === 'read' ? row.overview.setAside : undefined;
}

function statusOf(row: Row): RunStatus {
  return row.kind === 'read' ? row.overview.status : row.kind;
}

/** The line of a run folder that does not name its playbook. */
function unnamedText({ run, because }: UnnamedRun, { paint }: Theme): string {
  return `${paint('strong', plainText(run, 60))}  ${paint('bad', 'damaged')}  ${plainText(because)}`;
}

function textOf({ rows, older, isFiltered, hasMore = false }: Found, theme: Theme): string[] {
  const { paint } = theme;
  if (rows.length === 0) return [isFiltered ? 'no matching runs' : 'no runs yet'];
  const lines = rows.map((row) => {
    const { header } = row;
    const status = statusOf(row);
    const { target } = header.destination;
    const name = allAccounts(header);
    const where =
      target === 'sandbox' ? `sandbox ${name}` : `${paint(target, targetWord(target))} ${name}`;
    return [
      paint('strong', plainText(header.run, 60)),
      paint(toneOf(status), stateWord(status)),
      `${moment(header.createdAt)}Z`,
      name === target ? name : where,
      plainText(header.playbook, 60),
      row.kind === 'read' ? count(row.overview.requests, 'request') : '',
      waitWords(row),
    ];
  });
  const more =
    older > 0 ? [`${theme.glyphs.dots} ${hasMore ? 'more than ' : ''}${older} older`] : [];
  return [...columns(lines, theme, { indent: 0 }), ...more];
}
