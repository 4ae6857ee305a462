/** Parses `--since 7d` as a time. */
import { lengthIn, type Millis } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';

/** The time of `--since`. @throws UsageError for an invalid duration */
export function sinceIn(text: string | undefined, now: Millis): Millis {
  if (text === undefined) return -Infinity;
  const length = lengthIn(text);
  if (length !== undefined) return now - length;
  throw new UsageError(`--since is a duration such as 2h or 7d, not ${JSON.stringify(text)}`);
}
