/** The end of a run whose record is full: it begins nothing new. */
import { exits } from '../../base/error.ts';
import type { Outcome } from '../journal/entry.ts';
import { longestRecord } from '../journal/record-bound.ts';
import type { Proven } from '../journal/replay.ts';

/**
 * The failure of a task that does not begin because the record of its run is full; undefined for one that may
 * begin. A task that has begun is finished: nothing that it did may stay unknown.
 */
export function fullRecord(
  key: string,
  { attempts, openSince, reading, asked, unreported }: Proven,
  length: number,
): Outcome | undefined {
  const hasBegun = attempts > 0 || openSince.length > 0 || (reading ?? asked) !== undefined;
  if (length < longestRecord || hasBegun || unreported !== undefined) return undefined;
  return {
    kind: 'failed',
    code: 'record-full',
    message: `${key} did not begin: the record of the run has ${longestRecord / 2 ** 20} MiB, the most that is read again`,
    hint: 'start another run for the rest; give reads of many rows a `write`, which keeps them out of the record',
    exit: exits.stopped,
  };
}
