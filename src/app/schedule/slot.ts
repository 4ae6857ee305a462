/** The purpose of a scheduled run: one occurrence of one schedule, and the names derived from it. */
import { shellWord } from '../../base/text.ts';
import type { Millis } from '../../base/clock.ts';
import { DeskhandError, exits, UsageError } from '../../base/error.ts';
import { digestOf } from '../../base/json.ts';
import { accountParts } from '../../engine/journal/account.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import type { Playbook, ScheduleEntry } from '../../language/playbook.ts';
import { lastOccurrence, occurrenceAfter } from './occurrences.ts';

/** An occurrence of a schedule, and its steps. */
export interface Slot {
  readonly scheduledFor: Millis;
  /** Sorted ids of the steps; empty means all steps of the playbook. */
  readonly only: readonly string[];
}

/** The error when the occurrence was already run; nothing was sent. */
export class SlotTakenError extends DeskhandError {
  constructor(scheduledFor: Millis, run: string) {
    super(`${shownTime(scheduledFor)} already ran as ${run}; nothing was sent`, {
      code: 'slot-taken',
      actor: 'operator',
      exit: exits.heldBack,
      hint: `see \`deskhand runs show ${shellWord(run)}\`, or run the playbook without --scheduled-for`,
    });
  }
}

/**
 * The permanent id of a schedule, derived from its account, its playbook, its times and its steps.
 */
export function scheduleId(
  profile: string,
  playbook: string,
  { cron, timezone, only }: Pick<ScheduleEntry, 'cron' | 'timezone' | 'only'>,
): string {
  const times = cron.trim().split(/\s+/).join(' ');
  return `s-${digestOf([profile, playbook, times, timezone, sorted(only)]).slice(0, 8)}`;
}

/** Whether a text has the form of a schedule's id. */
export function isScheduleId(text: string): boolean {
  return /^s-[0-9a-f]{8}$/.test(text);
}

/**
 * The permanent id of a slot's run: two machines with the same slot get the same run folder or,
 * without shared state, the same clientOids.
 */
export function slotRunId(destination: Destination, playbook: string, slot: Slot): string {
  return named(accountParts(destination), playbook, slot);
}

/** The id of a slot's run from versions that used hosts as written, and had no ids of accounts. */
export function writtenSlotRunId(
  { target, host, keyFingerprint, profile }: Destination,
  playbook: string,
  slot: Slot,
): string {
  return named([target, host, keyFingerprint ?? profile], playbook, slot);
}

function named(account: readonly string[], playbook: string, { scheduledFor, only }: Slot): string {
  return `r-${digestOf(['slot', account, playbook, scheduledFor, only]).slice(0, 10)}`;
}

/**
 * The slot of a playbook at a time. A playbook without schedules may be run for any time.
 * @param only the selected steps; empty means those of the schedule
 * @throws UsageError when no schedule of the playbook is due then, or several different ones are
 */
export function slotAt(playbook: Playbook, time: Millis, only: readonly string[]): Slot {
  const { schedule } = playbook;
  const due = schedule.filter((entry) => isDue(entry, time));
  if (schedule.length > 0 && due.length === 0) throw noSuchTime(playbook, time);
  const slots = due.map((entry) => sorted(entry.only));
  const asked = sorted(only);
  if (schedule.length === 0 || slots.some((own) => isSame(own, asked))) {
    return { scheduledFor: time, only: asked };
  }
  const [first = [], ...others] = slots;
  if (only.length === 0 && others.every((other) => isSame(other, first))) {
    return { scheduledFor: time, only: first };
  }
  throw new UsageError(
    `${playbook.name} has no schedule with exactly these steps at ${shownTime(time)}`,
    `one of: ${slots.map(flagsOf).join('; ')}`,
  );
}

/** The slot of a playbook with already selected steps. */
export function slotOf(scheduledFor: Millis, playbook: Playbook, whole: Playbook): Slot {
  const isWhole = playbook.steps.length === whole.steps.length;
  return { scheduledFor, only: isWhole ? [] : sorted(playbook.steps.map(({ id }) => id)) };
}

function isDue(entry: ScheduleEntry, time: Millis): boolean {
  return lastOccurrence(entry, { after: time - 1, until: time }) === time;
}

function noSuchTime({ name, schedule }: Playbook, time: Millis): UsageError {
  const near = schedule
    .flatMap((entry) => occurrenceAfter(entry, time) ?? [])
    .toSorted((a, b) => a - b)[0];
  return new UsageError(
    `no schedule of ${name} is due at ${shownTime(time)}`,
    near === undefined ? undefined : `the next time is ${shownTime(near)}`,
  );
}

/** A time in the format of `--scheduled-for`. */
export function shownTime(time: Millis): string {
  return new Date(time).toISOString().replace(/(?::00)?\.000Z$/, 'Z');
}

function flagsOf(only: readonly string[]): string {
  return only.length === 0 ? 'no --only' : only.map((id) => `--only ${id}`).join(' ');
}

function sorted(only: readonly string[] = []): readonly string[] {
  return [...new Set(only)].toSorted();
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
