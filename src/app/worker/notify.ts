/** Notifies of a begun run whose job ended without it: no person may be following it. */
import type { Config } from '../config/load.ts';
import { mayHaveSent } from '../../engine/journal/possible.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { newestOf } from '../running/lost.ts';
import { notifyOfStanding } from '../running/notices.ts';
import type { Ending, Job } from '../../stores/queue.ts';
import type { StateStore } from '../../stores/store.ts';
import type { AppContext } from '../app-context.ts';

/** Makes the function that notifies of such a run; a run that reached its end has notified of that itself. */
export function notifying(
  { stateDir, profiles }: Config,
  context: AppContext & { readonly store: StateStore },
): (job: Job, ending: Ending) => Promise<void> {
  return async ({ id, kind }, { message, result }) => {
    if (kind === 'plan' || result !== undefined) return;
    const entries = await readRun(stateDir, id).catch(() => []); // it has not begun, or nothing can be said of it
    const [started] = entries;
    if (started?.kind !== 'started' || !mayHaveSent(entries)) return;
    const profile = profiles.get(started.destination.profile);
    if (profile === undefined) return;
    // A worker that was suspended may no longer have the job: another one that continued it notifies of its end.
    const newest = await newestOf(entries, { run: id, stateDir, store: context.store }, context);
    if (newest.length > entries.length) return;
    await notifyOfStanding(entries, message, profile, context);
  };
}
