/**
 * A machine that sleeps: a run is stopped by SIGSTOP for longer than a signature is good for, and
 * continues. Meanwhile a second run must be blocked; after it, every order must be once.
 *
 *   npm run build && npx tsx bench/standstill.ts [--seconds 45]
 */
import { once } from 'node:events';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { openDesk } from './processes/desk.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '45' } } });
const seconds = Number(values.seconds);
const rungs = 30;
const desk = await openDesk(`range 30001 ${30_000 + rungs}`);

const sleeper = desk.begin(['run', 'ladder.yaml']);
const ended = once(sleeper, 'exit');
while ((await placed()).length < 3) await systemClock.sleep(5);
sleeper.kill('SIGSTOP');
const asleep = (await placed()).length;
const [second] = await once(desk.begin(['run', 'ladder.yaml']), 'exit');
await systemClock.sleep(seconds * 1000);
sleeper.kill('SIGCONT');
const [code] = await ended;
const times = await placed();
console.log(
  `asleep for ${seconds} s after ${asleep} orders; a second run ended with ${second}; it ended with ${code}: ` +
    `${times.length} of ${rungs} orders, ${times.filter((count) => count > 1).length} twice`,
);
await desk.close();
const isKept = times.length === rungs && times.every((count) => count === 1);
process.exitCode = isKept && code === 0 && second === 5 ? 0 : 1;

/** How often each of our orders stands. */
async function placed(): Promise<number[]> {
  const { open, closed } = Object(await desk.control(`orders?uid=${desk.uid}`));
  const counts = new Map<string, number>();
  for (const { clientOid } of [...open, ...closed]) {
    if (clientOid.startsWith('dh')) counts.set(clientOid, (counts.get(clientOid) ?? 0) + 1);
  }
  return [...counts.values()];
}
