/**
 * What commands and workers over Postgres cost beside many ended runs of one account: CPU of whole
 * processes, in a folder that has none of the runs and in one that knows them.
 *
 *   npm run build && npx tsx bench/past-runs.ts [--runs 10000] [--orders 5] [--only list,plan]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { day, hour, second, systemClock } from '../src/base/clock.ts';
import { upgradePostgres } from '../src/stores/postgres/upgrade.ts';
import { login, startPostgres, type PostgresServer } from '../test/postgres/server.ts';
import { cleanFile } from '../test/support/cleanup.ts';
import { onlyStart } from './growth/records.ts';
import { ladder, openDesk, type Desk } from './processes/desk.ts';
import { Place, show, type Spending } from './processes/place.ts';
import { storePastRuns } from './processes/filled-store.ts';
import { cpuOf, cpuOfProcess } from './processes/server-cpu.ts';
import { once } from 'node:events';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    orders: { type: 'string', default: '5' },
    skip: { type: 'string', default: '' },
  },
});
const runs = Number(values.runs);
const orders = Number(values.orders);

const lease = 4; // s, the default

/**
 * Kills the worker of a run between two of its orders. Wall: from the end of the lease to the first line that
 * another worker stored, which was started at the kill in a folder of its own and knows no run.
 */
async function takeover(desk: Desk, server: PostgresServer): Promise<Spending> {
  const [one, two, asks] = ['lost', 'next', 'long'].map(
    (name) => new Place(desk, server, name, orders),
  );
  if (one === undefined || two === undefined || asks === undefined) throw new TypeError('places');
  const text = ladder('range 30001 30200', '{}').replace(
    'orderType: limit',
    'orderType: limit, force: ioc',
  );
  for (const { folder } of [one, two, asks]) writeFileSync(join(folder, 'ladder.yaml'), text);
  const lost = one.start(['worker', '--slots', '1']);
  await asks.spend(['plan', 'ladder.yaml', '--queue', '--out', 'plan.json'], [0, 2]);
  await asks.spend(['run', 'plan.json', '--queue']);
  const stored = async (): Promise<number> => {
    const sql = 'select max(lines) as n from deskhand.run where ended is null';
    return Number((await server.sql(sql, login.database))[0]?.['n'] ?? 0);
  };
  while ((await stored()) < 60) await systemClock.sleep(50);
  lost.kill('SIGKILL');
  await once(lost, 'exit');
  const [before, at] = [await stored(), systemClock.monotonic()];
  const next = two.start(['worker', '--slots', '1']);
  next.stdout?.resume();
  next.stderr?.resume();
  while ((await stored()) === before) await systemClock.sleep(20);
  const wall = (systemClock.monotonic() - at) / second - lease;
  const cpu = cpuOfProcess(next.pid);
  next.kill('SIGKILL');
  await once(next, 'exit');
  return { cpu, wall };
}

try {
  const [desk, server] = await Promise.all([openDesk('[1]'), startPostgres()]);
  await upgradePostgres(server.url());
  const model = new Place(desk, server, 'model', orders);
  await model.spend(['plan', 'ladder.yaml', '--out', 'plan.json'], [0, 2]);
  await model.spend(['run', 'plan.json']);
  const started = onlyStart(join(model.folder, '.deskhand'));
  await storePastRuns(server, started, {
    runs,
    orders,
    until: systemClock.now() - hour,
    every: (365 * day) / runs,
  });
  console.log(`${runs} runs of ${orders} orders`);

  const fresh = new Place(desk, server, 'fresh', orders);
  show('runs list in a fresh folder', await fresh.spend(['runs', 'list']));
  show('runs list again', await fresh.spend(['runs', 'list']));
  show('runs list again', await fresh.spend(['runs', 'list']));
  const all = ['runs', 'list', '--status', 'done']; // its page may be anywhere, so all runs are fetched
  show('runs list of a status, first', await fresh.spend(all));
  show('runs list, when all runs are known', await fresh.spend(['runs', 'list']));
  const drifts = values.skip !== 'drift';
  if (drifts) show('drift, first', await fresh.spend(['drift', 'ladder.yaml'], [0, 2, 10]));
  if (drifts) show('drift, warm', await fresh.spend(['drift', 'ladder.yaml'], [0, 2, 10]));
  const unused = readFileSync(join(fresh.folder, 'ladder.yaml'), 'utf8');
  writeFileSync(join(fresh.folder, 'unused.yaml'), unused.replace('name: ladder', 'name: unused'));
  if (drifts) show('drift of a playbook without runs', await fresh.spend(['drift', 'unused.yaml']));
  show('metrics, warm', await fresh.spend(['runs', 'metrics']));
  show('runs prune, warm', await fresh.spend(['runs', 'prune']));
  show('plan, warm', await fresh.spend(['plan', 'ladder.yaml'], [0, 2, 10]));

  const one = new Place(desk, server, 'one', orders);
  const worker = one.start(['worker', '--slots', '1']);
  worker.stdout?.resume();
  worker.stderr?.pipe(process.stderr);
  await systemClock.sleep(3 * second);
  const asks = new Place(desk, server, 'asks', orders);
  const serverBefore = cpuOf(server);
  let before = cpuOfProcess(worker.pid);
  const plan = await asks.spend(['plan', 'ladder.yaml', '--queue', '--out', 'plan-0.json'], [0, 2]);
  show('a new worker’s first plan', { cpu: cpuOfProcess(worker.pid) - before, wall: plan.wall });
  show('  of the server', { cpu: cpuOf(server) - serverBefore, wall: 0 });
  for (const nth of [0, 1, 2]) {
    before = cpuOfProcess(worker.pid);
    const file = `plan-${nth}.json`;
    if (nth > 0) await asks.spend(['plan', 'ladder.yaml', '--queue', '--out', file], [0, 2]);
    const planned = cpuOfProcess(worker.pid) - before;
    const ran = await asks.spend(['run', file, '--queue', '--follow']);
    await systemClock.sleep(second / 2);
    show(`a warm worker: plan ${nth}`, { cpu: planned, wall: 0 });
    show(`a warm worker: run ${nth}`, {
      cpu: cpuOfProcess(worker.pid) - before - planned,
      wall: ran.wall,
    });
  }
  worker.kill('SIGTERM');
  await once(worker, 'exit');
  show('a takeover by a new worker, to its first line', await takeover(desk, server));
  await desk.close();
} finally {
  await cleanFile();
}
