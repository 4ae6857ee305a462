/** A channel whose lines are records of a log: stderr with `--log-format json`. */
import type { Millis } from '../../base/clock.ts';
import type { Secret } from '../../base/secret.ts';
import type { LogLevel } from '../context.ts';
import type { Channel } from '../../report/terminal/terminal.ts';

/** Fields of a record besides `time`, `level` and `msg`; undefined ones are left out. */
export type LogFields = Readonly<Record<string, string | number | undefined>>;

export interface LogChannel extends Channel {
  readonly log: (level: LogLevel, msg: string, fields?: LogFields, time?: Millis) => void;
  /**
   * A channel of the same log, with these fields in every record.
   * @param secrets that are masked in it; may grow. Default: those of this log
   */
  readonly with: (fields: LogFields, secrets?: readonly Secret[]) => LogChannel;
}

export function isLog(channel: Channel): channel is LogChannel {
  return 'log' in channel;
}
