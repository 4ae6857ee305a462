/** Lets one process at a time decide about schedules, claim occurrences, and pause. */
import { minute, second, type Clock } from '../../base/clock.ts';
import { LockedError } from '../../engine/journal/lock.ts';
import type { SchedulePlace } from './place.ts';

const patience = minute; // a check takes far less time

/** @throws LockedError when another process does not release the lock within a minute */
export async function alone<T>(
  { place, clock }: { readonly place: SchedulePlace; readonly clock: Clock },
  act: () => Promise<T>,
): Promise<T> {
  const since = clock.monotonic();
  for (;;) {
    try {
      const lock = await place.lock('schedule', 'the scheduler');
      try {
        return await act();
      } finally {
        await lock.release();
      }
    } catch (error) {
      const isWorthWaiting = error instanceof LockedError && !error.needsPerson;
      if (!isWorthWaiting || clock.monotonic() - since > patience) throw error;
      await clock.sleep(second / 20);
    }
  }
}
