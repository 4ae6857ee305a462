/** Schedules with their records and pauses, read at most once in two seconds for all pages. */
import { join } from 'node:path';
import { second, systemClock, type Millis } from '../../../base/clock.ts';
import { stampText } from '../../../engine/journal/stamp.ts';
import { pausesIn, type Pause } from '../../../app/schedule/pause.ts';
import type { SchedulePlace } from '../../../app/schedule/place.ts';
import type { ScheduleRecord } from '../../../app/schedule/decisions.ts';
import { storeIn } from '../../../app/schedule/stored.ts';
import type { FoundSchedules, ScheduleService } from '../services.ts';

export interface Schedules extends FoundSchedules {
  /** The records of schedules, oldest first. */
  readonly records: readonly ScheduleRecord[];
  readonly pauses: readonly Pause[];
}

export interface ScheduleBoard {
  read(): Promise<Schedules>;
  /** Drops the known records, so that the next read is a new one. */
  forget(): void;
  /** Whether records or pauses changed since the last call of this function. */
  isChanged(): Promise<boolean>;
}

const validFor: Millis = 2 * second;

export function scheduleBoard(service: ScheduleService): ScheduleBoard {
  let known: { readonly at: Millis; readonly all: Promise<Schedules> } | undefined;
  let last = '';
  const read = async (): Promise<Schedules> => {
    const place = await service.place();
    const { schedules, left } = await service.find();
    const { pauses } = await pausesIn(place);
    return { schedules, left, pauses, records: await storeIn(place, systemClock).records() };
  };
  return {
    read: () => {
      const now = systemClock.monotonic();
      if (known === undefined || now - known.at > validFor) known = { at: now, all: read() };
      return known.all;
    },
    forget: () => {
      known = undefined;
    },
    isChanged: async () => {
      const before = last;
      last = await stateOf(await service.place());
      return before !== '' && before !== last;
    },
  };
}

/**
 * A text that changes with records or pauses: stamps of this machine's files; a database is read.
 */
async function stateOf(place: SchedulePlace): Promise<string> {
  if (place.folder !== '') {
    const names = ['record.ndjson', 'paused.json'];
    return names.map((name) => stampText(join(place.folder, 'schedule', name)) || '-').join();
  }
  const { pauses } = await pausesIn(place);
  const records = await storeIn(place, systemClock).records();
  return JSON.stringify([pauses, records.at(-1)]);
}
