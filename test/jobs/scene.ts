/** A job in its own folder, on an exchange that was put back to its beginning. */
import { second, type Millis } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/json.ts';
import { compose, type Job } from './compose.ts';
import { Desk } from './desk.ts';
import type { Choice } from './features.ts';
import { openHook, type Hook } from './hook.ts';
import { openStage, type Stage } from './stage.ts';
import { worldOf, type World } from './worlds.ts';

export interface Scene {
  readonly job: Job;
  readonly desk: Desk;
  readonly world: World;
  readonly hook: Hook;
}

export interface Theatre {
  /**
   * Plays in a new scene, and removes it afterwards.
   * @param isShared whether several machines share the state of the desk
   */
  play<T>(choice: Choice, work: (scene: Scene) => Promise<T>, isShared?: boolean): Promise<T>;
  /** How many deaths of each job are tried. */
  readonly deaths: number;
  close(): Promise<void>;
}

export async function openTheatre(deaths = 1): Promise<Theatre> {
  const [stage, hook]: [Stage, Hook] = [await openStage(), await openHook()];
  return {
    play: async (choice, work, isShared = false) => {
      stage.renew(momentOf(choice), choice.family);
      hook.forget();
      const job = compose(choice, hook.url, isShared);
      const world = worldOf(choice, stage);
      const { files, env } = job;
      const desk = new Desk({ stage, files, env, wrap: world.wrap, isShared });
      try {
        return await work({ job, desk, world, hook });
      } finally {
        desk.close();
      }
    },
    deaths,
    close: async () => {
      await hook.close();
      await stage.close();
    },
  };
}

/** The forms of responses follow from the moment: other ones in each job, the same in each of its scenes. */
function momentOf({ answers: _answers, ...rest }: Choice): Millis {
  return Number.parseInt(sha256(JSON.stringify(rest)).slice(0, 6), 16) % second;
}
