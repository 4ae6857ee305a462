/** `runs prune`: removes the records of old runs that nothing depends on. */
import { day, lengthIn, type Millis } from '../../base/clock.ts';
import { exits, UsageError, type ExitCode } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import {
  emptyTrash,
  pruneDecisions,
  removeRun,
  type PruneDecision,
} from '../../engine/journal/prune.ts';
import { everyName } from '../../engine/journal/run-list.ts';
import { moment } from '../../report/words.ts';
import { outputOf, type Context, type Args } from '../context.ts';
import type { Outdated, Retention } from '../../stores/removable.ts';
import type { RunsPruneOutput } from '../../app/documents/run-lists.ts';
import { columns } from '../../report/terminal/columns.ts';
import type { Theme } from '../../report/terminal/theme.ts';
import { configOf } from '../../app/config/opened.ts';
import { syncState } from '../../app/store/synchronized.ts';

const youngest = 30 * day; // a plan is run within it, and older occurrences are not run

export async function run(context: Context, args: Args): Promise<ExitCode> {
  const { out, err } = context.terminal;
  const format = outputOf(context, ['text', 'json']);
  const isDone = args.isOn('yes');
  const config = await configOf(context);
  const age = ageIn(args.text('older-than'), config);
  const keep = countIn(args.text('keep'));
  const { stateDir } = config;
  const before = context.clock.now() - age;
  const retention = await retentionOf(config, context);
  const places = await retention?.known(await everyName(stateDir));
  const placeOf = (id: string): 'stored' | 'pruned' | undefined => places?.get(id);
  const planned = await pruneDecisions(stateDir, { before, keep, placeOf });
  const decisions = isDone ? await removeAll(planned, stateDir, retention) : planned;
  const outdated = isDone ? await retention?.clean(age) : await retention?.count(age);
  const removed = decisions.filter(({ because }) => because === undefined);
  if (format === 'json') {
    const output: RunsPruneOutput = {
      version: 1,
      isDone,
      ...dataOf(decisions),
      ...(outdated && { outdated }),
    };
    out.json(output);
    return exits.done;
  }
  for (const line of linesOf(removed, out.theme)) out.line(line);
  out.line(totals(decisions, isDone));
  if (outdated !== undefined) out.line(outdatedText(outdated, isDone));
  const { plans, jobs } = outdated ?? { plans: 0, jobs: 0 };
  if (!isDone && removed.length + plans + jobs > 0) {
    err.line('nothing was removed yet: give the command again with --yes');
  }
  return exits.done;
}

/**
 * The function that removes runs from the project's shared state, once they are here; undefined if
 * the state is only here.
 * @throws UsageError for one that removes nothing
 */
async function retentionOf(config: Config, context: Context): Promise<Retention | undefined> {
  const { state } = config;
  if (state.store === 'local') return undefined;
  if (state.store !== 'git') return (await syncState(config, context)).retention;
  throw new UsageError(
    `the state of this project is shared (state.store: ${state.store})`,
    'only runs of a local state, or one in a database, are removed: other machines read them',
  );
}

/** Removes the selected runs and returns the result; a run that was resumed since is kept. */
async function removeAll(
  planned: readonly PruneDecision[],
  stateDir: string,
  retention: Retention | undefined,
): Promise<readonly PruneDecision[]> {
  const decisions: PruneDecision[] = [];
  for (const { header, because } of planned) {
    const reason = because ?? (await removeRun(stateDir, header.run, retention?.remove));
    decisions.push({ header, ...(reason !== undefined && { because: reason }) });
  }
  await emptyTrash(stateDir);
  return decisions;
}

/**
 * The minimum age of removed runs. @throws UsageError for what is not a duration, or shorter than
 * the validity of a plan
 */
function ageIn(text: string | undefined, { profiles }: Config): Millis {
  const least = Math.max(youngest, ...[...profiles.values()].map(({ plans }) => plans.lasts ?? 0));
  if (text === undefined) return least;
  const age = lengthIn(text);
  if (age === undefined) {
    throw new UsageError(
      `--older-than is a length of time such as 90d, not ${JSON.stringify(text)}`,
    );
  }
  if (age >= least) return age;
  const days = Math.ceil(least / day);
  throw new UsageError(
    `--older-than is ${days}d or more`,
    'until then plans and times of schedules refer to a run',
  );
}

function countIn(text: string | undefined): number {
  if (text === undefined) return 1;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`--keep is a whole number, not ${JSON.stringify(text)}`);
}

function dataOf(decisions: readonly PruneDecision[]): Pick<RunsPruneOutput, 'removed' | 'kept'> {
  const runs = decisions.map(({ header: { run: id, playbook, createdAt }, because }) => ({
    run: id,
    playbook,
    createdAt,
    because,
  }));
  return {
    removed: runs.flatMap(({ because, ...each }) => (because === undefined ? [each] : [])),
    kept: runs.flatMap(({ because, ...each }) =>
      because === undefined ? [] : [{ ...each, because }],
    ),
  };
}

function linesOf(removed: readonly PruneDecision[], theme: Theme): readonly string[] {
  const rows = removed.map(({ header: { run: id, playbook, createdAt } }) => [
    theme.paint('strong', plainText(id, 60)),
    `${moment(createdAt)}Z`,
    plainText(playbook, 60),
  ]);
  return columns(rows, theme, { indent: 0 });
}

/** The number of removed runs, and the reasons why others are kept. */
function totals(decisions: readonly PruneDecision[], isDone: boolean): string {
  const reasons = new Map<string, number>();
  for (const { because } of decisions) {
    if (because !== undefined) reasons.set(because, (reasons.get(because) ?? 0) + 1);
  }
  const removed = decisions.filter(({ because }) => because === undefined).length;
  const kept = [...reasons].map(([because, many]) => `${many} kept: ${because}`);
  return [`${count(removed, 'run')} ${isDone ? 'removed' : 'to remove'}`, ...kept].join('\n');
}

function outdatedText({ plans, jobs }: Outdated, isDone: boolean): string {
  const what = `${count(plans, 'plan')} and the contents of ${count(jobs, 'job')}`;
  return `in the database: ${what} ${isDone ? 'removed' : 'to remove'}`;
}
