/** Three workers over a Postgres server of their own, whose processes and database are killed and suspended. */
import { second, systemClock, type Millis } from '../../src/base/clock.ts';
import { isOurName } from '../../src/engine/journal/identity.ts';
import type { Random } from '../../src/base/random.ts';
import { upgradePostgres } from '../../src/stores/postgres/upgrade.ts';
import { booksOf, intentsOf } from '../../test/postgres/books.ts';
import { Machine, type End, type Life, type Site } from '../../test/postgres/machine.ts';
import { login, startPostgres, type PostgresServer } from '../../test/postgres/server.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deskhand, ladder, openDesk, type Desk } from './desk.ts';
import { RequestTally } from './request-tally.ts';

const lease: Millis = 3 * second;
const hurryPauseMs: Millis = 1.1 * second; // a window of the rate limits
const aheads = [0, 3_600_000, -3_600_000]; // clocks of the machines

export type Strike = 'worker' | 'idle-worker' | 'database' | 'suspend';

interface Worker {
  readonly machine: Machine;
  life: Life;
  isSuspended: boolean;
}

export interface WorkerLaneOptions {
  /** In each run. */
  readonly orders: number;
  readonly random: Random;
  /** What happens next in a run, and after which time; undefined when it may end. */
  readonly next: (run: number) => { readonly strike: Strike; readonly after: Millis } | undefined;
}

export class WorkerLane {
  readonly #desk: Desk;
  readonly #site: Site;
  readonly #workers: readonly Worker[];
  readonly #options: WorkerLaneOptions;
  readonly #requests: RequestTally;
  readonly counts: Record<Strike, number> = {
    worker: 0,
    'idle-worker': 0,
    database: 0,
    suspend: 0,
  };
  rounds = 0;
  /** Jobs that did not end with exit code 0, with their messages. */
  readonly failed: string[] = [];
  /** Runs whose journal is not whole. */
  damaged = 0;
  /** Orders on the exchange that no journal has. */
  unknown = 0;

  private constructor(
    desk: Desk,
    site: Site,
    machines: readonly Machine[],
    options: WorkerLaneOptions,
  ) {
    this.#desk = desk;
    this.#site = site;
    this.#options = options;
    this.#requests = new RequestTally(desk);
    this.#workers = machines.map((machine) => ({
      machine,
      life: startWorker(machine),
      isSuspended: false,
    }));
  }

  static async open(options: WorkerLaneOptions): Promise<WorkerLane> {
    const [desk, server] = await Promise.all([openDesk('[1]'), startPostgres()]);
    await upgradePostgres(server.url());
    await desk.control('config', { duplicateClientOid: 'accept' });
    await desk.setFaults([lost('reset'), lost('empty'), lost('truncated')]);
    const { DESKHAND_STATE_DIR: _own, ...env } = desk.env;
    const { folder, baseUrl, controlUrl, uid } = desk;
    const site = {
      folder,
      launcher: deskhand,
      server,
      baseUrl,
      controlUrl,
      uid,
      env,
      hurryPauseMs,
    };
    const text = ladder(
      `range inputs.base (add inputs.base ${options.orders - 1})`,
      '{ base: { type: integer } }',
    );
    const machines = await Promise.all(
      aheads.map((ahead, place) => Machine.open(site, `w${place}`, text, ahead)),
    );
    return new WorkerLane(desk, site, machines, options);
  }

  /** Queues a plan, and strikes its workers and its database until it has ended. */
  async playRound(): Promise<void> {
    const base = this.#baseOf(this.rounds);
    this.rounds += 1;
    const run = await this.#queue(base);
    for (;;) {
      const next = this.#options.next(this.rounds - 1);
      if (next === undefined || (await this.#endWithin(run, next.after))) break;
      await this.#strike(next.strike, run);
    }
    while (!(await this.#endWithin(run, second))) this.#wake();
    await this.#judge(run);
  }

  /** How often the exchange has each order that was meant. */
  async placed(): Promise<readonly number[]> {
    const { names, prices } = await booksOf(this.#site);
    const stored = new Set<string>();
    const runs = await this.#server.sql('select id from deskhand.job', login.database);
    for (const { id } of runs) {
      for (const name of await intentsOf(this.#server, String(id))) stored.add(name);
    }
    const ours = [...names.keys()].filter((name) => isOurName(name));
    this.unknown += ours.filter((name) => !stored.has(name)).length;
    if ([...names.values()].some((count) => count > 1))
      throw new Error('a clientOid is used twice');
    return Array.from(
      { length: this.rounds * this.#options.orders },
      (_, place) => prices.get(this.#baseOf(0) + place) ?? 0,
    );
  }

  /** What the exchange was asked. */
  get requests(): RequestTally {
    return this.#requests;
  }

  async close(): Promise<void> {
    this.#wake();
    for (const { life } of this.#workers) life.child.kill('SIGKILL');
    await Promise.all(this.#workers.map(({ life }) => life.end));
    await Promise.all(this.#workers.map(({ machine }) => machine.close()));
    await this.#desk.close();
  }

  get #server(): PostgresServer {
    return this.#site.server;
  }

  #baseOf(round: number): number {
    return 20_000 + round * this.#options.orders;
  }

  /** @returns the id of the run */
  async #queue(base: number): Promise<string> {
    const { machine } = this.#pick(() => true);
    const file = `plan-${base}.json`;
    const plan = ['plan', 'ladder.yaml', '--var', `base=${base}`, '--out', file];
    succeeded(await machine.begin(plan).end);
    succeeded(await machine.begin(['run', file, '--queue']).end);
    const text = readFileSync(join(machine.folder, file), 'utf8');
    return String(JSON.parse(text).run);
  }

  async #endWithin(run: string, ms: Millis): Promise<boolean> {
    const until = systemClock.monotonic() + ms;
    for (;;) {
      await this.#superviseWorkers();
      if ((await this.#job(run))['ended'] === true) return true;
      if (systemClock.monotonic() >= until) return false;
      await systemClock.sleep(100);
    }
  }

  /** One that starts while the database is unreachable ends, and is started again. */
  async #superviseWorkers(): Promise<void> {
    for (const one of this.#workers) {
      if (one.life.child.exitCode === null) continue;
      const { code, stderr } = await one.life.end;
      if (code !== 5) throw new Error(`a worker ended with ${code}: ${stderr}`);
      one.life = startWorker(one.machine);
    }
  }

  async #job(run: string): Promise<Record<string, unknown>> {
    const text = `select ended is not null as ended, ending, worker from deskhand.job where id = '${run}'`;
    const [row = {}] = await this.#server.sql(text, login.database);
    return row;
  }

  async #strike(strike: Strike, run: string): Promise<void> {
    await this.#requests.read();
    this.counts[strike] += 1;
    if (strike === 'database') {
      await this.#server.kill();
      await systemClock.sleep(this.#options.random.integer(lease * 1.5));
      return this.#server.start();
    }
    const holder = await this.#holder(run);
    const one = strike === 'idle-worker' ? this.#pick((each) => each !== holder) : holder;
    if (strike === 'suspend') return this.#suspend(one, run);
    one.life.child.kill('SIGKILL');
    await one.life.end;
    one.life = startWorker(one.machine);
    one.isSuspended = false;
  }

  /** For longer than the lease; it wakes up when another worker has the run, or at the next strike. */
  async #suspend(one: Worker, run: string): Promise<void> {
    this.#wake();
    one.life.child.kill('SIGSTOP');
    one.isSuspended = true;
    const until = systemClock.monotonic() + 3 * lease;
    while (systemClock.monotonic() < until && (await this.#holder(run)) === one) {
      await systemClock.sleep(50);
    }
    await systemClock.sleep(this.#options.random.integer(second));
    this.#wake();
  }

  #wake(): void {
    for (const one of this.#workers.filter(({ isSuspended }) => isSuspended)) {
      one.life.child.kill('SIGCONT');
      one.isSuspended = false;
    }
  }

  /** The worker that has the run, or had it last; a random one if that is gone. */
  async #holder(run: string): Promise<Worker> {
    const name = String((await this.#job(run))['worker']);
    const found = this.#workers.find(({ life }) => name.includes(`-${life.child.pid}-`));
    return found ?? this.#pick(() => true);
  }

  async #judge(run: string): Promise<void> {
    const { ending } = await this.#job(run);
    const { exit, message } = Object(JSON.parse(String(ending)));
    if (exit !== 0) this.failed.push(`${run}: ${message} (${exit})`);
    const { machine } = this.#pick(() => true);
    const verified = await machine.begin(['runs', 'verify', run]).end;
    if (verified.code !== 0) this.damaged += 1;
    await this.#requests.read();
    await this.#desk.control('orders/cancel', { uid: this.#desk.uid, symbol: 'BTCUSDT' });
    await this.#superviseWorkers();
  }

  #pick(isWanted: (worker: Worker) => boolean): Worker {
    const wanted = this.#workers.filter(isWanted);
    const one = wanted[this.#options.random.integer(wanted.length)];
    if (one === undefined) throw new Error('there is no worker');
    return one;
  }
}

const startWorker = (machine: Machine): Life => machine.begin(['worker', '--slots', '2'], true);

function succeeded({ code, stdout, stderr }: End): void {
  if (code !== 0) throw new Error(`a command ended with ${code}: ${stdout}${stderr}`);
}

/** An order is executed, and its response is lost. */
function lost(kind: string): object {
  const match = { operation: 'futures/place-order', probability: 0.01 };
  return { match, when: 'after-commit', action: { kind } };
}
