/** The schedules that a command line names, and reports about files without any. */
import { day, lengthIn, minute } from '../../base/clock.ts';
import { UsageError } from '../../base/error.ts';
import { count, plainText } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import { schedulesIn, type Scheduled } from '../../app/schedule/found.ts';
import { printSkipped, readArgument } from '../args/named-file.ts';
import type { Context } from '../context.ts';

/** The schedules of the named files, or of all files in this folder. */
export function schedulesNamed(
  words: readonly string[],
  config: Config,
  context: Context,
): Promise<Scheduled> {
  return schedulesIn(words, config, context, (file) => readArgument(file, context.terminal));
}

/** Reports that none of the files has a schedule. */
export function noneScheduled({ files: [first = '', ...others] }: Scheduled): string {
  const more = others.length === 0 ? '' : ` and ${count(others.length, 'other file')}`;
  return `no schedule in ${plainText(first, 200)}${more}`;
}

/** Reports the skipped files, each reason once. */
export function printLeft(
  { left, others }: Scheduled,
  printed: Set<string>,
  { terminal }: Context,
): void {
  printSkipped([...others, ...left], { terminal }, printed);
}

/** The limit of `--late`, for infrequent timers. @throws UsageError */
export function lateAs(late: string | undefined, found: Scheduled): Scheduled {
  if (late === undefined) return found;
  const lateMs = lengthIn(late);
  if (lateMs === undefined || lateMs < minute || lateMs > day) {
    throw new UsageError(
      `--late is a duration from 1m to 1d, not ${JSON.stringify(late)}`,
      'as in 45m',
    );
  }
  return { ...found, schedules: found.schedules.map((schedule) => ({ ...schedule, lateMs })) };
}

/** The schedules of `--schedule`, which have these ids. @throws UsageError for an unknown id */
export function onlyThese(ids: readonly string[], found: Scheduled): Scheduled {
  if (ids.length === 0) return found;
  const known = found.schedules.map(({ id }) => id);
  const unknown = ids.find((id) => !known.includes(id));
  if (unknown !== undefined && found.left.length === 0) {
    throw new UsageError(
      `unknown schedule ${JSON.stringify(unknown)} here`,
      'the id depends on its times, steps and account: see `deskhand schedule list`',
    );
  }
  return { ...found, schedules: found.schedules.filter(({ id }) => ids.includes(id)) };
}
