/**
 * Orders whose journals are kept in files, compared with a Postgres server and with Restate: CPU of
 * our process and of the server for each order (of Restate also of the service), and orders per
 * second, with several runs at once against a stub.
 * Then the time from the kill of a process to the first order of the next one, by hand: `resume` is
 * started again and again.
 *
 *   npm run build && npm ci --prefix test/restate
 *   npx tsx bench/engines.ts [--orders 2000] [--runs 8] [--parallel 10] [--rounds 5] [--kills 5] [--doubts 3]
 *
 * `--doubts` kills a process between an intent and its request, over Postgres: what share of the time until
 * that order exists is the wait until the request of the killed process can no longer arrive.
 *
 * `--parallel` is the number of orders of a run that are placed at the same time; 1: one after the
 * other, so that each order is a batch of lines.
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock, type Millis } from '../src/base/clock.ts';
import { readRun } from '../src/engine/journal/runs.ts';
import { upgradePostgres } from '../src/stores/postgres/upgrade.ts';
import { Machine, type MachineServer } from '../test/postgres/machine.ts';
import { startPostgres, type PostgresServer } from '../test/postgres/server.ts';
import { cleanFile } from '../test/support/cleanup.ts';
import { median } from './figures/median.ts';
import { deskhand, ladder, openDesk, type Desk } from './processes/desk.ts';
import { cpuOf } from './processes/server-cpu.ts';
import { startRestate, type RunningRestate } from './processes/restate.ts';
import { spentBy } from './processes/spent.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '2000' },
    runs: { type: 'string', default: '8' },
    parallel: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '5' },
    kills: { type: 'string', default: '5' },
    doubts: { type: 'string', default: '3' },
  },
});
const orders = Number(values.orders);
const runs = Number(values.runs);
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'deskhand-engines-'));
const names = ['embedded', 'postgres', 'restate'] as const;
const files = { one: playbookOf(1), many: playbookOf(orders + 1) };

interface Cost {
  /** Seconds of CPU: of our process, and of the database server. */
  readonly ours: number;
  readonly server: number;
  readonly seconds: number;
}

try {
  if (values.rounds !== '0') await compareEngines();
  if (values.kills !== '0') await measureTakeovers();
  if (values.doubts !== '0') await measureDoubts();
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
  const restate = await startRestate();
  const stores = { embedded: undefined, postgres: overPostgres(database), restate: over(restate) };
  const costs = { embedded: [] as Cost[], postgres: [] as Cost[], restate: [] as Cost[] };
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const name of names) costs[name].push(await costOf(baseUrl, stores[name]));
  }
  stub.disconnect();
  await restate.close();
  for (const [name, of] of Object.entries(costs)) {
    const ms = (pick: (cost: Cost) => number): string =>
      median(of.map((cost) => (1000 * pick(cost)) / (orders * runs))).toFixed(3);
    const speed = median(of.map(({ seconds }) => (orders * runs) / seconds)).toFixed(0);
    console.log(
      `${name}: ${ms(({ ours }) => ours)} ms of CPU for each order, ${ms(({ server }) => server)} ms ` +
        `of the server; ${speed} orders per second, ${runs} runs at once, ${values.parallel} orders of each`,
    );
  }
  for (const name of ['postgres', 'restate'] as const) {
    const ratios = costs[name].map(({ ours, server }, round) => {
      return (ours + server) / (costs.embedded[round]?.ours ?? NaN);
    });
    console.log(`${name}: ${median(ratios).toFixed(2)} × the CPU of embedded`);
  }
}

/** What keeps the runs, without any. */
interface EmptyStore {
  /** @returns the variable with its address */
  clear(): Promise<Readonly<Record<string, string>>>;
  /** Seconds of CPU so far. */
  cpu(): number;
}

function overPostgres(database: PostgresServer): EmptyStore {
  return {
    clear: async () => {
      await database.sql('truncate deskhand.run, deskhand.lines, deskhand.account', 'trades');
      return { DESK_DATABASE: database.url() };
    },
    cpu: () => cpuOf(database),
  };
}

function over(restate: RunningRestate): EmptyStore {
  let desks = 0;
  return {
    clear: async () => ({ DESK_RESTATE: `${restate.server.url}/desk-${++desks}` }),
    cpu: () => restate.cpu(),
  };
}

/** Without the cost of the start of a process and its runs. */
async function costOf(baseUrl: string, store: EmptyStore | undefined): Promise<Cost> {
  const [least, most] = [
    await costOfFile(files.one, baseUrl, store),
    await costOfFile(files.many, baseUrl, store),
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
  store: EmptyStore | undefined,
): Promise<Cost> {
  const place = mkdtempSync(join(folder, 'run-'));
  const words = [baseUrl, place, file, String(runs)];
  const env = { ...process.env, ...(await store?.clear()) };
  const before = store?.cpu() ?? 0;
  const began = systemClock.monotonic();
  const { cpu } = await spentBy(join(folder, 'runner.js'), words, { env });
  const seconds = (systemClock.monotonic() - began) / 1000;
  const server = (store?.cpu() ?? 0) - before;
  return { ours: cpu, server, seconds };
}

async function measureTakeovers(): Promise<void> {
  const server = await startPostgres();
  await upgradePostgres(server.url());
  await measureTakeover({ name: 'postgres', server, lease: '4s' });
  const restate = await startRestate();
  const { port } = new URL(restate.server.url);
  for (const lease of ['4s', '2s']) {
    // A desk for each, so that a run to take over is not one of the measurement before.
    const ingress = {
      port: Number(port),
      url: (more: { readonly port: number }) => `http://127.0.0.1:${more.port}/lease-${lease}`,
    };
    const store = `store: restate, service: "${restate.service}", admin: "${restate.server.admin}"`;
    await measureTakeover({ name: 'restate', server: ingress, lease, store });
  }
  await restate.close();
}

interface Takeover {
  readonly name: string;
  readonly server: MachineServer;
  readonly lease: string;
  readonly store?: string;
}

interface Pair {
  readonly desk: Desk;
  readonly one: Machine;
  readonly two: Machine;
  readonly close: () => Promise<void>;
}

/** Two machines that share a store, with a run of thirty orders. */
async function pairOver({ name: _name, ...where }: Takeover): Promise<Pair> {
  const desk = await openDesk('[1]');
  const { baseUrl, controlUrl, uid } = desk;
  const { DESKHAND_STATE_DIR: _own, ...env } = desk.env;
  const site = { folder: desk.folder, launcher: deskhand, baseUrl, controlUrl, uid, env, ...where };
  const text = ladder('range inputs.base (add inputs.base 29)', '{ base: { type: integer } }');
  const one = await Machine.open(site, 'one', text, 0);
  const two = await Machine.open(site, 'two', text, 0);
  const close = async (): Promise<void> => {
    await Promise.all([one.close(), two.close(), desk.close()]);
  };
  return { desk, one, two, close };
}

/** The request of the eleventh order is lost, and with it the process that sent it. */
async function measureDoubts(): Promise<void> {
  const server = await startPostgres();
  await upgradePostgres(server.url());
  const { desk, one, two, close } = await pairOver({ name: 'postgres', server, lease: '4s' });
  const took: Millis[] = [];
  const waited: Millis[] = [];
  for (let kill = 0; kill < Number(values.doubts); kill++) {
    const match = { operation: 'futures/place-order', nth: 11 };
    const never = { kind: 'never', ms: 600_000 };
    await desk.setFaults([{ match, when: 'before', times: 1, action: never }]);
    const known = new Set(two.runs());
    const life = one.begin(['run', 'ladder.yaml', '--var', `base=${20_000 + 100 * kill}`]);
    await one.untilSent(life, 11);
    await systemClock.sleep(300);
    life.child.kill('SIGKILL');
    const killed = systemClock.now();
    const run = one.runs().find((each) => !known.has(each)) ?? '';
    const { code, stderr } = await (await two.takeOver(run)).end;
    if (code !== 0) throw new Error(`${run} was not taken over: ${stderr}`);
    const entries = await readRun(join(two.folder, '.deskhand'), run);
    const looked = entries.find((entry) => entry.kind === 'waited' && entry.why === 'look-up');
    const again = entries.findLast((entry) => entry.kind === 'intended' && entry.attempt > 1);
    if (looked === undefined || again === undefined) throw new Error(`${run} was in no doubt`);
    took.push(again.at - killed);
    waited.push(again.at - looked.at);
  }
  await close();
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  const share = Math.round((100 * median(waited)) / median(took));
  console.log(
    `postgres: an order whose request was lost with its process, after a kill: ${seconds(median(took))} s, of which it waited ${seconds(median(waited))} s (${share} %)`,
  );
}

async function measureTakeover(given: Takeover): Promise<void> {
  const { name, lease } = given;
  const { one, two, close } = await pairOver(given);
  const took: Millis[] = [];
  for (let kill = 0; kill < Number(values.kills); kill++) {
    const life = one.begin(['run', 'ladder.yaml', '--var', `base=${20_000 + 100 * kill}`]);
    const known = new Set(two.runs());
    await one.untilSent(life, 10);
    await systemClock.sleep(300); // ten orders in each second: no response is pending
    life.child.kill('SIGKILL');
    const began = systemClock.monotonic();
    const run = one.runs().find((each) => !known.has(each)) ?? '';
    const next = await two.takeOver(run);
    took.push(systemClock.monotonic() - began);
    const { code, stderr } = await next.end;
    if (code !== 0 || two.sentBy(next).length === 0)
      throw new Error(`${run} was not taken over: ${stderr}`);
  }
  await close();
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  console.log(
    `${name}: first order after a kill, lease ${lease}: ${seconds(median(took))} s, at most ${seconds(Math.max(...took))} s`,
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
    parallel: ${values.parallel}
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "{{ add 40000 each.value }}", size: "0.001" }
`,
  );
  return path;
}
