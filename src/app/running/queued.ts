/** Refuses to queue what the worker would refuse, because another run blocks it. */
import type { Config } from '../config/load.ts';
import { isPacked } from '../../engine/journal/past-writes.ts';
import { readForLedger } from '../../engine/journal/records.ts';
import { allRuns } from '../../engine/journal/run-list.ts';
import { unfinishedAmong, type IsAmong } from '../../engine/journal/unfinished.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { unfinishedBeside } from '../../engine/plan/unfinished.ts';
import { accountBook } from '../accounts/identities.ts';
import type { AppContext } from '../app-context.ts';
import { syncState } from '../store/synchronized.ts';
import { beginningOf, scopeOfBegun } from './beside.ts';
import { laterRun } from './repeated.ts';
import type { BegunRun } from './resume.ts';
import { refuseRepeating, refuseSetAside, refuseUnfinished } from './unfinished.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

type QueuedPlan = Pick<Plan, 'run' | 'playbook' | 'destination' | 'accounts' | 'steps'>;

/**
 * Refuses a plan that another run blocks, by the records of the store and without a key; the worker decides
 * again under its lock.
 * @throws UnfinishedError; StoreError
 */
export async function refuseBlocked(
  plan: QueuedPlan,
  config: Config,
  context: AppContext,
): Promise<void> {
  const { run, playbook, destination, steps } = plan;
  const own = destinationsOf(plan);
  const beginning = { run, playbook: playbook.name, accounts: own };
  await syncState(config, context, destination, scopeOfBegun(beginning, config));
  const book = await accountBook(config, context.env);
  // An account that cannot be told from one of these counts as one of them.
  const isAmong: IsAmong = (then) => own.some((each) => book.standingOf(each, then) !== 'other');
  const { stateDir } = config;
  const scope = { playbook: playbook.name, isWide: false };
  const records = await readForLedger(stateDir, scope, {
    runs: await allRuns(stateDir),
    keeps: true,
  });
  // A run that ended and left nothing is packed.
  const others = records.flatMap((record) =>
    isPacked(record) || record.run === run ? [] : [record],
  );
  refuseUnfinished(unfinishedBeside(unfinishedAmong(others, isAmong), steps));
}

/**
 * Refuses to continue a run that was set aside, or whose rest a later run did: neither is ever continued.
 * @throws UnfinishedError; StoreError
 */
export async function refuseContinuing(
  { started, entries }: BegunRun,
  config: Config,
  context: AppContext,
): Promise<void> {
  refuseSetAside(entries, started.run);
  const scope = scopeOfBegun(beginningOf(started), config);
  await syncState(config, context, started.destination, scope);
  refuseRepeating(started.run, await laterRun(config.stateDir, entries));
}
