/**
 * How workers over Postgres grow. Measures what an order, a run and a worker cost: one run at the
 * pace of its account, and an idle worker. Then the calls of a database with many rows, runs and
 * jobs, and the size of its tables. From these figures it computes the load of up to 1,000 accounts
 * and 50 workers.
 *
 *   npm run build && npx tsx bench/growth-workers.ts [--rows 1000000] [--running 1000] [--orders-a-day 1000]
 */
import { parseArgs } from 'node:util';
import { second, systemClock } from '../src/base/clock.ts';
import { openQueue } from '../src/stores/postgres/queue.ts';
import { openPostgres } from '../src/stores/postgres/runs.ts';
import type { Beside } from '../src/stores/store.ts';
import { upgradePostgres } from '../src/stores/postgres/upgrade.ts';
import { Machine } from '../test/postgres/machine.ts';
import { login, startPostgres, type PostgresServer } from '../test/postgres/server.ts';
import { cleanFile } from '../test/support/cleanup.ts';
import { batchOf, requestOf, taken } from '../test/stores/shared/contract.ts';
import { jobOf, workerOf } from '../test/stores/shared/queue-contract.ts';
import { median } from './figures/median.ts';
import { loadOf, sizes, textBytes, type Costs } from './growth/workers.ts';
import { deskhand, ladder, openDesk } from './processes/desk.ts';
import { filledDatabase } from './processes/filled-database.ts';
import { cpuOf, cpuOfProcess } from './processes/server-cpu.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    running: { type: 'string', default: '1000' },
    'orders-a-day': { type: 'string', default: '1000' },
  },
});
const lease = 4 * second;
const rowsEach = 100; // of a run

try {
  const costs = { ...(await orderCosts()), ...(await filledCosts()) };
  print(costs);
} finally {
  await cleanFile();
}

async function number(server: PostgresServer, text: string): Promise<number> {
  return Number((await server.sql(text, login.database))[0]?.['n']);
}

/** Of a run of 350 orders at 10 orders per second, and of a worker without a job. */
async function orderCosts(): Promise<
  Pick<
    Costs,
    'workerMs' | 'serverMs' | 'commits' | 'rows' | 'bytes' | 'idleCommits' | 'connections'
  >
> {
  const orders = 350;
  const settled = 150; // V8 has compiled what repeats
  const [desk, server] = await Promise.all([openDesk('[1]'), startPostgres()]);
  await upgradePostgres(server.url());
  const { baseUrl, controlUrl, uid } = desk;
  const { DESKHAND_STATE_DIR: _own, ...env } = desk.env;
  const site = { folder: desk.folder, launcher: deskhand, server, baseUrl, controlUrl, uid, env };
  const text = ladder(`range 20001 ${20_000 + orders}`, '{}');
  const machine = await Machine.open({ ...site, lease: '4s' }, 'one', text, 0);
  const commits = (): Promise<number> =>
    number(
      server,
      `select xact_commit as n from pg_stat_database where datname = '${login.database}'`,
    );
  const connections = (): Promise<number> =>
    number(server, `select count(*) as n from pg_stat_activity where usename = '${login.user}'`);

  const worker = machine.begin(['worker', '--slots', '8']);
  await systemClock.sleep(3 * second);
  const [idleFrom, idleAt] = [await commits(), systemClock.monotonic()];
  await systemClock.sleep(20 * second);
  const idleCommits =
    ((await commits()) - idleFrom - 1) / ((systemClock.monotonic() - idleAt) / second);
  const plan = ['plan', 'ladder.yaml', '--out', 'plan.json'];
  for (const words of [plan, ['run', 'plan.json', '--queue']]) {
    const { code, stderr } = await machine.begin(words).end;
    if (code !== 0) throw new Error(stderr);
  }
  await machine.untilSent(worker, settled);
  const before = {
    ours: cpuOfProcess(worker.child.pid),
    server: cpuOf(server),
    commits: await commits(),
  };
  await machine.untilSent(worker, orders);
  const many = orders - settled;
  const workerMs = (1000 * (cpuOfProcess(worker.child.pid) - before.ours)) / many;
  const serverMs = (1000 * (cpuOf(server) - before.server)) / many;
  const each = ((await commits()) - before.commits) / many;
  const open = await connections();
  await systemClock.sleep(3 * second);
  const stored = `from deskhand.lines`;
  const rows = (await number(server, `select count(*) as n ${stored}`)) / orders;
  const bytes = (await number(server, `select sum(length(text)) as n ${stored}`)) / orders;
  worker.child.kill('SIGTERM');
  await worker.end;
  await machine.close();
  await desk.close();
  return { workerMs, serverMs, commits: each, rows, bytes, idleCommits, connections: open };
}

/** Of the calls of a database with many rows. */
async function filledCosts(): Promise<Pick<Costs, 'calls' | 'tables'>> {
  const running = Number(values.running);
  const runs = Math.ceil(Number(values.rows) / rowsEach) - running;
  const filling = { runs, rows: rowsEach, bytes: textBytes, accounts: 1_000, running };
  const { server } = await filledDatabase(filling);
  const shared = openPostgres({ url: server.url(), lease, timeoutMs: 60 * second });
  const queue = openQueue({ url: server.url(), lease, timeoutMs: 60 * second });
  const { cursor } = await shared.changed();
  const calls: Record<string, Cost> = {};
  const measure = async (
    name: string,
    many: number,
    call: (nth: number) => Promise<unknown>,
  ): Promise<void> => {
    await call(-1);
    const from = cpuOf(server);
    const times: number[] = [];
    for (let nth = 0; nth < many; nth++) {
      const at = systemClock.monotonic();
      await call(nth);
      times.push(systemClock.monotonic() - at);
    }
    calls[name] = { ms: median(times), cpuMs: (1000 * (cpuOf(server) - from)) / many };
  };
  const worker = workerOf('w');
  await measure('take a run', 200, (nth) => taken(shared, requestOf(`new-${nth}`)));
  const { holder } = await taken(shared, requestOf('keeps'));
  let after = 0;
  await measure('store a line', 500, async () => {
    await shared.keep(holder, batchOf(after, `${'x'.repeat(textBytes)}\n`));
    after += 1;
  });
  await measure('renew a lease', 500, () => shared.renew(holder));
  await measure('list claims', 50, () => shared.claims());
  await measure('list changed runs', 50, () => shared.changed(cursor));
  const beside = (nth: number): Beside => {
    return { playbook: 'ladder', accounts: [`account ${nth + 2}`, `key ${nth + 2}`] };
  };
  await measure('find runs of an account', 200, (nth) => shared.changed(cursor, beside(nth)));
  await measure('check a playbook', 200, () => shared.isIdentified('ladder'));
  await measure('find a claim', 200, (nth) => shared.claims(`new-${nth}`));
  await measure('read a run', 200, (nth) => shared.lines(`r-${nth + 2}`, 0));
  await measure('look for a job', 100, () => queue.take(worker, lease));
  await measure('report of a worker', 200, () => queue.beat(worker, lease));
  await measure('queue a job', 200, (nth) => queue.put(jobOf(`job-${nth}`)));
  const tables: Record<string, number> = {};
  for (const table of ['lines', 'run', 'job']) {
    const size = `select pg_total_relation_size('deskhand.${table}')::float8 / count(*) as n from deskhand.${table}`;
    tables[table] = await number(server, size);
  }
  await Promise.all([shared.close(), queue.close()]);
  return { calls, tables };
}

interface Cost {
  readonly ms: number;
  readonly cpuMs: number;
}

function print(costs: Costs): void {
  const { workerMs, serverMs, commits, rows, bytes, idleCommits, connections, calls, tables } =
    costs;
  console.log(
    `an order at the pace of its account: ${workerMs.toFixed(2)} ms of CPU of the worker, ` +
      `${serverMs.toFixed(2)} ms of the server, ${commits.toFixed(1)} commits, ` +
      `${rows.toFixed(2)} rows, ${bytes.toFixed(0)} bytes of lines`,
  );
  console.log(
    `an idle worker: ${idleCommits.toFixed(1)} commits per second; a working one has ${connections} connections`,
  );
  console.log(`with ${values.rows} rows of lines and ${values.running} runs in progress:`);
  for (const [name, { ms, cpuMs }] of Object.entries(calls)) {
    console.log(
      `  ${name.padEnd(20)} ${ms.toFixed(1).padStart(7)} ms  ${cpuMs.toFixed(2).padStart(6)} ms of CPU`,
    );
  }
  for (const [name, size] of Object.entries(tables)) {
    console.log(
      `  ${name.padEnd(20)} ${size.toFixed(0).padStart(7)} bytes a row, with its indexes`,
    );
  }
  const ordersADay = Number(values['orders-a-day']);
  console.table(sizes.map((size) => loadOf(size, costs, ordersADay)));
}
