/** A stored schedule of a playbook: its id, its times, its defaults. */
import { day, minute, type Millis } from '../../base/clock.ts';
import { sha256 } from '../../base/json.ts';
import { isWriting } from '../../engine/plan/effect.ts';
import { stepsOf } from '../../language/expressions.ts';
import { onlySteps } from '../../language/only.ts';
import type { Playbook, ScheduleEntry } from '../../language/playbook.ts';
import { usedBy } from '../../engine/interpreter/interpret.ts';
import { scheduleId } from './slot.ts';
import {
  choice,
  list,
  optional,
  record,
  text,
  truth,
  type Infer,
} from '../../exchange/api/schema.ts';
import { count } from '../../engine/journal/shared-schema.ts';

/** A schedule of a playbook on a profile. */
export const scheduleSchema = record({
  /**
   * The id of the schedule: `s-` and eight characters; the same for the same playbook and profile everywhere.
   */
  id: text(),
  /** The playbook's name and file. */
  playbook: text(),
  file: text(),
  profile: text(),
  cron: text(),
  timezone: text(),
  /** Ids of the steps to run; empty means all. */
  only: list(text()),
  /** Whether one of its steps may change something outside this machine's folders. */
  writes: truth,
  missed: choice(['skip', 'once', 'all']),
  overlap: choice(['skip', 'queue']),
  /** Maximum age of a missed occurrence that still runs. Default: unlimited. */
  withinMs: optional(count),
  /** How late a run may start without counting as missed. */
  lateMs: count,
  /** The constant delay of the schedule's occurrences. */
  delayMs: count,
});

export type Schedule = Infer<typeof scheduleSchema>;

const lateUsual = 5 * minute; // later ones count as missed; a busy machine may need minutes
const withinUsual = day; // limit for `missed: all`

/** The schedules of a playbook on a profile; equal ones are one. */
export function schedulesOf(playbook: Playbook, profile: string): readonly Schedule[] {
  const all = playbook.schedule.map((entry) => scheduleOf(playbook, profile, entry));
  return all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
}

function scheduleOf(playbook: Playbook, profile: string, entry: ScheduleEntry): Schedule {
  const id = scheduleId(profile, playbook.name, entry);
  const only = entry.only ?? [];
  const writes = writesIn(onlySteps(playbook, only));
  const missed = entry.missed ?? (writes ? 'skip' : 'once');
  const withinMs = entry.withinMs ?? (missed === 'all' ? withinUsual : undefined);
  return {
    id,
    playbook: playbook.name,
    file: playbook.file,
    profile,
    cron: entry.cron.trim().split(/\s+/).join(' '),
    timezone: entry.timezone,
    only,
    writes,
    missed,
    overlap: entry.overlap,
    ...(withinMs !== undefined && { withinMs }),
    lateMs: entry.lateMs ?? lateUsual,
    delayMs: partOf(entry.jitterMs ?? 0, id),
  };
}

/** A fraction of a duration derived from a name, in whole seconds. */
function partOf(length: Millis, name: string): Millis {
  const seconds = Math.floor(length / 1_000);
  return seconds === 0 ? 0 : (Number.parseInt(sha256(name).slice(0, 12), 16) % seconds) * 1_000;
}

/**
 * Whether a playbook writes outside this machine's folders. A program may do anything; a notification and a
 * file of the playbook change no account.
 */
function writesIn(playbook: Playbook): boolean {
  const all = usedBy(playbook).flatMap(stepsOf);
  return all.some((step) => isWriting(step) || step.uses === 'shell/run');
}
