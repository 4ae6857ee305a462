/** Makes a new plan of a playbook: with real reads, and without writes. */
import { lengthIn, type Millis } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import { spoken } from '../../base/text.ts';
import type { Config } from '../config/load.ts';
import type { Profile } from '../config/profile.ts';
import { allRuns } from '../../engine/journal/run-list.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { lastsAtMost } from '../../engine/plan/stale.ts';
import type { Playbook } from '../../language/playbook.ts';
import { slotRunId } from '../schedule/slot.ts';
import { chosenSteps, type PlanChoice } from './chosen.ts';
import type { AppContext } from '../app-context.ts';
import { prepare } from './make-plan.ts';
import { reusing } from './reuse.ts';
import { stoppableWork } from '../accounts/work.ts';

export interface PlanRequest {
  /** The playbook with all its steps. */
  readonly whole: Playbook;
  /** The inputs of the playbook, as a person gave them. */
  readonly values: ReadonlyMap<string, Json>;
  readonly profile: Profile;
  readonly choice: PlanChoice;
  readonly isOffline: boolean;
  /** The persons who ask for the plan, as Git names them. Default: the person here. */
  readonly authors?: readonly string[];
}

/** @throws StoppedError when it is interrupted */
export async function newPlan(
  { whole, values, profile, choice, isOffline, authors }: PlanRequest,
  config: Config,
  context: AppContext,
): Promise<Plan> {
  const { playbook, slot } = chosenSteps(whole, choice);
  const lasts = lastsIn(choice, profile);
  const opening = { needsKey: !isOffline, isOffline };
  return stoppableWork(context, config, profile, opening, async (session, { drain: signal }) => {
    const named = slot && { ...slot, runId: slotRunId(session.destination, playbook.name, slot) };
    const by = authors && { authors };
    const job = { playbook, args: values, session, isOffline, ...lasts, ...named, ...by };
    if (!isOffline) {
      const { syncToPlan } = await import('../running/beside.ts');
      await syncToPlan(playbook, session, context, named?.runId);
    }
    const from = choice.reuse && (await reusing(choice.reuse, job, context));
    const shownBeside = await allRuns(config.stateDir);
    const { plan } = await prepare({ ...job, ...from, shownBeside, signal }, context);
    return plan;
  });
}

/** Reads `--expires`; the profile's limit is the maximum. @throws UsageError */
export function lastsIn(
  { expires: text }: PlanChoice,
  { name, plans }: Profile,
): { readonly lasts?: Millis } {
  if (text === undefined) return {};
  const lasts = lengthIn(text);
  if (lasts === undefined || lasts === 0) {
    throw new UsageError('--expires is a duration', 'such as 90s, 15m, 2h or 3d');
  }
  const longest = plans.lasts ?? lastsAtMost;
  if (lasts <= longest) return { lasts };
  throw new UsageError(
    `plans of profile ${name} are valid for at most ${spoken(longest)}`,
    'use a shorter --expires, or ask the owner of the profile to change it',
  );
}
