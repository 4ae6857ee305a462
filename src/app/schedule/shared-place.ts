/** Chooses the place where the schedulers of a project find each other. */
import { hostname } from 'node:os';
import { plainText } from '../../base/text.ts';
import type { Config } from '../config/load.ts';
import { localPlace, type SchedulePlace } from './place.ts';
import type { StateStore } from '../../stores/store.ts';
import type { AppContext } from '../app-context.ts';
import { storeOf } from '../store/synchronized.ts';

/** The store that several machines share, or the state folder. */
export async function placeOf(config: Config, context: AppContext): Promise<SchedulePlace> {
  return placeIn(await storeOf(config, context), config);
}

export function placeIn({ coordination }: StateStore, { stateDir }: Config): SchedulePlace {
  if (coordination === undefined) return localPlace(stateDir);
  return { ...coordination, folder: '', host: plainText(hostname(), 80) };
}
