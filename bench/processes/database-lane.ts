/** Three machines over a Postgres server of their own, whose runs are killed, suspended and cut off. */
import { second, systemClock, type Millis } from '../../src/base/clock.ts';
import { isOurName } from '../../src/engine/journal/identity.ts';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { booksOf, intentsOf, runFrom, type Books } from '../../test/postgres/books.ts';
import {
  endWithin,
  isDone,
  Machine,
  refuseUnexpected,
  type Life,
  type Site,
} from '../../test/postgres/machine.ts';
import { startPostgres, type PostgresServer } from '../../test/postgres/server.ts';
import { upgradePostgres } from '../../src/stores/postgres/upgrade.ts';
import { deskhand, ladder, openDesk, type Desk } from './desk.ts';

const lease: Millis = 3 * second;
const longest: Millis = 5 * second; // between two events; a run takes about 20 s
const orders = 200;
const aheads = [0, 3_600_000, -3_600_000]; // clocks of the machines
const eventsMax = 8; // in a run; the next process lives to its end

type Happening = 'kill' | 'database' | 'suspend' | 'cut';

/** Shares of the events: 10 kills, 4 kills of the database, 3 suspensions, 3 partitions. */
const shares: readonly Happening[] = [
  ...Array<Happening>(10).fill('kill'),
  ...Array<Happening>(4).fill('database'),
  ...Array<Happening>(3).fill('suspend'),
  ...Array<Happening>(3).fill('cut'),
];

interface Running {
  readonly machine: Machine;
  readonly life: Life;
}

export class DatabaseLane {
  readonly #desk: Desk;
  readonly #site: Site;
  readonly #machines: readonly Machine[];
  readonly #random: Random;
  readonly #mayKill: () => boolean;
  readonly counts: Record<Happening, number> = { kill: 0, database: 0, suspend: 0, cut: 0 };
  rounds = 0;
  /** Orders that a process sent after another had its run, without a line from before that. */
  late = 0;
  /** Runs whose journal is not whole. */
  damaged = 0;
  /** Orders on the exchange that no journal has. */
  unknown = 0;

  private constructor(
    desk: Desk,
    site: Site,
    machines: readonly Machine[],
    seed: number,
    mayKill: () => boolean,
  ) {
    this.#desk = desk;
    this.#site = site;
    this.#machines = machines;
    this.#random = seededRandom(seed);
    this.#mayKill = mayKill;
  }

  /** @param mayKill asked once for each event, which it counts */
  static async open(seed: number, mayKill: () => boolean): Promise<DatabaseLane> {
    const [desk, server] = await Promise.all([openDesk('[1]'), startPostgres()]);
    await upgradePostgres(server.url());
    await desk.control('config', { duplicateClientOid: 'accept' });
    await desk.setFaults([lost('reset'), lost('empty'), lost('truncated')]);
    const { DESKHAND_STATE_DIR: _own, ...env } = desk.env;
    const { folder, baseUrl, controlUrl, uid } = desk;
    const site = { folder, launcher: deskhand, server, baseUrl, controlUrl, uid, env };
    const text = ladder(
      `range inputs.base (add inputs.base ${orders - 1})`,
      '{ base: { type: integer } }',
      { parallel: 3 },
    );
    const machines = await Promise.all(
      aheads.map((ahead, place) => Machine.open(site, `m${place}`, text, ahead)),
    );
    return new DatabaseLane(desk, site, machines, seed, mayKill);
  }

  /** One run from its first process to its last. */
  async playRound(): Promise<void> {
    const base = this.#baseOf(this.rounds);
    this.rounds += 1;
    let running = await this.#next(base);
    for (let events = 0; ;) {
      const mayHappen = events < eventsMax && this.#mayKill();
      const { life } = running;
      const end = await (mayHappen ? endWithin(life, this.#random.integer(longest)) : life.end);
      if (end === undefined) {
        events += 1;
        running = await this.#strike(running, base);
      } else if (isDone(end)) {
        return this.#finish(base);
      } else {
        refuseUnexpected(end);
        await systemClock.sleep(300);
        running = await this.#next(base);
      }
    }
  }

  /** How often the exchange has each order that was meant. */
  async placed(): Promise<readonly number[]> {
    const { names, prices } = await this.#books();
    const stored = new Set<string>();
    for (let round = 0; round < this.rounds; round++) {
      const run = await runFrom(this.#server, this.#baseOf(round));
      if (run === undefined) continue;
      for (const name of await intentsOf(this.#server, run)) stored.add(name);
    }
    const ours = [...names.keys()].filter((name) => isOurName(name));
    this.unknown += ours.filter((name) => !stored.has(name)).length;
    const twice = [...names.values()].some((count) => count > 1);
    const counts = Array.from(
      { length: this.rounds * orders },
      (_, place) => prices.get(this.#baseOf(0) + place) ?? 0,
    );
    if (twice && counts.every((count) => count < 2)) throw new Error('a clientOid has two prices');
    return counts;
  }

  async close(): Promise<void> {
    await Promise.all(this.#machines.map((machine) => machine.close()));
    await this.#desk.close();
  }

  get #server(): PostgresServer {
    return this.#site.server;
  }

  #books(): Promise<Books> {
    return booksOf(this.#site);
  }

  #baseOf(round: number): number {
    return 20_000 + round * orders;
  }

  /** A process that begins or continues the run; no other one of it lives. */
  async #next(base: number): Promise<Running> {
    const machine = this.#pick();
    return { machine, life: machine.begin([...(await this.#wordsFor(base))], true) };
  }

  async #wordsFor(base: number): Promise<readonly string[]> {
    const run = await runFrom(this.#server, base);
    return run === undefined ? ['run', 'ladder.yaml', '--var', `base=${base}`] : ['resume', run];
  }

  /** Something happens to a process or its database. @returns what has the run after that */
  async #strike(running: Running, base: number): Promise<Running> {
    const happening = shares[this.#random.integer(shares.length)] ?? 'kill';
    const { machine, life } = running;
    if (happening === 'database') {
      this.counts.database += 1;
      await this.#server.kill();
      await systemClock.sleep(this.#random.integer(lease * 1.5));
      await this.#server.start();
      return running;
    }
    const run = await runFrom(this.#server, base);
    if (happening === 'kill' || run === undefined) {
      this.counts.kill += 1;
      life.child.kill('SIGKILL');
      await life.end;
      return this.#next(base);
    }
    this.counts[happening] += 1;
    if (happening === 'suspend') life.child.kill('SIGSTOP');
    else machine.relay.cut();
    const began = systemClock.monotonic();
    await systemClock.sleep(100); // what it had written to its sockets arrives
    const stored = await intentsOf(this.#server, run);
    const sent = machine.sentBy(life).length;
    const other = this.#pick(machine);
    const next = await other.takeOver(run);
    await endWithin(next, Math.max(0, began + 2 * lease - systemClock.monotonic()));
    life.child.kill('SIGCONT');
    machine.relay.renew();
    machine.relay.deliver();
    await life.end;
    this.late += machine
      .sentBy(life)
      .slice(sent)
      .filter((name) => !stored.has(name)).length;
    return { machine: other, life: next };
  }

  async #finish(base: number): Promise<void> {
    const run = (await runFrom(this.#server, base)) ?? '';
    const { code } = await this.#pick().begin(['runs', 'verify', run]).end;
    if (code !== 0) this.damaged += 1;
    await this.#desk.control('orders/cancel', { uid: this.#desk.uid, symbol: 'BTCUSDT' });
  }

  #pick(but?: Machine): Machine {
    const others = this.#machines.filter((machine) => machine !== but);
    const machine = others[this.#random.integer(others.length)];
    if (machine === undefined) throw new Error('there is no machine');
    return machine;
  }
}

/** An order is executed, and its response is lost. */
function lost(kind: string): object {
  const match = { operation: 'futures/place-order', probability: 0.01 };
  return { match, when: 'after-commit', action: { kind } };
}
