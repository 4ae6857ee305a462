/** The functions of the verbs, for the pages of `serve` in this folder. */
import { existsSync } from 'node:fs';
import { profileNamed, type Config } from '../../app/config/load.ts';
import { sandboxFile } from '../../app/config/opened-profile.ts';
import type { DeskServices } from '../../serve/server/services.ts';
import type { Context } from '../context.ts';
import { ofProfile } from '../../app/doctor/findings.ts';
import { runningFile, sandboxIn } from '../../app/config/sandboxes.ts';
import { schedulesHere } from '../../app/schedule/found.ts';
import { pauseNamed, resumeNamed } from '../../app/schedule/pausing.ts';
import { placeOf } from '../../app/schedule/shared-place.ts';

/**
 * The services of a desk.
 * @param isKept whether this process starts what is due
 */
export function servicesOf(config: Config, context: Context, isKept: boolean): DeskServices {
  const { stateDir } = config;
  return {
    schedules: {
      isKept,
      find: () => schedulesHere(config, context),
      place: () => placeOf(config, context),
      pause: async (asked) => (await pauseNamed(asked, config, context)).pause,
      resume: async (asked) => (await resumeNamed(asked, config, context)).pause,
    },
    findings: (profile) => ofProfile(config, profileNamed(config, profile), context, false),
    sandbox: {
      exists: () => existsSync(runningFile(stateDir)) || existsSync(sandboxFile(stateDir)),
      words: async () => (await sandboxIn(stateDir, context)).words,
      control: async (request) => (await sandboxIn(stateDir, context)).control(request),
      reset: async () => (await (await sandboxIn(stateDir, context)).reset()).moved,
    },
  };
}
