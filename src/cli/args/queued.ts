/** The flags that send a command to a worker, and limit the wait for one. */
import { lengthIn, type Millis } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import type { Args } from '../context.ts';

/** Whether `--queue` was given. @throws UsageError for flags that mean nothing without it */
export function isQueued(args: Args): boolean {
  if (args.isOn('queue')) return true;
  if (args.text('wait') !== undefined) {
    throw new UsageError('--wait is for --queue', 'without --queue no worker is needed');
  }
  if (!args.isOn('follow')) return false;
  throw new UsageError('--follow is for --queue', 'a run on this machine is shown anyway');
}

/** The duration of `--wait`; undefined without a limit. @throws UsageError */
export function waitIn(args: Args): Millis | undefined {
  const text = args.text('wait');
  if (text === undefined) return undefined;
  const wait = lengthIn(text);
  if (wait !== undefined && wait > 0) return wait;
  throw new UsageError('--wait is a duration', 'such as 30s, 10m or 2h');
}
