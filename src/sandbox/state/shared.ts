/** A world shared by processes: whoever works on it first does what the others have done. */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Millis } from '../../base/clock.ts';
import { assert } from '../../base/error.ts';
import { Refusal } from '../refusal.ts';
import type { Act } from '../world/act.ts';
import { newWorld } from '../world/genesis.ts';
import { saveWorld } from '../world/saved.ts';
import { isSettled } from '../world/settle.ts';
import type { Birth, World } from '../world/world.ts';
import { format } from './entry.ts';
import { folderLock, type FolderLock } from './lock.ts';
import { commandLog, type CommandLog } from './log.ts';
import { outcomeOf, replayed, toldOf } from './replay.ts';
import { readSnapshot, writeSnapshot } from './snapshot.ts';
import { businessTime, type Store } from './store.ts';

const actsBetweenSnapshots = 200; // bounds what a new process has to do again
const logName = 'commands.ndjson';
const snapshotName = 'snapshot.json';

/** What one process knows of the folder. */
interface Known {
  readonly log: CommandLog;
  world: World;
  actsSince: number;
}

export class SharedStore implements Store {
  readonly #folder: string;
  readonly #birth: Birth;
  readonly #clock: Clock;
  readonly #lock: FolderLock;
  #known: Known | undefined;
  #isHeld = false;

  /** Opens the world of a folder, or begins one there. */
  constructor(folder: string, birth: Birth, clock: Clock) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
    this.#birth = birth;
    this.#clock = clock;
    this.#lock = folderLock(folder);
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
    if (++known.actsSince >= actsBetweenSnapshots) this.#snapshot(known);
    if (outcome.kind === 'refused') throw outcome.refusal;
    return outcome.data;
  }

  replace(world: World): void {
    const known = this.#newest();
    known.log.append({ kind: 'replaced', saved: saveWorld(world) });
    known.world = world;
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
      known.world = replayed(known.world, line, this.#folder);
      known.actsSince++;
    }
  }

  /** From the snapshot, or from the first line; an empty folder gets a new world. */
  #opened(): Known {
    const snapshot = readSnapshot(join(this.#folder, snapshotName));
    const log = commandLog(join(this.#folder, logName), snapshot?.position ?? 0);
    if (snapshot !== undefined) return { log, world: snapshot.world, actsSince: 0 };
    let world: World | undefined;
    const lines = log.catchUp();
    for (const line of lines) world = replayed(world, line, this.#folder);
    if (world !== undefined) return { log, world, actsSince: lines.length };
    const known = { log, world: newWorld(this.#birth), actsSince: 0 };
    log.append({ kind: 'born', format, birth: this.#birth });
    this.#snapshot(known); // being read is quicker than being born
    return known;
  }

  #snapshot(known: Known): void {
    const file = join(this.#folder, snapshotName);
    writeSnapshot(file, { position: known.log.position(), world: known.world });
    known.actsSince = 0;
  }

  #forget(): void {
    this.#known?.log.close();
    this.#known = undefined;
  }
}

/** Forgets the world of a folder; whoever opens it next, or has it open, begins a new one. */
export function forgetWorld(folder: string): void {
  if (!existsSync(folder)) return;
  const lock = folderLock(folder);
  lock.hold(() => {
    for (const name of [logName, snapshotName]) rmSync(join(folder, name), { force: true });
  });
  lock.close();
}
