/** Pauses and resumes schedules by their id, or by the name of their playbook. */
import { UsageError } from '../../base/error.ts';
import { nearWord, plainText } from '../../base/text.ts';
import type { Config } from '../config/load.ts';
import { openPause, pause, pausesIn, resume, type Asked, type Pause } from './pause.ts';
import type { Schedule } from './schedule.ts';
import type { AppContext } from '../app-context.ts';
import { schedulesIn } from './found.ts';
import { placeOf } from './shared-place.ts';

export interface Pausing {
  readonly pause: Pause;
  /** The schedules here that the pause applies to. */
  readonly schedules: readonly Schedule[];
  /** The schedules that another pause still keeps from running. */
  readonly stillPaused: readonly Schedule[];
}

/** Pauses schedules. @throws UsageError for an unknown name, and without a reason */
export async function pauseNamed(
  asked: Asked,
  config: Config,
  context: AppContext,
): Promise<Pausing> {
  const { schedules, left } = await schedulesIn([], config, context);
  const own = schedules.filter((schedule) => isNamed(schedule, asked.name));
  // A file that is not valid now may have it.
  if (own.length === 0 && left.length === 0) throw unknown(asked.name, schedules);
  const place = await placeOf(config, context);
  return { pause: await pause(asked, place, context.clock), schedules: own, stillPaused: own };
}

/** Resumes schedules. @throws UsageError for a name that is not paused */
export async function resumeNamed(
  asked: Asked,
  config: Config,
  context: AppContext,
): Promise<Pausing> {
  const place = await placeOf(config, context);
  const ended = await resume(asked, place, context.clock);
  const { schedules } = await schedulesIn([], config, context);
  const own = schedules.filter((schedule) => isNamed(schedule, asked.name));
  const { pauses } = await pausesIn(place);
  const stillPaused = own.filter((schedule) => openPause(pauses, schedule) !== undefined);
  return { pause: ended, schedules: own, stillPaused };
}

function isNamed({ id, playbook }: Schedule, name: string): boolean {
  return id === name || playbook === name;
}

function unknown(name: string, schedules: readonly Schedule[]): UsageError {
  const near = nearWord(
    name,
    schedules.flatMap(({ id, playbook }) => [id, playbook]),
  );
  return new UsageError(
    `no schedule or scheduled playbook here is named ${JSON.stringify(plainText(name, 80))}`,
    near === undefined ? 'see `deskhand schedule list`' : `did you mean ${plainText(near, 80)}?`,
  );
}
