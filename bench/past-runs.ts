/**
 * What commands and workers over Postgres cost beside many ended runs of one account: CPU of whole
 * processes, in a folder that has none of the runs and in one that knows them.
 *
 *   npm run build && npx tsx bench/past-runs.ts [--runs 10000] [--orders 5] [--only list,plan]
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { day, hour, second, systemClock } from '../src/base/clock.ts';
import { upgradePostgres } from '../src/stores/postgres/upgrade.ts';
import { login, startPostgres, type PostgresServer } from '../test/postgres/server.ts';
import { cleanFile } from '../test/support/cleanup.ts';
import { onlyStart } from './growth/records.ts';
import { deskhand, ladder, openDesk, type Desk } from './processes/desk.ts';
import { storePastRuns } from './processes/filled-store.ts';
import { cpuOf, cpuOfProcess } from './processes/server-cpu.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    orders: { type: 'string', default: '5' },
    skip: { type: 'string', default: '' },
  },
});
const runs = Number(values.runs);
const orders = Number(values.orders);

/** A folder of a machine with its own state. */
class Place {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(desk: Desk, server: PostgresServer, name: string) {
    this.folder = join(desk.folder, name);
    mkdirSync(this.folder);
    const { DESKHAND_STATE_DIR: _own, ...env } = desk.env;
    this.#env = {
      ...env,
      DESK_DATABASE: server.url(),
      HOME: this.folder,
      XDG_CONFIG_HOME: this.folder,
    };
    writeFileSync(
      join(this.folder, 'ladder.yaml'),
      ladder(`range 20001 ${20_000 + orders}`, '{}').replace(
        'orderType: limit',
        'orderType: limit, force: ioc',
      ),
    );
    writeFileSync(
      join(this.folder, 'deskhand.yaml'),
      `profile: main
profiles:
  main: { target: sandbox, base-url: "${desk.baseUrl}", account-id: "${desk.uid}", on-doubt: resend }
state: { store: postgres, url: { env: DESK_DATABASE } }
`,
    );
  }

  start(words: readonly string[]): ChildProcess {
    return spawn(process.execPath, [deskhand, ...words], {
      cwd: this.folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Seconds of CPU of a command, as the shell counts them, and of wall. */
  async spend(words: readonly string[], codes: readonly number[] = [0]): Promise<Spending> {
    const at = systemClock.monotonic();
    const child = spawn(
      'bash',
      [
        '-c',
        '"$@" >out.txt 2>err.txt; code=$?; times; exit $code',
        'bash',
        process.execPath,
        deskhand,
        ...words,
      ],
      { cwd: this.folder, env: this.#env, stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [[code], told] = await Promise.all([once(child, 'exit'), text(child.stdout)]);
    if (!codes.includes(Number(code)))
      throw new Error(
        `${words.join(' ')} ended with ${code}: ${readFileSync(join(this.folder, 'err.txt'), 'utf8')}`,
      );
    const children = told.trim().split('\n').at(-1) ?? '';
    const cpu = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
      (sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds),
      0,
    );
    return { cpu, wall: (systemClock.monotonic() - at) / second };
  }
}

const lease = 4; // s, the default

/**
 * Kills the worker of a run between two of its orders. Wall: from the end of the lease to the first line that
 * another worker stored, which was started at the kill in a folder of its own and knows no run.
 */
async function takeover(desk: Desk, server: PostgresServer): Promise<Spending> {
  const [one, two, asks] = ['lost', 'next', 'long'].map((name) => new Place(desk, server, name));
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

interface Spending {
  readonly cpu: number;
  readonly wall: number;
}

function show(what: string, { cpu, wall }: Spending): void {
  console.log(
    `${what.padEnd(44)} ${cpu.toFixed(2).padStart(7)} s of CPU ${wall.toFixed(2).padStart(7)} s`,
  );
}

try {
  const [desk, server] = await Promise.all([openDesk('[1]'), startPostgres()]);
  await upgradePostgres(server.url());
  const model = new Place(desk, server, 'model');
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

  const fresh = new Place(desk, server, 'fresh');
  show('runs list in a fresh folder', await fresh.spend(['runs', 'list']));
  show('runs list again', await fresh.spend(['runs', 'list']));
  show('runs list again', await fresh.spend(['runs', 'list']));
  const drifts = values.skip !== 'drift'; // it reads every order of the playbook
  if (drifts) show('drift, first', await fresh.spend(['drift', 'ladder.yaml'], [0, 2, 10]));
  if (drifts) show('drift, warm', await fresh.spend(['drift', 'ladder.yaml'], [0, 2, 10]));
  show('metrics, warm', await fresh.spend(['runs', 'metrics']));
  show('runs prune, warm', await fresh.spend(['runs', 'prune']));
  show('plan, warm', await fresh.spend(['plan', 'ladder.yaml'], [0, 2, 10]));

  const one = new Place(desk, server, 'one');
  const worker = one.start(['worker', '--slots', '1']);
  worker.stdout?.resume();
  worker.stderr?.pipe(process.stderr);
  await systemClock.sleep(3 * second);
  const asks = new Place(desk, server, 'asks');
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
