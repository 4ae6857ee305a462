/** When a run notifies: at its end, when its record is lost, and when an approval is missing. */
import type { DeskhandError } from '../../base/error.ts';
import { shellWord } from '../../base/text.ts';
import type { Profile } from '../config/profile.ts';
import { isDone } from '../../engine/journal/end.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { hasOpenWrite } from '../../engine/journal/replay.ts';
import { noticeOf, noticeOfCrash, noticeOfEnd } from '../notification/notice.ts';
import type { Playbook } from '../../language/playbook.ts';
import { MissingApprovalError } from '../../engine/approval/approval-error.ts';
import type { AppContext } from '../app-context.ts';
import { notifyAndWarn } from './notify.ts';

/**
 * Notifies of the end of a run.
 * @param entries the whole journal at that end
 * @param newest the journal now: a doubt that another process has settled since is left out
 */
export async function notifyOfEnd(
  entries: readonly Entry[],
  profile: Profile,
  context: AppContext,
  newest: () => Promise<readonly Entry[]>,
): Promise<void> {
  if (profile.notify.length === 0) return;
  const notice = noticeOfEnd(entries);
  if (notice === undefined) return;
  const now = await newest();
  const isSettled = notice.event === 'in-doubt' && !hasOpenWrite(now);
  if (!isDone(now) && !isSettled) await notifyAndWarn(notice, profile, context);
}

/**
 * Notifies of a run that no process continues.
 * @param entries the whole journal
 * @param why the reason that prevents it
 */
export async function notifyOfStanding(
  entries: readonly Entry[],
  why: string,
  profile: Profile,
  context: AppContext,
): Promise<void> {
  if (profile.notify.length === 0) return;
  const notice = noticeOfCrash(entries, why);
  if (notice) await notifyAndWarn(notice, profile, context);
}

interface RunOf {
  readonly playbook: Pick<Playbook, 'name'>;
  readonly profile: Profile;
}

/**
 * Notifies of a run whose record is lost. Its journal has no end, so a resume notifies again if the doubt
 * remains.
 */
export async function notifyOfLost(
  error: DeskhandError,
  { runId: run, playbook, profile }: RunOf & { readonly runId: string },
  context: AppContext,
): Promise<void> {
  const { name, target } = profile;
  const notice = noticeOf({
    event: 'in-doubt',
    sentence: `${playbook.name} on ${name} stopped in doubt: ${error.message}`,
    facts: [['account', name], ['run', run], ...helpOf(error)],
    command: `deskhand resume ${shellWord(run)}`,
    playbook: playbook.name,
    profile: name,
    target,
    run,
  });
  await notifyAndWarn(notice, profile, context);
}

/** The subject that waits for an approval: a plan, or the rest of a run. */
type Waiting = { readonly plan: string } | { readonly run: string };

/** Does work, and notifies if an approval is missing: a pipeline may be refused without a person watching. */
export async function notifyingOfApproval<T>(
  { playbook, profile, ...waiting }: RunOf & Waiting,
  context: AppContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MissingApprovalError && context.canAsk?.() !== true) {
      const { name, target } = profile;
      const [what, id] = 'run' in waiting ? ['run', waiting.run] : ['plan', waiting.plan];
      const notice = noticeOf({
        event: 'approval-wanted',
        sentence: `${playbook.name} on ${name} waits for an approval: ${error.message}`,
        facts: [['account', name], [what, id], ...helpOf(error)],
        playbook: playbook.name,
        profile: name,
        target,
        ...('run' in waiting && { run: waiting.run }),
      });
      await notifyAndWarn(notice, profile, context);
    }
    throw error;
  }
}

function helpOf({ hint }: DeskhandError): readonly (readonly [string, string])[] {
  return hint === undefined ? [] : [['help', hint]];
}
