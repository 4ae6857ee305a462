/** The stored state of schedules: how far they were decided, what was claimed, what happened. */
import { join } from 'node:path';
import { day, type Clock, type Millis } from '../base/clock.ts';
import { isRecord } from '../base/json.ts';
import type { Standing } from './decide.ts';
import type { StateFiles } from './files.ts';
import type { ScheduleEvent, ScheduleRecord } from './record.ts';
import type { Schedule } from './schedule.ts';

export interface ScheduleStore {
  /** Undefined for a schedule that was never checked. */
  standing(id: string): Promise<Standing | 'damaged' | undefined>;
  keep(schedule: Schedule, standing: Standing): Promise<void>;
  /**
   * Claims an occurrence for this process; false if it was ever claimed. Durable when it resolves.
   */
  take(schedule: Schedule, occurrence: Millis): Promise<boolean>;
  /** Appends to the record. @param schedule absent for events without one */
  record(event: ScheduleEvent, schedule?: Schedule): Promise<ScheduleRecord>;
  /** The records, oldest first. */
  records(): Promise<readonly ScheduleRecord[]>;
}

const recordMax = 2 * 1024 * 1024; // bytes; then the older half is removed
const keptFor = 400 * day; // for a claimed occurrence: longer than any clock is set back

export function storeIn(stateDir: string, files: StateFiles, clock: Clock): ScheduleStore {
  const folder = join(stateDir, 'schedule');
  const log = join(folder, 'record.ndjson');
  const own = (id: string, name: string): string => join(folder, id, name);
  return {
    standing: async (id) => {
      const text = await files.read(own(id, 'standing.json'));
      return text === undefined ? undefined : standingIn(text);
    },
    keep: async ({ id, playbook, profile, cron, timezone }, standing) => {
      const what = { playbook, profile, cron, timezone };
      const text = JSON.stringify({ version: 1, ...what, ...standing });
      await files.replace(own(id, 'standing.json'), `${text}\n`);
    },
    take: async ({ id }, occurrence) => {
      const taken = { version: 1, at: clock.now(), pid: process.pid };
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
      const record: ScheduleRecord = { version: 1, at: clock.now(), ...whose, ...event };
      const bytes = await files.append(log, JSON.stringify(record));
      if (bytes > recordMax) await shorten(log, files);
      return record;
    },
    records: async () => recordsIn((await files.read(log)) ?? ''),
  };
}

/** `20261121T021500.000Z`: sorts chronologically. */
function nameOf(occurrence: Millis): string {
  return new Date(occurrence).toISOString().replaceAll(/[-:]/g, '');
}

/** `2026-11`: occurrences are stored by month, so that no folder grows without limit. */
function monthOf(occurrence: Millis): string {
  return new Date(occurrence).toISOString().slice(0, 7);
}

async function removeOld(folder: string, oldest: string, files: StateFiles): Promise<void> {
  for (const month of await files.names(folder)) {
    if (/^\d{4}-\d{2}$/.test(month) && month < oldest) await files.remove(join(folder, month));
  }
}

async function shorten(log: string, files: StateFiles): Promise<void> {
  const text = (await files.read(log)) ?? '';
  await files.replace(log, text.slice(text.indexOf('\n', text.length / 2) + 1));
}

/** An unreadable file proves nothing: claims are stored separately. */
function standingIn(text: string): Standing | 'damaged' {
  const value = parsed(text);
  if (!isRecord(value)) return 'damaged';
  const { until, waiting } = value;
  const isWhole = isMoment(until) && Array.isArray(waiting) && waiting.every(isMoment);
  return isWhole ? { until, waiting } : 'damaged';
}

const latest = Date.UTC(9999, 11, 31); // names of later times have another format

function isMoment(value: unknown): value is Millis {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= latest;
}

function recordsIn(text: string): readonly ScheduleRecord[] {
  return text.split('\n').flatMap((line) => {
    const value = inToday(parsed(line));
    return isScheduleRecord(value) ? [value] : [];
  });
}

/** Records of 0.1 named the occurrence `tick`, and the message `says`. */
function inToday(value: unknown): unknown {
  if (!isRecord(value) || !('tick' in value || 'says' in value)) return value;
  const { tick, says, ...rest } = value;
  return {
    ...rest,
    ...(tick !== undefined && { occurrence: tick }),
    ...(says !== undefined && { message: says }),
  };
}

function isScheduleRecord(value: unknown): value is ScheduleRecord {
  return isRecord(value) && value['version'] === 1 && typeof value['kind'] === 'string';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // truncated by a crash, or edited
  }
}
