/**
 * Loaded before a program: its clock stands at CLOCK_AT and advances only by what it sleeps, at once.
 * Sleeps of more than 15 s are not between requests, such as that before `still running`: they take as long as they take.
 * So a run has the same times on each machine. With CLOCK_STANDS=no the time passes from there.
 */
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import process from 'node:process';
import timers from 'node:timers/promises';

const { userInfo } = os;
os.userInfo = (...given) => ({ ...userInfo(...given), username: 'ann' });
syncBuiltinESMExports();

const at = Number(process.env.CLOCK_AT);
if (process.env.CLOCK_STANDS === 'no') {
  const [now, from] = [Date.now, Date.now()];
  Date.now = () => at + now() - from;
} else {
  let slept = 0;
  Date.now = () => at + Math.round(slept);
  process.hrtime.bigint = () => BigInt(Math.round(slept * 1_000_000));
  const sleep = timers.setTimeout;
  timers.setTimeout = async (ms, ...given) => {
    if (ms > 15_000) return sleep(ms, ...given);
    slept += ms;
    await timers.setImmediate();
  };
  syncBuiltinESMExports();
}
