/** Two schedulers over simulated shared files: both die, hang and lose answers at random points. */
import { setImmediate as idle } from 'node:timers/promises';
import {
  hour,
  minute,
  second,
  standingClock,
  type Millis,
  type StandingClock,
} from '../../../src/base/clock.ts';
import { seededRandom, type Random } from '../../../src/base/random.ts';
import type { ScheduleRecord } from '../../../src/app/schedule/decisions.ts';
import type { Schedule } from '../../../src/app/schedule/schedule.ts';
import { schedulerOf, type Scheduler } from '../../../src/app/schedule/scheduler.ts';
import { storeIn } from '../../../src/app/schedule/stored.ts';
import { sharedCoordination } from '../../../src/stores/shared/coordination.ts';
import {
  SimulatedFiles,
  type FileDefect,
  type FileFault,
} from '../../stores/shared/simulated-files.ts';
import { Dead, scheduleFor } from './world.ts';

const start = Date.parse('2026-11-20T00:00:30Z');
const rounds = 290; // some 200 occurrences
const skews = [hour, -hour]; // of the clocks of the machines

export interface Story {
  readonly occurrences: readonly Millis[];
  /** How often each was run. */
  readonly fired: ReadonlyMap<Millis, number>;
  readonly records: readonly ScheduleRecord[];
  readonly deaths: number;
}

interface World {
  readonly files: SimulatedFiles;
  readonly clock: StandingClock;
  readonly random: Random;
  readonly schedule: Schedule;
  readonly fired: Map<Millis, number>;
  isCalm: boolean;
  deaths: number;
}

export async function storyOf(
  seed: number,
  { missed, defect }: { readonly missed: Schedule['missed']; readonly defect?: FileDefect },
): Promise<Story> {
  const clock = standingClock(start);
  const each = { id: 's-1', cron: '* * * * *', lateMs: 2 * minute, withinMs: hour, missed };
  const world: World = {
    files: new SimulatedFiles(clock, defect),
    clock,
    random: seededRandom(seed),
    schedule: scheduleFor(each),
    fired: new Map(),
    isCalm: true,
    deaths: 0,
  };
  const lives = skews.map((skew) => new Life(skew, world));
  for (const life of lives) await life.look(); // a schedule counts from its first check
  world.isCalm = false;
  for (let round = 0; round < rounds; round++) {
    await pass(lives, world);
    const isLong = world.random.integer(40) === 0; // everything is off
    clock.advance(isLong ? 10 * minute : (15 + world.random.integer(60)) * second);
  }
  const end = clock.now();
  world.isCalm = true;
  for (let round = 0; round < 3; round++) {
    clock.advance(10 * second);
    await pass(lives, world);
  }
  const files = sharedCoordination({ shared: world.files.connect(), lease: second, clock }).files;
  const first = Math.ceil(start / minute) * minute;
  const count = Math.floor((end - first) / minute) + 1;
  return {
    occurrences: Array.from({ length: count }, (_none, at) => first + at * minute),
    fired: world.fired,
    records: await storeIn({ folder: '', files }, clock).records(),
    deaths: world.deaths,
  };
}

/** What was slow continues, the dead are replaced, and all look at the same time. */
async function pass(lives: readonly Life[], world: World): Promise<void> {
  world.files.deliver();
  await idle();
  for (const life of lives) {
    if (life.isDead && (world.isCalm || world.random.integer(2) === 0)) life.begin();
  }
  for (const life of lives) void life.look();
  await idle(); // everything that does not wait for the database has happened
}

/** A machine whose process is replaced when it has died. */
class Life {
  isDead = false;
  #isLooking = false;
  #scheduler: Scheduler;
  readonly #skew: Millis;
  readonly #world: World;

  constructor(skew: Millis, world: World) {
    this.#skew = skew;
    this.#world = world;
    this.#scheduler = this.#process();
  }

  begin(): void {
    this.isDead = false;
    this.#isLooking = false;
    this.#scheduler = this.#process();
  }

  async look(): Promise<void> {
    if (this.isDead || this.#isLooking) return;
    this.#isLooking = true;
    const scheduler = this.#scheduler;
    try {
      for (const work of await scheduler.look([this.#world.schedule])) work.catch(() => undefined);
    } catch {
      // It is dead, or the database gave no answer for too long.
    } finally {
      if (scheduler === this.#scheduler) this.#isLooking = false;
    }
  }

  #process(): Scheduler {
    const { files, clock, random, fired } = this.#world;
    let isDead = false;
    const mayDie = (oneOf: number): void => {
      if (!isDead && !this.#world.isCalm && random.integer(oneOf) === 0) {
        isDead = true;
        this.isDead = true;
        this.#world.deaths += 1;
      }
      if (isDead) throw new Dead();
    };
    const fault = async (): Promise<FileFault | undefined> => {
      for (let turns = random.integer(4); turns > 0; turns--) await Promise.resolve();
      mayDie(80);
      if (this.#world.isCalm) return undefined;
      const faults = { 0: 'unreachable', 1: 'answer-lost', 2: 'slow' } as const;
      const drawn = random.integer(100);
      return drawn === 0 || drawn === 1 || drawn === 2 ? faults[drawn] : undefined;
    };
    const own = { ...clock, now: () => clock.now() + this.#skew };
    const shared = files.connect(fault);
    const every = () => () => undefined; // a lease ends while its process hangs
    return schedulerOf({
      place: {
        ...sharedCoordination({ shared, lease: 3 * second, clock: own, every }),
        folder: '',
        host: `machine ${this.#skew}`,
      },
      clock: own,
      drain: new AbortController().signal,
      report: () => undefined,
      fire: async (_schedule, occurrence) => {
        mayDie(80);
        fired.set(occurrence, (fired.get(occurrence) ?? 0) + 1);
        mayDie(40);
        return { status: 'done', exit: 0, run: `r-${occurrence}` };
      },
    });
  }
}
