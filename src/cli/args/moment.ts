/** The bounds of a time range on the command line: `--from 2026-01-31`, `--to`. */
import { momentIn, type Millis } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import { plainText } from '../../base/text.ts';
import type { Args } from '../context.ts';

/** A bound; undefined if it is not given. @throws UsageError */
export function momentOf(args: Args, flag: 'from' | 'to'): Millis | undefined {
  const text = args.text(flag);
  if (text === undefined) return undefined;
  const moment = momentIn(text);
  if (moment !== undefined) return moment;
  throw new UsageError(
    `--${flag} is not a time: ${plainText(text, 60)}`,
    'write 2026-01-31 or 2026-01-31T08:00:00+08:00',
  );
}
