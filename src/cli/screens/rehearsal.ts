/** The outcome of a rehearsal: a table, and the command that reproduces each failing seed. */
import { count, plainText } from '../../base/text.ts';
import type { FaultName } from '../../rehearsal/simulation/faults.ts';
import type { SeedResult } from '../../rehearsal/simulation/rehearse.ts';
import { summaryOf } from '../../report/summary.ts';
import type { RehearseOutput } from '../../app/documents/playbooks.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';

export interface Rehearsal {
  readonly file: string;
  readonly faults: readonly FaultName[];
  readonly results: readonly SeedResult[];
  /** Returns the command that replays one seed. */
  readonly command: (seed: number) => string;
}

/** Seeds with a violation. */
export function badSeeds(results: readonly SeedResult[]): readonly SeedResult[] {
  return results.filter((result) => wrongs(result).length > 0);
}

export function rehearsalObject({ file, faults, results, command }: Rehearsal): RehearseOutput {
  const { placedTwice, lost, untold, ...counts } = tallyOf(results);
  return {
    version: 1,
    file,
    faults,
    seeds: results.length,
    ...counts,
    placedTwice,
    lost,
    untold,
    bad: badSeeds(results).map((result) => ({
      seed: result.seed,
      wrong: wrongs(result),
      command: command(result.seed),
    })),
  };
}

export function rehearsalLines(
  { file, faults, results, command }: Rehearsal,
  theme: Theme,
): string[] {
  const { paint, sign } = theme;
  const tally = tallyOf(results);
  const never = (n: number): string => paint(n === 0 ? 'good' : 'bad', String(n));
  const bad = badSeeds(results);
  const rows = [
    ['runs done', String(tally.done)],
    ['runs stopped', String(tally.stopped)],
    ['runs in doubt', String(tally.inDoubt)],
    ['runs that did not end', never(tally.unfinished)],
    ['resumed', count(tally.resumes, 'time')],
    ['crashed', count(tally.deaths, 'time')],
    ['faults', String(tally.faultsStruck)],
    ['orders', String(tally.orders)],
    ['placed more than once', never(tally.placedTwice)],
    ['lost', never(tally.lost)],
    ['there and not reported', never(tally.untold)],
  ];
  const lines = bad.flatMap((result) => [
    `${sign('bad')} seed ${result.seed}: ${plainText(wrongs(result).join('; '))}`,
    `  ${paint('command', command(result.seed))}`,
  ]);
  const last =
    bad.length > 0
      ? `${sign('bad')} ${count(bad.length, 'seed')} of ${results.length} failed.`
      : tally.done === 0
        ? `${sign('warn')} no run finished, so this proves little${reasonWords(results)}.`
        : `${sign('good')} no violation found.`;
  return [
    `${plainText(file, 120)}: ${count(results.length, 'seed')}, ${faults.join(', ')}`,
    ...columns(rows, theme, { indent: 2, right: [] }),
    ...lines,
    `${last} All on the sandbox.`,
  ];
}

/**
 * Whether a run finished in at least one seed: otherwise most of the playbook was never rehearsed.
 */
export function hasFinished(results: readonly SeedResult[]): boolean {
  return results.some(({ status }) => status === 'done');
}

/** The reason why the first run did not finish. */
function reasonWords([first]: readonly SeedResult[]): string {
  if (first === undefined || first.entries.length === 0) return '';
  const { stop, headline } = summaryOf(first.entries);
  const why = stop === undefined ? headline : `${stop.address}: ${stop.message}`;
  return `; seed ${first.seed}: ${plainText(why)}`;
}

function wrongs({ verdict, broken }: SeedResult): readonly string[] {
  return [...verdict.twice, ...verdict.lost, ...verdict.unreported, ...broken];
}

function tallyOf(results: readonly SeedResult[]) {
  const ended = (...of: readonly SeedResult['status'][]): number =>
    results.filter(({ status }) => of.includes(status)).length;
  const sum = (of: (result: SeedResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0);
  return {
    done: ended('done'),
    stopped: ended('stopped', 'interrupted'),
    inDoubt: ended('doubt'),
    unfinished: ended('unfinished'),
    resumes: sum(({ resumes }) => resumes),
    deaths: sum(({ crashes }) => crashes),
    faultsStruck: sum(({ story, crashes }) => story.length - crashes),
    orders: sum(({ orders }) => orders),
    placedTwice: sum(({ verdict }) => verdict.twice.length),
    lost: sum(({ verdict }) => verdict.lost.length),
    untold: sum(({ verdict }) => verdict.unreported.length),
  };
}
