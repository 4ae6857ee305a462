/** Two machines on an exchange of their own, whose runs are killed, put to sleep and taken over. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { minute, second, systemClock, type Millis } from '../../src/base/clock.ts';
import { families } from '../../src/exchange/api/family.ts';
import { seededRandom, type Random } from '../../src/base/random.ts';
import { openDesk, type Desk } from './desk.ts';
import { machinesOf, type Machine } from './machines.ts';

const longest: Millis = 1_600; // a life that is left alone takes about as long
const pastEverything: Millis = minute + 45 * second; // the lease, and what was signed within it
const livesMax = 5; // of a run that is killed; the next ones live to their end
const rungs = 5;
const asleep = 0.1; // how often a process is put to sleep instead of killed

/** How a process ended; one that was killed said nothing. */
type End = 'killed' | { readonly code: number; readonly said: string };

export class Lane {
  readonly #desk: Desk;
  readonly #machines: readonly Machine[];
  readonly #random: Random;
  readonly #mayKill: () => boolean;
  rounds = 0;
  sleeps = 0;
  takeovers = 0;
  /** Runs that were done and did not say so of every order. */
  unreported = 0;

  private constructor(desk: Desk, seed: number, mayKill: () => boolean) {
    this.#desk = desk;
    this.#machines = machinesOf(desk, ['one', 'two']);
    this.#random = seededRandom(seed);
    this.#mayKill = mayKill;
  }

  /** @param mayKill asked once for each kill, which it counts */
  static async open(seed: number, mayKill: () => boolean): Promise<Lane> {
    const desk = await openDesk('[1]', '{}', [undefined, ...families][seed % 3]);
    await desk.control('config', { duplicateClientOid: 'accept', limits: false });
    return new Lane(desk, seed, mayKill);
  }

  /** One run from its first life to its last. */
  async playRound(): Promise<void> {
    const base = this.#baseOf(this.rounds);
    this.rounds += 1;
    let last: Machine | undefined;
    for (let life = 0; ; life++) {
      const machine = this.#pick();
      if (last !== undefined && machine !== last) await this.#passLease();
      last = machine;
      const child = machine.begin([...this.#wordsFor(base), '-o', 'json', '-q']);
      const ms = life < livesMax ? this.#random.integer(longest) : undefined;
      if (ms !== undefined && this.#random.next() < asleep && (await isAsleepAt(child, ms))) {
        await this.#takeOverFrom(child, base, machine);
        continue;
      }
      const end = await this.#lived(child, ms);
      if (end === 'killed') continue;
      if (end.code === 5) await this.#passLease(); // the other's claim still holds
      else if (end.code === 0) return this.#finish(end.said);
      // It died before it told the others of the run, and so before it sent anything.
      else if (end.code !== 2 || !end.said.includes('no run r-')) {
        throw new Error(`a run on machine ${machine.name} ended with ${end.code}: ${end.said}`);
      }
    }
  }

  /** How often each order stands that was meant to. */
  async placed(): Promise<readonly number[]> {
    const { open, closed } = Object(await this.#desk.control(`orders?uid=${this.#desk.uid}`));
    const counts = new Map<number, number>();
    for (const { price } of [...open, ...closed]) {
      counts.set(Number(price), (counts.get(Number(price)) ?? 0) + 1);
    }
    return Array.from({ length: this.rounds * rungs }, (_, place) => {
      const price = this.#baseOf(Math.floor(place / rungs)) + (place % rungs);
      return counts.get(price) ?? 0;
    });
  }

  close(): Promise<void> {
    return this.#desk.close();
  }

  #baseOf(round: number): number {
    return 20_000 + round * 10;
  }

  #wordsFor(base: number): readonly string[] {
    const run = this.#runOf(base);
    return run === undefined ? ['run', 'ladder.yaml', '--var', `base=${base}`] : ['resume', run];
  }

  /** The run of these prices, wherever it is known. */
  #runOf(base: number): string | undefined {
    const all = this.#machines.flatMap((machine) => [...machine.journals()]);
    return all.find(([, journal]) => journal.includes(`"inputs":{"base":${base}}`))?.[0];
  }

  /** Another machine finishes the run while the first one is asleep; then that one wakes up. */
  async #takeOverFrom(sleeper: ChildProcess, base: number, machine: Machine): Promise<void> {
    this.sleeps += 1;
    await this.#passLease();
    const other = this.#machines.find((one) => one !== machine);
    const run = this.#runOf(base);
    if (run !== undefined && other !== undefined) {
      const end = await this.#lived(other.begin(['resume', run, '-o', 'json', '-q']), undefined);
      if (end !== 'killed' && end.code === 0) this.#check(end.said);
    }
    const exit = once(sleeper, 'exit');
    sleeper.kill('SIGCONT');
    await exit;
  }

  /** Lets a process live for a while, or to its end. */
  async #lived(child: ChildProcess, ms: Millis | undefined): Promise<End> {
    const isOver = child.exitCode !== null || child.signalCode !== null; // then no event comes
    const exit = isOver ? Promise.resolve(child.exitCode) : exitOf(child);
    const said = child.stdout === null ? '' : text(child.stdout);
    const calm = new AbortController();
    if (ms !== undefined) void this.#killAfter(child, ms, calm.signal);
    const code = await exit;
    calm.abort();
    return code === null ? 'killed' : { code, said: await said };
  }

  async #killAfter(child: ChildProcess, ms: Millis, calm: AbortSignal): Promise<void> {
    await systemClock.sleep(ms, calm).catch(() => undefined);
    if (!calm.aborted && this.#mayKill()) child.kill('SIGKILL');
  }

  async #finish(said: string): Promise<void> {
    this.#check(said);
    await this.#desk.control('orders/cancel', { uid: this.#desk.uid, symbol: 'BTCUSDT' });
  }

  /** A run that says it is done tells of every order; one resumed after that has nothing to tell. */
  #check(said: string): void {
    if (said.trim() === '') return;
    const { done, inDoubt } = Object(JSON.parse(said)).tally;
    const writes = this.#desk.family === undefined ? rungs : 2 * rungs;
    if (done !== writes || inDoubt !== 0) this.unreported += 1;
  }

  async #passLease(): Promise<void> {
    this.takeovers += 1;
    await this.#desk.control('clock/advance', { ms: pastEverything });
  }

  #pick(): Machine {
    const machine = this.#machines[this.#random.integer(this.#machines.length)];
    if (machine === undefined) throw new Error('there is no machine');
    return machine;
  }
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'exit');
  return child.exitCode;
}

/** Stops a process where it is. @returns false when it had ended by then */
async function isAsleepAt(child: ChildProcess, ms: Millis): Promise<boolean> {
  await systemClock.sleep(ms);
  return child.exitCode === null && child.kill('SIGSTOP');
}
