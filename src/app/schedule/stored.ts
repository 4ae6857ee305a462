/** The stored state of schedules: up to when each was decided, the claimed occurrences, and the record of
 * events.
 */
import { join } from 'node:path';
import { day, type Clock, type Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { randomId } from '../../base/random.ts';
import type { Standing } from './decide.ts';
import type { StateFiles } from '../../stores/small-files.ts';
import type { ScheduleEvent, ScheduleRecord } from './decisions.ts';
import { isMoment, isScheduleRecord } from './record-shape.ts';
import type { Schedule } from './schedule.ts';

export interface ScheduleStore {
  standing(id: string): Promise<Known>;
  /**
   * Stores the state of a schedule.
   * @param known the state as it was read before
   * @returns false when another process has changed it since: nothing is written
   */
  keep(schedule: Schedule, standing: Standing, known: Known): Promise<boolean>;
  /**
   * Claims an occurrence for this process; false if it was ever claimed. The claim is durable when it
   * resolves.
   */
  take(schedule: Schedule, occurrence: Millis): Promise<boolean>;
  /** Appends an event to the record. @param schedule absent for events without one */
  record(event: ScheduleEvent, schedule?: Schedule): Promise<ScheduleRecord>;
  /** The records, oldest first. */
  records(): Promise<readonly ScheduleRecord[]>;
  /** The records for people, oldest first, with the number of lines that cannot be read. */
  log(): Promise<Records>;
}

export interface Records {
  /** The readable records, oldest first. */
  readonly records: readonly ScheduleRecord[];
  /** Number of lines that are not records of this version: truncated by a crash, or edited. */
  readonly unreadable: number;
}

/** The stored facts about a schedule. */
export interface Known {
  /** The state of the schedule; undefined if it was never checked. */
  readonly standing: Standing | 'damaged' | undefined;
  /** The text of the file as stored. */
  readonly text: string | undefined;
}

export interface StoreOptions {
  /** The folder that contains the folder `schedule`. */
  readonly folder: string;
  readonly files: StateFiles;
  /** Name of this machine in records, if several share them. */
  readonly host?: string;
}

const recordMax = 2 * 1024 * 1024; // bytes; then the older half is removed
const keptFor = 400 * day; // for a claimed occurrence: longer than any clock is set back

export function storeIn(options: StoreOptions, clock: Clock): ScheduleStore {
  const { files, host } = options;
  const folder = join(options.folder, 'schedule');
  const log = join(folder, 'record.ndjson');
  const own = (id: string, name: string): string => join(folder, id, name);
  return {
    standing: async (id) => {
      const text = await files.read(own(id, 'standing.json'));
      return { standing: text === undefined ? undefined : standingIn(text), text };
    },
    keep: async ({ id, playbook, profile, cron, timezone }, standing, known) => {
      const what = { playbook, profile, cron, timezone };
      const text = JSON.stringify({ version: 1, ...what, ...standing });
      return files.replace(own(id, 'standing.json'), `${text}\n`, known.text);
    },
    take: async ({ id }, occurrence) => {
      const by = { pid: process.pid, ...(host !== undefined && { host }), nonce: randomId(16) };
      const taken = { version: 1, at: clock.now(), ...by };
      const path = join(own(id, 'taken'), monthOf(occurrence), `${nameOf(occurrence)}.json`);
      const isOurs = await files.create(path, `${JSON.stringify(taken)}\n`);
      if (isOurs) await removeOld(own(id, 'taken'), monthOf(occurrence - keptFor), files);
      return isOurs;
    },
    record: async (event, schedule) => {
      const whose = schedule && {
        schedule: schedule.id,
        playbook: schedule.playbook,
        profile: schedule.profile,
      };
      const from = host === undefined ? {} : { host };
      const record: ScheduleRecord = { version: 1, at: clock.now(), ...from, ...whose, ...event };
      const bytes = await files.append(log, JSON.stringify(record));
      if (bytes > recordMax) await shorten(log, files);
      return record;
    },
    records: async () => recordsIn((await files.read(log)) ?? '').records,
    log: async () => recordsIn((await files.read(log)) ?? ''),
  };
}

/** The file name of an occurrence: `20261121T021500.000Z`, which sorts chronologically. */
function nameOf(occurrence: Millis): string {
  return new Date(occurrence).toISOString().replaceAll(/[-:]/g, '');
}

/**
 * The month of an occurrence: `2026-11`. Occurrences are stored by month, so that no folder grows without
 * limit.
 */
function monthOf(occurrence: Millis): string {
  return new Date(occurrence).toISOString().slice(0, 7);
}

async function removeOld(folder: string, oldest: string, files: StateFiles): Promise<void> {
  for (const month of await files.names(folder)) {
    if (/^\d{4}-\d{2}$/.test(month) && month < oldest) await files.remove(join(folder, month));
  }
}

/**
 * Removes the older half of the record. If another process appends meanwhile, the next record shortens it.
 */
async function shorten(log: string, files: StateFiles): Promise<void> {
  const text = (await files.read(log)) ?? '';
  await files.replace(log, text.slice(text.indexOf('\n', text.length / 2) + 1), text);
}

/** Reads the state of a schedule. An unreadable file proves nothing: claims are stored separately. */
function standingIn(text: string): Standing | 'damaged' {
  const value = parsed(text);
  if (!isRecord(value)) return 'damaged';
  const { until, waiting } = value;
  const isWhole = isMoment(until) && Array.isArray(waiting) && waiting.every(isMoment);
  return isWhole ? { until, waiting } : 'damaged';
}

function recordsIn(text: string): Records {
  const lines = text.split('\n').filter((line) => line !== '');
  const records = lines.flatMap((line) => {
    const value = inToday(parsed(line));
    return isScheduleRecord(value) ? [value] : [];
  });
  return { records, unreadable: lines.length - records.length };
}

/** Renames fields of old records: version 0.1 named the occurrence `tick`, and the message `says`. */
function inToday(value: unknown): unknown {
  if (!isRecord(value) || !('tick' in value || 'says' in value)) return value;
  const { tick, says, ...rest } = value;
  return {
    ...rest,
    ...(tick !== undefined && { occurrence: tick }),
    ...(says !== undefined && { message: says }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // truncated by a crash, or edited
  }
}
