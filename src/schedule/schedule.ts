/** A playbook's schedule as kept: its name, its times, what is decided by default. */
import { day, minute, type Millis } from '../base/clock.ts';
import { sha256 } from '../base/json.ts';
import { isWriting } from '../plan/effect.ts';
import { stepsOf } from '../playbook/expressions.ts';
import { onlySteps } from '../playbook/only.ts';
import type { Playbook, ScheduleEntry } from '../playbook/playbook.ts';
import { usedBy } from '../interpreter/interpret.ts';
import { scheduleId } from './slot.ts';

export interface Schedule {
  /** `s-` and eight characters; the same wherever the same playbook is kept for the same profile. */
  readonly id: string;
  /** The playbook's name and file. */
  readonly playbook: string;
  readonly file: string;
  readonly profile: string;
  readonly cron: string;
  readonly timezone: string;
  /** The steps that run; all when empty. */
  readonly only: readonly string[];
  /** Whether one of them may change something outside this machine's folders. */
  readonly writes: boolean;
  readonly missed: 'skip' | 'once' | 'all';
  readonly overlap: 'skip' | 'queue';
  /** How old a missed time may be and still be made up; any age when absent. */
  readonly withinMs?: Millis;
  /** How late a run may begin and not count as missed. */
  readonly lateMs: Millis;
  /** How much later than its pattern says it is due, always. */
  readonly delayMs: Millis;
}

const lateUsual = 5 * minute; // a machine that was busy is not a machine that was off
const withinUsual = day; // for missed: all

/** The schedules of a playbook on a profile; alike ones are one. */
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

/** A part of a length that follows from a name, in whole seconds. */
function partOf(length: Millis, name: string): Millis {
  const seconds = Math.floor(length / 1_000);
  return seconds === 0 ? 0 : (Number.parseInt(sha256(name).slice(0, 12), 16) % seconds) * 1_000;
}

/** A program may do anything; a notice and our own file change no account. */
function writesIn(playbook: Playbook): boolean {
  const all = usedBy(playbook).flatMap(stepsOf);
  return all.some((step) => isWriting(step) || step.uses === 'shell/run');
}
