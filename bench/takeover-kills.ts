/**
 * Real processes of two machines that share their state through git, killed by SIGKILL at moments
 * of chance. Each life of a run is on either machine; the other takes over when the lease has run
 * out by the exchange's clock, which is put forward for it. Sometimes the first machine was only
 * asleep, and wakes up when the other is done. The sandbox's books say what was placed, and the
 * runs what was reported. Several lanes run at once, each with its own exchange and repository:
 * most of the time is spent waiting for the outcome of an order that was lost.
 *
 *   npm run build && npx tsx bench/takeover-kills.ts [--kills 500] [--seed 1] [--lanes 6]
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { Lane } from './processes/lane.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '6' },
  },
});
const wanted = Number(values.kills);
let kills = 0;
const mayKill = (): boolean => kills < wanted && ++kills > 0;

const began = systemClock.monotonic();
const lanes = await Promise.all(
  Array.from({ length: Number(values.lanes) }, (_, lane) =>
    Lane.open(Number(values.seed) * 1_000 + lane, mayKill),
  ),
);
await Promise.all(
  lanes.map(async (lane) => {
    while (kills < wanted) await lane.playRound();
  }),
);
const placed = (await Promise.all(lanes.map((lane) => lane.placed()))).flat();
await Promise.all(lanes.map((lane) => lane.close()));

const sum = (count: (lane: Lane) => number): number =>
  lanes.reduce((all, lane) => all + count(lane), 0);
const twice = placed.filter((count) => count > 1).length;
const lost = placed.filter((count) => count === 0).length;
const unreported = sum((lane) => lane.unreported);
const seconds = ((systemClock.monotonic() - began) / 1000).toFixed(0);
console.log(
  `seed ${values.seed}: ${kills} kills, ${sum((lane) => lane.sleeps)} sleeps and ` +
    `${sum((lane) => lane.takeovers)} leases run out in ${sum((lane) => lane.rounds)} runs, ` +
    `${placed.length} orders: ${twice} twice, ${lost} lost, ${unreported} unreported, ${seconds} s`,
);
process.exitCode = twice + lost + unreported === 0 ? 0 : 1;
