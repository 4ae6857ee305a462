/** The log of a process that runs for days: each line begins with its time, as `00:08:39` UTC. */
import type { Clock, Millis } from '../../base/clock.ts';
import { onTerminal, type Context } from '../context.ts';
import { isLog } from './log-channel.ts';
import type { Channel, Terminal } from '../../report/terminal/terminal.ts';
import type { Theme } from '../../report/terminal/theme.ts';

export function timeWords(at: Millis, { paint }: Theme): string {
  return paint('faint', new Date(at).toISOString().slice(11, 19));
}

/** A context whose messages to people have times. */
export function withTimes(context: Context): Context {
  const { terminal, clock } = context;
  const timed: Terminal = {
    out: terminal.out,
    err: timedChannel(terminal.err, clock),
    env: terminal.env,
    get canAsk() {
      return terminal.canAsk;
    },
    get input() {
      return terminal.input;
    },
  };
  return onTerminal(context, timed);
}

function timedChannel(channel: Channel, clock: Clock): Channel {
  if (isLog(channel)) return channel; // its records have times
  return {
    ...channel,
    line: (text = '') => channel.line(`${timeWords(clock.now(), channel.theme)} ${text}`),
  };
}
