/** A plan that was reviewed: found, proved unchanged, and held against the account once more. */
import { existsSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Millis } from '../../base/clock.ts';
import { count, plainText } from '../../base/text.ts';
import type { Config } from '../../config/load.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { readRun, hasBegun } from '../../journal/runs.ts';
import { readPlan } from '../../plan/file.ts';
import { differencesOf, moveInitially, type Difference } from '../../plan/moved.ts';
import type { Plan } from '../../plan/plan.ts';
import { beginsSealed } from '../../plan/seal.ts';
import { refuseExpired, StalePlanError } from '../../plan/stale.ts';
import { ApprovalError } from '../approval/ask.ts';
import type { Context } from '../context.ts';
import { changedSince } from '../given/playbooks.ts';
import { columns } from '../screens/columns.ts';
import { prepare, type PlanningJob, type Prepared } from './planning.ts';
import { plannedRunId } from './run-id.ts';

/** Whether a word of the command line is the path of a saved plan. */
export async function isPlan(path: string): Promise<boolean> {
  if (!path.endsWith('.json') || !existsSync(path) || !statSync(path).isFile()) return false;
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return beginsSealed(buffer.toString('utf8', 0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** The saved plan of an id. @throws ApprovalError when there is none */
export async function planNamed(id: string, { stateDir }: Config): Promise<Plan> {
  const path = join(stateDir, 'plans', `${id}.json`);
  if (/^p-[0-9a-f]{8}$/.test(id) && existsSync(path)) return readPlan(path);
  throw new ApprovalError(
    `there is no plan ${JSON.stringify(id)} here`,
    'make one with «deskhand plan»',
  );
}

/** @throws StalePlanError when a file is no longer what the plan was made from */
export async function refuseChanged({ id, playbook }: Plan, path: string): Promise<void> {
  const changed = await changedSince({ ...playbook, file: path });
  if (changed === undefined) return;
  throw new StalePlanError(`${changed} is not what plan ${id} was made from`);
}

/**
 * A person takes their time over a plan, and the machine may sleep meanwhile: the exchange's clock
 * is asked anew.
 * @param lasts the profile's own word on how long a plan may be run
 * @throws StalePlanError when the plan is too old by now
 */
export async function refuseOutlived(
  plan: Plan,
  exchange: Exchange,
  signal: AbortSignal,
  lasts: Millis | undefined,
): Promise<void> {
  await exchange.call('market/list-discount-rates', {}, { signal });
  refuseExpired(plan, await exchange.serverTime(signal), lasts);
}

/**
 * A planned run has one id for ever: what has begun is resumed, and never begun again.
 * @throws StalePlanError
 */
export async function refuseUsed(stateDir: string, run: string): Promise<void> {
  if (!hasBegun(stateDir, run)) return;
  const last = (await readRun(stateDir, run).catch(() => [])).at(-1);
  if (last?.kind === 'finished' && last.status === 'done') {
    throw new StalePlanError(`this plan was run already, as ${run}, and a plan is run once`);
  }
  throw new StalePlanError(
    `this plan was begun already, as ${run}, and a plan is run once`,
    `go on with it: deskhand resume ${run}`,
  );
}

/**
 * The plan made again, on what the exchange shows now. A run for a time of a schedule has its id
 * from that.
 * @throws StalePlanError when it is used, too old, or anything its reviewers saw has moved
 */
export async function preparedAgain(
  reviewed: Plan,
  job: Omit<PlanningJob, 'time' | 'again'>,
  context: Context,
): Promise<Prepared> {
  const { session, stateDir, signal } = job;
  const { plans } = session.profile;
  await refuseChanged(reviewed, reviewed.playbook.file);
  const runId = job.runId ?? plannedRunId(reviewed);
  await refuseUsed(stateDir, runId);
  refuseExpired(reviewed, await session.exchange.serverTime(signal), plans.lasts);
  const time = reviewed.observedAt;
  const prepared = await prepare({ ...job, time, runId, again: reviewed }, context);
  const moved = differencesOf(reviewed, prepared.plan, plans.move ?? moveInitially);
  if (moved.length === 0) return prepared;
  tell(moved, context);
  const [first] = moved.map(({ what, was, is }) => `${what} was ${was} and is ${is}`);
  const rest = moved.length === 1 ? '' : `, and ${count(moved.length - 1, 'more difference')}`;
  throw new StalePlanError(`plan ${reviewed.id} no longer fits: ${first}${rest}`);
}

const toldMax = 20; // lines

/** Every difference beside what was reviewed; one alone is told by the error itself. */
function tell(moved: readonly Difference[], { terminal: { err } }: Context): void {
  if (moved.length === 1) return;
  const { look } = err;
  const rows = moved
    .slice(0, toldMax)
    .map(({ what, was, is }) => [
      plainText(what, 60),
      plainText(was, 80),
      `${look.glyphs.arrow} ${plainText(is, 120)}`,
    ]);
  err.line(columns(rows, look, { indent: 2 }).join('\n'));
  if (moved.length > toldMax) err.line(`  ${look.glyphs.dots} ${moved.length - toldMax} more`);
}
