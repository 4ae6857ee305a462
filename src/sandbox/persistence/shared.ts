/** A world shared by processes: each one first replays what the others have done. */
import { rmSync } from 'node:fs';
import type { Clock, Millis } from '../../base/clock.ts';
import { assert } from '../../base/error.ts';
import { kindAt } from '../../base/file-kind.ts';
import { Refusal } from '../refusal.ts';
import type { Act } from '../world/act.ts';
import { newWorld } from '../world/genesis.ts';
import { saveWorld } from '../world/saved.ts';
import { isSettled } from '../world/advance.ts';
import type { Birth, World } from '../world/world.ts';
import { DamagedError } from './damaged.ts';
import { format, type LogEntry } from './entry.ts';
import { fileLock, type FileLock } from './lock.ts';
import { beginLog, openLog, removeDrafts, type CommandLog } from './log.ts';
import { foreignAt, hasOtherName, moveAside } from './world-file.ts';
import { outcomeOf, replayed, checksumOf, type Replayed } from './replay.ts';
import { businessTime, type Store } from './world-store.ts';

const restMin = 64 * 1024;
const restShare = 1 / 4; // of the world itself, which takes as long to write as its acts to replay

/** The part of the file that one process has read. */
interface Known {
  readonly log: CommandLog;
  world: World;
  /** The number of acts since the last complete world. */
  acts: number;
}

export class SharedStore implements Store {
  readonly #file: string;
  readonly #birth: Birth;
  readonly #clock: Clock;
  readonly #lock: FileLock;
  #known: Known | undefined;
  #isHeld = false;

  /** Opens the world of a file, or creates one. @throws DamagedError */
  constructor(file: string, birth: Birth, clock: Clock) {
    this.#file = file;
    this.#birth = birth;
    this.#clock = clock;
    refuseForeign(file); // before a lock file is created
    this.#lock = fileLock(file);
    try {
      this.exclusive(() => undefined);
    } catch (error) {
      this.#lock.close();
      throw error;
    }
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
    if (this.#isHeld) return work(); // nested calls use the same lock
    return this.#lock.hold(() => {
      this.#catchUp();
      this.#isHeld = true;
      try {
        return work();
      } catch (error) {
        // A failed act left a different world in memory: it is restored from the file.
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
    known.acts += 1;
    known.log.append({ kind: 'act', at, n: known.acts, act, told: checksumOf(outcome) });
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
    assert(this.#known !== undefined, 'a world must be opened before it is used');
    return this.#known;
  }

  #catchUp(): void {
    if (this.#known?.log.isGone()) this.#forget(); // another process created a new world
    this.#known ??= this.#opened();
    const known = this.#known;
    for (const line of known.log.catchUp()) {
      Object.assign(known, replayed(known, line, this.#file));
    }
  }

  /** Reads the world in the file; without a file, creates a new one. */
  #opened(): Known {
    refuseForeign(this.#file);
    if (hasOtherName(this.#file)) removeDrafts(this.#file);
    if (hasOtherName(this.#file)) throw new DamagedError(this.#file, 'it is a hard link');
    const log = openLog(this.#file);
    if (log === undefined) return this.#born();
    try {
      let found: Replayed | undefined;
      for (const line of log.catchUp()) found = replayed(found, line, this.#file);
      if (found === undefined) throw new DamagedError(this.#file, 'it is empty');
      return { log, ...found };
    } catch (error) {
      log.close();
      throw error;
    }
  }

  #born(): Known {
    const world = newWorld(this.#birth);
    const log = beginLog(this.#file, entryOf(world));
    // Only an operation without the lock can have intervened.
    if (log === undefined) throw new DamagedError(this.#file, 'another file was put in its place');
    return { log, world, acts: 0 };
  }

  /** Replaces the file with a snapshot of this world. */
  #begin(known: Known, world: World): void {
    known.log.restart(entryOf(world));
    known.world = world;
    known.acts = 0;
  }

  #forget(): void {
    this.#known?.log.close();
    this.#known = undefined;
  }
}

/**
 * Whether the acts in a file are long compared to the world before them: a small world is written
 * often, one of a million orders rarely.
 */
function isOutgrown(log: CommandLog): boolean {
  const { first, rest } = log.sizes();
  return rest > Math.max(restMin, first * restShare);
}

function entryOf(world: World): LogEntry {
  return { kind: 'world', format, saved: saveWorld(world) };
}

function refuseForeign(file: string): void {
  const because = foreignAt(file);
  if (because !== undefined) throw new DamagedError(file, because);
}

/**
 * Removes the world of a file; its next user creates a new one.
 * @returns the new path of a file that was not a world
 */
export function forgetWorld(file: string): string | undefined {
  if (kindAt(file) === 'nothing') return undefined;
  const lock = fileLock(file);
  try {
    return lock.hold(() => {
      if (foreignAt(file) !== undefined) return moveAside(file);
      rmSync(file, { force: true });
      return undefined;
    });
  } finally {
    lock.close();
  }
}
