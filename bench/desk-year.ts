/**
 * What a machine of a desk of many accounts costs over Postgres, after each account had a run a day for a year:
 * CPU and memory of whole processes. The runs are stored as workers would have stored them, with their summaries.
 *
 *   npm run build && npx tsx bench/desk-year.ts [--accounts 1000] [--days 365] [--orders 1]
 */
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { day, hour, second, systemClock } from '../src/base/clock.ts';
import { upgradePostgres } from '../src/stores/postgres/upgrade.ts';
import { startPostgres } from '../test/postgres/server.ts';
import { cleanFile } from '../test/support/cleanup.ts';
import { onlyStart } from './growth/records.ts';
import { openDesk } from './processes/desk.ts';
import { storePastRuns } from './processes/filled-store.ts';
import { Place, show } from './processes/place.ts';
import { cpuOf, cpuOfProcess, peakOfProcess } from './processes/server-cpu.ts';

const { values } = parseArgs({
  options: {
    accounts: { type: 'string', default: '1000' },
    days: { type: 'string', default: '365' },
    orders: { type: 'string', default: '1' },
  },
});
const accounts = Number(values.accounts);
const days = Number(values.days);
const orders = Number(values.orders);

try {
  const [desk, server] = await Promise.all([openDesk('[1]'), startPostgres()]);
  await upgradePostgres(server.url());
  const placeOf = (name: string): Place => new Place(desk, server, name, orders);
  const model = placeOf('model');
  await model.spend(['plan', 'ladder.yaml', '--out', 'plan.json'], [0, 2]);
  await model.spend(['run', 'plan.json']);
  const started = onlyStart(join(model.folder, '.deskhand'));
  const { destination } = started;
  const until = systemClock.now() - hour;
  for (let nth = 0; nth < accounts; nth++) {
    const name = String(nth).padStart(5, '0');
    const account =
      nth === 0
        ? destination
        : { ...destination, accountId: `desk-${name}`, keyFingerprint: `key-${name}` };
    const first = 1 + nth * days;
    const isPart = nth < accounts - 1;
    const past = { runs: days, orders, until: until - nth * second, every: day, first, isPart };
    await storePastRuns(server, { ...started, destination: account }, past);
  }
  console.log(`${accounts} accounts with ${days} runs of ${orders} orders each`);

  const worker = placeOf('one').start(['worker', '--slots', '1']);
  worker.stdout?.resume();
  worker.stderr?.pipe(process.stderr);
  await systemClock.sleep(3 * second);
  const asks = placeOf('asks');
  for (const nth of [0, 1, 2]) {
    const [own, before] = [cpuOfProcess(worker.pid), cpuOf(server)];
    const file = `plan-${nth}.json`;
    const plan = await asks.spend(['plan', 'ladder.yaml', '--queue', '--out', file], [0, 2]);
    show(`worker, plan ${nth}`, { cpu: cpuOfProcess(worker.pid) - own, wall: plan.wall });
    const planned = cpuOfProcess(worker.pid);
    const ran = await asks.spend(['run', file, '--queue', '--follow']);
    await systemClock.sleep(second / 2);
    show(`worker, run ${nth}`, { cpu: cpuOfProcess(worker.pid) - planned, wall: ran.wall });
    show('  of the server', { cpu: cpuOf(server) - before, wall: 0 });
  }
  console.log(`memory of the worker at its peak: ${peakOfProcess(worker.pid).toFixed(0)} MB`);
  worker.kill('SIGTERM');
  await once(worker, 'exit');

  const fresh = placeOf('fresh');
  for (const [what, words, codes = [0]] of [
    ['runs list in a fresh folder', ['runs', 'list']],
    ['runs list again', ['runs', 'list']],
    ['runs list --playbook', ['runs', 'list', '--playbook', 'ladder']],
    ['runs list --since 7d', ['runs', 'list', '--since', '7d']],
    ['drift, first', ['drift', 'ladder.yaml'], [0, 2, 10]],
    ['drift, warm', ['drift', 'ladder.yaml'], [0, 2, 10]],
    ['metrics', ['runs', 'metrics']],
    ['runs prune', ['runs', 'prune']],
    ['runs list, when all runs are known', ['runs', 'list']],
  ] as const) {
    const before = cpuOf(server);
    show(what, await fresh.spend(words, codes));
    show('  of the server', { cpu: cpuOf(server) - before, wall: 0 });
  }
  await desk.close();
} finally {
  await cleanFile();
}
