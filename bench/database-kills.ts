/**
 * Real processes of three machines that share their runs through Postgres. Processes and the
 * database server are killed by SIGKILL at random moments. Others are suspended, or cut off by a
 * relay that swallows packets both ways, for twice the lease, and continue while another machine
 * has their run. The clocks of two machines are an hour off. The sandbox's books say what was
 * placed. Several lanes run at once, each with a database server and an exchange.
 *
 *   npm run build && npx tsx bench/database-kills.ts [--kills 60] [--seed 1] [--lanes 3]
 */
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { cleanFile } from '../test/support/cleanup.ts';
import { DatabaseLane } from './processes/database-lane.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    lanes: { type: 'string', default: '3' },
  },
});
const wanted = Number(values.kills);
const killed = (): number => sum(({ counts }) => counts.kill + counts.database);
const mayKill = (): boolean => killed() < wanted;

const lanes: DatabaseLane[] = [];
const sum = (count: (lane: DatabaseLane) => number): number =>
  lanes.reduce((all, lane) => all + count(lane), 0);

const began = systemClock.monotonic();
try {
  for (let lane = 0; lane < Number(values.lanes); lane++) {
    lanes.push(await DatabaseLane.open(Number(values.seed) * 1_000 + lane, mayKill));
  }
  await Promise.all(
    lanes.map(async (lane) => {
      while (mayKill()) await lane.playRound();
    }),
  );
  const placed = (await Promise.all(lanes.map((lane) => lane.placed()))).flat();
  const twice = placed.filter((count) => count > 1).length;
  const lost = placed.filter((count) => count === 0).length;
  const wrong = sum(({ late, unknown, damaged }) => late + unknown + damaged);
  console.log(
    `seed ${values.seed}: ${sum(({ counts }) => counts.kill)} kills of processes, ` +
      `${sum(({ counts }) => counts.database)} of the database, ` +
      `${sum(({ counts }) => counts.suspend)} suspensions and ${sum(({ counts }) => counts.cut)} ` +
      `partitions in ${sum(({ rounds }) => rounds)} runs, ${placed.length} orders: ${twice} twice, ` +
      `${lost} lost, ${sum(({ late }) => late)} sent by a process whose run was taken, ` +
      `${sum(({ unknown }) => unknown)} without an intent, ` +
      `${sum(({ damaged }) => damaged)} journals damaged, ` +
      `${((systemClock.monotonic() - began) / 1000).toFixed(0)} s`,
  );
  process.exitCode = twice + lost + wrong === 0 ? 0 : 1;
} finally {
  await Promise.all(lanes.map((lane) => lane.close()));
  await cleanFile();
}
