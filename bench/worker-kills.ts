/**
 * Runs of 200 orders in a queue, and three workers that execute them over Postgres. Workers and the
 * database server are killed by SIGKILL at random moments; some workers are suspended past their
 * lease and wake up when another has the run. The clocks of two machines are an hour off. The
 * sandbox accepts a clientOid twice, so its books show a second order; its list of requests shows
 * how many orders arrived in a second, and how many requests were refused by a rate limit.
 *
 *   npm run build && npx tsx bench/worker-kills.ts [--runs 5] [--kills 100] [--seed 1] [--lanes 2]
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { second, systemClock } from '../src/base/clock.ts';
import { seededRandom } from '../src/base/random.ts';
import { cleanFile } from '../test/support/cleanup.ts';
import { WorkerLane, type Strike } from './processes/worker-lane.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '2' },
  },
});
const runs = Number(values.runs);
const killsEach = Math.ceil(Number(values.kills) / runs);

/** Shares of the strikes. */
const shares: readonly Strike[] = [
  ...Array<Strike>(9).fill('worker'),
  ...Array<Strike>(2).fill('idle-worker'),
  ...Array<Strike>(4).fill('database'),
  ...Array<Strike>(4).fill('suspend'),
];

let begun = 0;
const lanes: WorkerLane[] = [];
const sum = (count: (lane: WorkerLane) => number): number =>
  lanes.reduce((all, lane) => all + count(lane), 0);

async function openLane(place: number): Promise<WorkerLane> {
  const random = seededRandom(Number(values.seed) * 1_000 + place);
  const left = new Map<number, number>();
  return WorkerLane.open({
    orders: 200,
    random,
    next: (run) => {
      const kills = left.get(run) ?? killsEach;
      if (kills === 0) return undefined;
      const strike = shares[random.integer(shares.length)] ?? 'worker';
      left.set(run, strike === 'suspend' ? kills : kills - 1);
      return { strike, after: random.integer(7 * second) };
    },
  });
}

const start = systemClock.monotonic();
try {
  for (let place = 0; place < Number(values.lanes); place++) lanes.push(await openLane(place));
  await Promise.all(
    lanes.map(async (lane) => {
      while (begun < runs) {
        begun += 1;
        await lane.playRound();
      }
    }),
  );
  const placed = (await Promise.all(lanes.map((lane) => lane.placed()))).flat();
  const twice = placed.filter((count) => count > 1).length;
  const lost = placed.filter((count) => count === 0).length;
  const failed = lanes.flatMap((lane) => lane.failed);
  const most = Math.max(...lanes.map(({ requests }) => requests.mostInSecond));
  const limited = sum(({ requests }) => requests.limited);
  const kills = sum(({ counts }) => counts.worker + counts['idle-worker']);
  console.log(
    `seed ${values.seed}: ${kills} kills of workers, ${sum(({ counts }) => counts.database)} of the ` +
      `database and ${sum(({ counts }) => counts.suspend)} suspensions in ${runs} runs, ` +
      `${placed.length} orders: ${twice} twice, ${lost} lost, ${sum(({ unknown }) => unknown)} ` +
      `without an intent, ${sum(({ damaged }) => damaged)} journals damaged, at most ${most} orders ` +
      `in a second, ${limited} requests refused by a rate limit, ` +
      `${((systemClock.monotonic() - start) / 1000).toFixed(0)} s`,
  );
  for (const what of failed) console.log(what);
  const wrong = sum(({ unknown, damaged }) => unknown + damaged) + limited + failed.length;
  process.exitCode = twice + lost + wrong === 0 && most <= 10 ? 0 : 1;
} finally {
  await Promise.all(lanes.map((lane) => lane.close()));
  await cleanFile();
}
