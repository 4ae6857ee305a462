/**
 * Loaded before a program: a sleep of HURRY_MS, such as that between two lookups, ends immediately,
 * or after HURRY_PAUSE_MS, and the clocks of the program and of the exchange at HURRY_CONTROL
 * advance by its duration. A pause of a second keeps rate limits, which the exchange counts by a
 * clock that does not advance, if nothing else sends meanwhile.
 */
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import timers from 'node:timers/promises';

const { HURRY_CONTROL = '', HURRY_MS = '', HURRY_PAUSE_MS = '0' } = process.env;
const [sleep, now, monotonic] = [
  timers.setTimeout,
  Date.now,
  process.hrtime.bigint.bind(process.hrtime),
];
let ahead = 0;

Date.now = () => now() + ahead;
process.hrtime.bigint = () => monotonic() + BigInt(ahead) * 1_000_000n;
timers.setTimeout = async (ms, ...given) => {
  if (ms !== Number(HURRY_MS)) return sleep(ms, ...given);
  if (HURRY_PAUSE_MS !== '0') await sleep(Number(HURRY_PAUSE_MS));
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ ms });
  const answer = await fetch(`${HURRY_CONTROL}/clock/advance`, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`the exchange’s clock did not advance: ${answer.status}`);
  ahead += ms;
};
syncBuiltinESMExports();
