/** Stores a world: all changes are made here, in order, one act at a time. */
import type { Clock, Millis } from '../../base/clock.ts';
import { applyAct } from '../acts.ts';
import type { Act } from '../world/act.ts';
import { isSettled } from '../world/advance.ts';
import { momentOf } from '../world/time.ts';
import type { World } from '../world/world.ts';

export interface Store {
  /** The world after the last act; only inside `exclusive` is it certainly the newest. */
  world(): World;
  /** The world's current time. */
  now(): Millis;
  /** The machine's current time. */
  wall(): Millis;
  /** Runs a synchronous function while no other process changes the world. */
  exclusive<T>(work: () => T): T;
  /** Settles the events that are due. */
  settle(): void;
  /** Executes an act and appends it to the file. @throws Refusal when the act is invalid */
  commit(act: Act): unknown;
  /** Replaces the world with another one. */
  replace(world: World): void;
  close(): void;
}

/** The time of a world, which never goes back, even if the machine's clock does. */
export function businessTime(world: World, clock: Clock): Millis {
  return Math.max(momentOf(world.registry.time, clock.now()), world.engine.time());
}

/** A world that is kept only in memory. */
export function memoryStore(first: World, clock: Clock): Store {
  let world = first;
  const now = (): Millis => businessTime(world, clock);
  return {
    world: () => world,
    now,
    wall: () => clock.now(),
    exclusive: (work) => work(),
    settle: () => {
      const at = now();
      if (!isSettled(world, at)) applyAct(world, { kind: 'tick' }, at);
    },
    commit: (act) => applyAct(world, act, now()),
    replace: (next) => {
      world = next;
    },
    close: () => undefined,
  };
}
