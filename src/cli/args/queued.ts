/** Whether a command is for a worker, and how long it waits for one. */
import { lengthIn, type Millis } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import type { Args } from '../context.ts';

/** @throws UsageError for flags that mean nothing without --queue */
export function isQueued(args: Args): boolean {
  if (args.isOn('queue')) return true;
  if (args.text('wait') !== undefined) {
    throw new UsageError('--wait is for --queue', 'without --queue no worker is needed');
  }
  if (!args.isOn('follow')) return false;
  throw new UsageError('--follow is for --queue', 'a run on this machine is shown anyway');
}

/** `--wait`; undefined: as long as it takes. @throws UsageError */
export function waitIn(args: Args): Millis | undefined {
  const text = args.text('wait');
  if (text === undefined) return undefined;
  const wait = lengthIn(text);
  if (wait !== undefined && wait > 0) return wait;
  throw new UsageError('--wait is a duration', 'such as 30s, 10m or 2h');
}
