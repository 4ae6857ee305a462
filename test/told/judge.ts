/** Whether everything that a command says about a run is true by the journal and the exchange's books. */
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import type { Typed } from '../jobs/desk.ts';
import type { NoticeJson } from './fleet.ts';
import type { Shown } from './pages.ts';

/** What is true of a run. */
export interface Truth {
  readonly run: string;
  readonly total: number;
  /** Orders in the books. */
  readonly placed: number;
  readonly entries: readonly Entry[];
}

interface Writes {
  /** Known as done, and open or in doubt. */
  readonly done: number;
  readonly open: number;
}

function writesOf(entries: readonly Entry[], of?: OperationName): Writes {
  const states = new Map<string, 'open' | 'done' | 'not'>();
  for (const entry of entries) {
    if (entry.kind === 'intended' && entry.operation === (of ?? entry.operation))
      states.set(entry.address, 'open');
    if (entry.kind !== 'settled') continue;
    const { kind } = entry.outcome;
    const state = kind === 'done' ? 'done' : kind === 'doubt' ? 'open' : 'not';
    if (states.has(entry.address)) states.set(entry.address, state);
  }
  const all = [...states.values()];
  return {
    done: all.filter((each) => each === 'done').length,
    open: all.filter((each) => each === 'open').length,
  };
}

export const isDone = ({ entries }: Pick<Truth, 'entries'>): boolean => {
  const last = entries.at(-1);
  return last?.kind === 'finished' && last.status === 'done';
};

interface RunJson {
  readonly run: string;
  readonly status: string;
  readonly exit?: number;
  readonly tally?: { readonly done: number; readonly inDoubt: number };
}

/** What a document says of a run. */
function documentOf({ out }: Typed, run: string): RunJson | undefined {
  if (!out.startsWith('{')) return undefined;
  const found: RunJson & { readonly runs?: readonly RunJson[] } = JSON.parse(out);
  return [found, ...(found.runs ?? [])].find((each) => each.run === run); // none in an error
}

function untrueJson({ status, exit, tally }: RunJson, truth: Truth): readonly string[] {
  const { done, open } = writesOf(truth.entries);
  const wrong: string[] = [];
  if ((status === 'done') !== isDone(truth)) wrong.push(`status ${status}`);
  if (status === 'doubt' && open === 0) wrong.push('status doubt without one');
  if (exit !== undefined && (exit === 0) !== isDone(truth)) wrong.push(`exit ${exit}`);
  if (tally !== undefined && (tally.done !== done || tally.inDoubt !== open)) {
    wrong.push(`tally ${JSON.stringify(tally)}`);
  }
  return wrong;
}

const shownAs = (entries: readonly Entry[]): string => JSON.stringify(writesOf(entries));

/** What is untrue on the pages of a server. */
export function untrueOnPages(shown: Shown, truth: Truth): readonly string[] {
  const { run, entries, placed, total } = truth;
  const { row, report, needs } = shown;
  if (row === undefined) return entries.length === 0 ? [] : [`the pages do not list ${run}`];
  const { done, open } = writesOf(entries);
  const orders = writesOf(entries, 'futures/place-order');
  const wrong: string[] = [];
  const say = (what: string): void => {
    wrong.push(`the page: ${what}, of ${run} ${row.state} ${shownAs(entries)} ${placed} placed`);
  };
  const isRunning = row.state === 'running';
  if ((row.state === 'done') !== isDone(truth)) say(`state ${row.state}`);
  if (row.state === 'doubt' && open === 0) say('state doubt without one');
  if (row.doubts > open || (!isRunning && row.doubts !== open)) say(`${row.doubts} doubts`);
  if (open > 0 && !isRunning && !needs.some(({ kind }) => kind === 'doubt'))
    say('nobody is needed');
  if (isDone(truth) && needs.length > 0) say(`a person is needed: ${needs[0]?.text ?? ''}`);
  if (report === undefined) return [...wrong, ...(entries.length === 0 ? [] : ['no report'])];
  const of = (name: string): number | undefined =>
    report.tallies.find((tally) => tally.name === name)?.n;
  if (of('Done') !== done) say(`Done ${of('Done')}`);
  if (of('In doubt') !== row.doubts) say(`In doubt ${of('In doubt')}`);
  if (placed > 0 && !isRunning && /nothing was sent/.test(`${report.headline} ${report.lead}`)) {
    say('"nothing was sent"');
  }
  for (const [words, many, all] of JSON.stringify(report).matchAll(
    /(\d+) of (\d+) orders? placed/g,
  )) {
    if (Number(many) !== orders.done || Number(all) !== total) say(`"${words}"`);
  }
  return wrong;
}

/** What is untrue in notifications that were posted up to now, since the run was judged last. */
export function untrueNotices(
  notices: readonly NoticeJson[],
  { run, entries, placed }: Truth,
): readonly string[] {
  const { open } = writesOf(entries);
  return notices
    .filter((notice) => notice.run === run)
    .flatMap(({ event, text }) => {
      const isTrue = event === 'in-doubt' ? open > 0 : event !== 'stopped' || !isDone({ entries });
      const truth = JSON.stringify({ open, placed });
      return isTrue ? [] : [`notified of ${event}, of ${run} ${truth}: ${text}`];
    });
}

/** What is untrue in one command that is about a run. @param follows whether its exit code is the run's */
export function untrueIn(typed: Typed, truth: Truth, follows: boolean): readonly string[] {
  const { run, total, placed, entries } = truth;
  const { done, open } = writesOf(entries);
  const orders = writesOf(entries, 'futures/place-order');
  const text = `${typed.out}\n${typed.err}`.replaceAll(/\s+/g, ' ');
  const wrong: string[] = [];
  const say = (what: string): void => {
    wrong.push(
      `${typed.words.join(' ')} (${typed.code}): ${what}, of ${run} ${JSON.stringify({ done, open, placed })}`,
    );
  };
  if (orders.done > placed || orders.done + orders.open < placed)
    say('the journal contradicts the books');
  const isHeld =
    / has a claim on | is writing to | began on .+ and did not report| already (ran|was started) as | was already started as /.test(
      text,
    );
  if (placed > 0 && follows && !isHeld && / nothing was sent\b/.test(text))
    say('"nothing was sent"');
  for (const [words, many, all] of text.matchAll(/(\d+) of (\d+) orders? placed/g)) {
    if (Number(many) !== orders.done || Number(all) !== total) say(`"${words}"`);
  }
  for (const [words, many] of text.matchAll(/(\d+) writes? sent/g)) {
    if (Number(many) !== done) say(`"${words}"`);
  }
  const row = new RegExp(
    `^${run}\\s+(done|stopped|in doubt|interrupted|unfinished|damaged)`,
    'm',
  ).exec(typed.out);
  if (row !== null) {
    if ((row[1] === 'done') !== isDone(truth)) say(`"${row[0]}"`);
    if (row[1] === 'in doubt' && open === 0) say(`"${row[0]}"`);
  }
  const document = documentOf(typed, run);
  if (document !== undefined) for (const what of untrueJson(document, truth)) say(what);
  if (!follows) return wrong;
  const { code } = typed;
  if ((code === 0) !== isDone(truth) && !isHeld) say('the exit code');
  if (code === 6 && open === 0) say('exit 6 without a doubt');
  if (code === 5 && placed > 0 && !isHeld) say('exit 5 after orders were sent');
  if ((code === 1 || code === 5) && open > 0 && !isHeld) say(`exit ${code} with a doubt`);
  return wrong;
}
