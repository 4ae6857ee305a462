/** A world shared by processes: whoever works on it first does what the others have done. */
import { existsSync, rmSync } from 'node:fs';
import type { Clock, Millis } from '../../base/clock.ts';
import { assert } from '../../base/error.ts';
import { Refusal } from '../refusal.ts';
import type { Act } from '../world/act.ts';
import { newWorld } from '../world/genesis.ts';
import { saveWorld } from '../world/saved.ts';
import { isSettled } from '../world/settle.ts';
import type { Birth, World } from '../world/world.ts';
import { format } from './entry.ts';
import { fileLock, type FileLock } from './lock.ts';
import { commandLog, type CommandLog } from './log.ts';
import { outcomeOf, replayed, toldOf } from './replay.ts';
import { businessTime, type Store } from './store.ts';

const restMin = 64 * 1024;
const restShare = 1 / 4; // of the world itself, which takes as long to write as its acts to do again

/** What one process knows of the file. */
interface Known {
  readonly log: CommandLog;
  world: World;
}

export class SharedStore implements Store {
  readonly #file: string;
  readonly #birth: Birth;
  readonly #clock: Clock;
  readonly #lock: FileLock;
  #known: Known | undefined;
  #isHeld = false;

  /** Opens the world of a file, or begins one there. */
  constructor(file: string, birth: Birth, clock: Clock) {
    this.#file = file;
    this.#birth = birth;
    this.#clock = clock;
    this.#lock = fileLock(file);
    this.exclusive(() => undefined);
  }

  world(): World {
    return this.#newest().world;
  }

  now(): Millis {
    return businessTime(this.world(), this.#clock);
  }

  wall(): Millis {
    return this.#clock.now();
  }

  exclusive<T>(work: () => T): T {
    if (this.#isHeld) return work(); // work within work stands under the same lock
    return this.#lock.hold(() => {
      this.#catchUp();
      this.#isHeld = true;
      try {
        return work();
      } catch (error) {
        // An act that broke off half-way left a world nobody else has: it is made again.
        if (!(error instanceof Refusal)) this.#forget();
        throw error;
      } finally {
        this.#isHeld = false;
      }
    });
  }

  settle(): void {
    if (!isSettled(this.world(), this.now())) this.commit({ kind: 'tick' });
  }

  commit(act: Act): unknown {
    const known = this.#newest();
    const at = this.now();
    const outcome = outcomeOf(known.world, act, at);
    known.log.append({ kind: 'act', at, act, told: toldOf(outcome) });
    if (isOutgrown(known.log)) this.#begin(known, known.world);
    if (outcome.kind === 'refused') throw outcome.refusal;
    return outcome.data;
  }

  replace(world: World): void {
    this.#begin(this.#newest(), world);
  }

  close(): void {
    this.#forget();
    this.#lock.close();
  }

  #newest(): Known {
    assert(this.#known !== undefined, 'a world is used only after it was opened');
    return this.#known;
  }

  #catchUp(): void {
    if (this.#known?.log.isGone()) this.#forget(); // another process began a new world
    this.#known ??= this.#opened();
    const known = this.#known;
    for (const line of known.log.catchUp()) {
      known.world = replayed(known.world, line, this.#file);
    }
  }

  /** What the file tells; an empty one gets a new world. */
  #opened(): Known {
    const log = commandLog(this.#file);
    let world: World | undefined;
    for (const line of log.catchUp()) world = replayed(world, line, this.#file);
    if (world !== undefined) return { log, world };
    const known = { log, world: newWorld(this.#birth) };
    this.#begin(known, known.world);
    return known;
  }

  /** The file begins anew with this world: what was done before is in it. */
  #begin(known: Known, world: World): void {
    known.log.restart({ kind: 'world', format, saved: saveWorld(world) });
    known.world = world;
  }

  #forget(): void {
    this.#known?.log.close();
    this.#known = undefined;
  }
}

/**
 * Whether the acts in a file have become long beside the world they follow: a small world is
 * written down often, one of a million orders seldom.
 */
function isOutgrown(log: CommandLog): boolean {
  const { first, rest } = log.sizes();
  return rest > Math.max(restMin, first * restShare);
}

/** Forgets the world of a file; whoever opens it next, or has it open, begins a new one. */
export function forgetWorld(file: string): void {
  if (!existsSync(file)) return;
  const lock = fileLock(file);
  lock.hold(() => rmSync(file, { force: true }));
  lock.close();
}
