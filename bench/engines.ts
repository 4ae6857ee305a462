/**
 * Orders whose journals are kept in files, compared with a Postgres server: CPU of our process and
 * of the server for each order, and orders per second, with several runs at once against a stub.
 * Then the time from the kill of a process to the first order of the next one, by hand: `resume` is
 * started again and again.
 *
 *   npm run build && npx tsx bench/engines.ts [--orders 2000] [--runs 8] [--rounds 5] [--kills 5]
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock, type Millis } from '../src/base/clock.ts';
import { upgradePostgres } from '../src/state-store/postgres/upgrade.ts';
import { runFrom } from '../test/postgres/books.ts';
import { Machine } from '../test/postgres/machine.ts';
import { startPostgres, type PostgresServer } from '../test/postgres/server.ts';
import { cleanFile } from '../test/support/cleanup.ts';
import { median } from './figures/median.ts';
import { deskhand, ladder, openDesk } from './processes/desk.ts';
import { cpuOf } from './processes/server-cpu.ts';
import { spentBy } from './processes/spent.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
    kills: { type: 'string', default: '5' },
  },
});
const orders = Number(values.orders);
const runs = Number(values.runs);
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'deskhand-engines-'));
const files = { one: playbookOf(1), many: playbookOf(orders + 1) };

interface Cost {
  /** Seconds of CPU: of our process, and of the database server. */
  readonly ours: number;
  readonly server: number;
  readonly seconds: number;
}

try {
  await compareEngines();
  await measureTakeovers();
} finally {
  rmSync(folder, { recursive: true });
  await cleanFile();
}

async function compareEngines(): Promise<void> {
  execFileSync(process.execPath, [join(here, 'processes', 'bundle.mjs'), folder]);
  const stub = fork(join(here, 'workflow', 'server.mjs'));
  const [{ port }] = (await once(stub, 'message')) as [{ port: number }];
  const baseUrl = `http://127.0.0.1:${port}`;
  const database = await startPostgres();
  await upgradePostgres(database.url());
  const costs = { embedded: [] as Cost[], postgres: [] as Cost[] };
  for (let round = 0; round < Number(values.rounds); round++) {
    costs.embedded.push(await costOf(baseUrl));
    costs.postgres.push(await costOf(baseUrl, database));
  }
  stub.disconnect();
  for (const [name, of] of Object.entries(costs)) {
    const ms = (pick: (cost: Cost) => number): string =>
      median(of.map((cost) => (1000 * pick(cost)) / (orders * runs))).toFixed(3);
    const speed = median(of.map(({ seconds }) => (orders * runs) / seconds)).toFixed(0);
    console.log(
      `${name}: ${ms(({ ours }) => ours)} ms of CPU for each order, ${ms(({ server }) => server)} ms ` +
        `of the server; ${speed} orders per second, ${runs} runs at once`,
    );
  }
  const ratios = costs.postgres.map(({ ours, server }, round) => {
    return (ours + server) / (costs.embedded[round]?.ours ?? NaN);
  });
  console.log(`postgres: ${median(ratios).toFixed(2)} × the CPU of embedded`);
}

/** Without the cost of the start of a process and its runs. */
async function costOf(baseUrl: string, database?: PostgresServer): Promise<Cost> {
  const [least, most] = [
    await costOfFile(files.one, baseUrl, database),
    await costOfFile(files.many, baseUrl, database),
  ];
  return {
    ours: most.ours - least.ours,
    server: most.server - least.server,
    seconds: most.seconds - least.seconds,
  };
}

async function costOfFile(
  file: string,
  baseUrl: string,
  database: PostgresServer | undefined,
): Promise<Cost> {
  const place = mkdtempSync(join(folder, 'run-'));
  const words = [baseUrl, place, file, String(runs)];
  const env = { ...process.env, ...(database && { DESK_DATABASE: database.url() }) };
  await database?.sql('truncate deskhand.run, deskhand.lines, deskhand.account', 'trades');
  const before = database === undefined ? 0 : cpuOf(database);
  const began = systemClock.monotonic();
  const { cpu } = await spentBy(join(folder, 'runner.js'), words, { env });
  const seconds = (systemClock.monotonic() - began) / 1000;
  const server = database === undefined ? 0 : cpuOf(database) - before;
  return { ours: cpu, server, seconds };
}

async function measureTakeovers(): Promise<void> {
  const [desk, server] = await Promise.all([openDesk('[1]'), startPostgres()]);
  await upgradePostgres(server.url());
  const { baseUrl, controlUrl, uid } = desk;
  const { DESKHAND_STATE_DIR: _own, ...env } = desk.env;
  const site = { folder: desk.folder, launcher: deskhand, server, baseUrl, controlUrl, uid, env };
  const text = ladder('range inputs.base (add inputs.base 29)', '{ base: { type: integer } }');
  const [one, two] = await Promise.all(
    ['one', 'two'].map((name) => Machine.open({ ...site, lease: '4s' }, name, text, 0)),
  );
  if (one === undefined || two === undefined) return;
  const took: Millis[] = [];
  for (let kill = 0; kill < Number(values.kills); kill++) {
    const base = 20_000 + 100 * kill;
    const life = one.begin(['run', 'ladder.yaml', '--var', `base=${base}`]);
    await one.untilSent(life, 10);
    await systemClock.sleep(300); // ten orders in each second: no response is pending
    life.child.kill('SIGKILL');
    const began = systemClock.monotonic();
    const next = await two.takeOver((await runFrom(server, base)) ?? '');
    took.push(systemClock.monotonic() - began);
    await next.end;
  }
  await Promise.all([one.close(), two.close(), desk.close()]);
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  console.log(
    `first order after a kill, lease 4 s: ${seconds(median(took))} s, at most ${seconds(Math.max(...took))} s`,
  );
}

function playbookOf(count: number): string {
  const path = join(folder, `orders-${count}.yaml`);
  writeFileSync(
    path,
    `playbook: 1
name: bench
steps:
  - id: calls
    for-each: "{{ range 1 ${count} }}"
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "{{ add 40000 each.value }}", size: "0.001" }
`,
  );
  return path;
}
