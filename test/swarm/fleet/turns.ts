/** Whose turn it is: every act of every process waits here, and chance lets one of them go. */
import { setImmediate } from 'node:timers/promises';
import type { Millis } from '../../../src/base/clock.ts';
import type { Chance } from '../../../src/rehearsal/simulation/chance.ts';
import type { WorldClock } from '../clocks.ts';
import type { Process } from './process.ts';

interface Waiting {
  readonly process: Process;
  readonly act: string;
  /** It ends what takes too long; no one waits for it. */
  readonly isTimer?: true;
  /** When it may go; at once unless it sleeps. */
  readonly due?: Millis;
  readonly go: () => void;
}

const stuckAfter = 200; // rounds with an empty queue
const wakes = 0.05; // how often a sleeper is quicker than those who are ready

export class Turns {
  readonly #clock: WorldClock;
  readonly #chance: Chance;
  /** How often the process that acted last does not continue. */
  readonly #switching: number;
  readonly #acting: (process: Process) => void;
  readonly #stalled = new Map<string, Millis>();
  #waiting: Waiting[] = [];
  #last: Process | undefined;
  taken = 0;

  constructor(
    clock: WorldClock,
    chance: Chance,
    { switching, acting }: { switching: number; acting: (process: Process) => void },
  ) {
    this.#clock = clock;
    this.#chance = chance;
    this.#switching = switching;
    this.#acting = acting;
  }

  /** Resolves when it is this act's turn. */
  take(process: Process, act: string): Promise<void> {
    return new Promise((go) => this.#waiting.push({ process, act, go }));
  }

  /** Time passes for everyone; the earliest sleeper wakes first. */
  sleep(process: Process, ms: Millis, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        this.#waiting = this.#waiting.filter((one) => one !== sleeper);
        reject(signal?.reason);
      };
      const go = (): void => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const due = this.#clock.monotonic() + Math.max(0, ms);
      const sleeper: Waiting = { process, act: 'sleeps', due, go };
      signal?.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(sleeper);
    });
  }

  /** Calls back when so much time has passed. @returns the way to call it off */
  timer(process: Process, ms: Millis, go: () => void): () => void {
    const due = this.#clock.monotonic() + Math.max(0, ms);
    const timer: Waiting = { process, act: 'runs out', due, isTimer: true, go };
    this.#waiting.push(timer);
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== timer);
    };
  }

  /** What it meant to do is not done any longer. */
  forget(process: Process): void {
    this.#waiting = this.#waiting.filter((one) => one.process !== process);
  }

  /** A machine is suspended, as a laptop that is shut: none of its processes acts for so long. */
  stall(machine: string, ms: Millis): void {
    this.#stalled.set(machine, this.#clock.monotonic() + ms);
  }

  /** Lets one act after the other until the work is done. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    work.then(over, over);
    for (let idle = 0; ;) {
      await quiet();
      if (isOver) return work;
      const next = this.#next();
      if (next === undefined) {
        if (idle++ > stuckAfter) throw new Error('nobody can act, and the work is not done');
        continue;
      }
      idle = 0;
      this.taken += 1;
      this.#last = next.process;
      this.#acting(next.process);
      next.go();
    }
  }

  #next(): Waiting | undefined {
    const now = this.#clock.monotonic();
    const awake = this.#waiting.filter(({ process }) => this.#stallOf(process) <= now);
    const ready = awake.filter(({ due = now }) => due <= now);
    const later = awake.filter(({ due = now }) => due > now);
    const next =
      ready.length === 0
        ? earliest(later)
        : (this.#quicker(later.filter(({ isTimer }) => !isTimer)) ?? this.#oneOf(ready));
    if (next === undefined) return this.#wakeMachine(now);
    if (next.due !== undefined) this.#clock.advance(Math.max(0, next.due - now));
    this.#waiting = this.#waiting.filter((one) => one !== next);
    return next;
  }

  /** Sometimes a sleeper is up before those who are ready have done anything. */
  #quicker(sleepers: readonly Waiting[]): Waiting | undefined {
    return sleepers.length > 0 && this.#chance.happens(wakes) ? earliest(sleepers) : undefined;
  }

  #oneOf(ready: readonly Waiting[]): Waiting {
    const sorted = ready.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    const same = sorted.filter(({ process }) => process === this.#last);
    const goesOn = same.length > 0 && !this.#chance.happens(this.#switching);
    return this.#chance.pick(goesOn ? same : sorted);
  }

  #stallOf({ machine }: Process): Millis {
    return this.#stalled.get(machine.name) ?? 0;
  }

  /** Everybody who is left is suspended: time passes until the first continues. */
  #wakeMachine(now: Millis): undefined {
    const ends = this.#waiting.map(({ process }) => this.#stallOf(process));
    if (ends.length > 0) this.#clock.advance(Math.max(0, Math.min(...ends) - now));
    return undefined;
  }
}

function keyOf({ process, act }: Waiting): string {
  return `${process.name} ${act}`;
}

function earliest(sleepers: readonly Waiting[]): Waiting | undefined {
  const inOrder = (a: Waiting, b: Waiting): number =>
    (a.due ?? 0) - (b.due ?? 0) || (keyOf(a) < keyOf(b) ? -1 : 1);
  return sleepers.toSorted(inOrder)[0];
}

/** No one continues without a turn any longer: a journal gathers for one round of the event loop. */
async function quiet(): Promise<void> {
  for (let round = 0; round < 2; round++) await setImmediate();
}
