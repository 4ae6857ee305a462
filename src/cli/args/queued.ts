/** Whether a run is for a worker. */
import { UsageError } from '../../base/error.ts';
import type { Args } from '../context.ts';

/** @throws UsageError for --follow without --queue, which would be ignored */
export function isQueued(args: Args): boolean {
  if (args.isOn('queue')) return true;
  if (!args.isOn('follow')) return false;
  throw new UsageError('--follow is for --queue', 'a run on this machine is shown anyway');
}
