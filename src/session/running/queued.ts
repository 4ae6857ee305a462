/** A plan that is queued for a worker is refused here already, if its run would be blocked. */
import type { Config } from '../../config/load.ts';
import { readRecords } from '../../journal/records.ts';
import { unfinishedAmong, type IsAmong } from '../../journal/unfinished.ts';
import type { Plan } from '../../plan/plan.ts';
import { unfinishedBeside } from '../../plan/unfinished.ts';
import { accountBook } from '../accounts/accounts.ts';
import type { SessionContext } from '../context.ts';
import { syncState } from '../store/state.ts';
import { scopeOfBegun } from './beside.ts';
import { refuseUnfinished } from './unfinished.ts';

type QueuedPlan = Pick<Plan, 'run' | 'playbook' | 'destination' | 'accounts' | 'steps'>;

/**
 * From the records of the store, without a key; the worker decides again under its lock.
 * @throws UnfinishedError; StoreError
 */
export async function refuseBlocked(
  { run, playbook, destination, accounts = [], steps }: QueuedPlan,
  config: Config,
  context: SessionContext,
): Promise<void> {
  const own = [destination, ...accounts];
  const beginning = { run, playbook: playbook.name, accounts: own };
  await syncState(config, context, destination, scopeOfBegun(beginning, config));
  const book = await accountBook(config, context.env);
  // What cannot be told from one of these accounts counts as one of them.
  const isAmong: IsAmong = (then) => own.some((each) => book.standingOf(each, then) !== 'other');
  const records = await readRecords(config.stateDir, playbook.name);
  const others = records.filter((record) => record.run !== run);
  refuseUnfinished(unfinishedBeside(unfinishedAmong(others, isAmong), steps));
}
