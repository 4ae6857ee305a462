/** Pauses of schedules: who paused which, when and why. Every scheduler reads them before it decides
 * and before it claims. Pauses that ended are kept, so that a scheduler that did not run meanwhile
 * does not take the occurrences of a pause for missed ones.
 */
import { join } from 'node:path';
import type { Clock, Millis } from '../../base/clock.ts';
import { DeskhandError, exits, UsageError } from '../../base/error.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { alone } from './alone.ts';
import type { SchedulePlace } from './place.ts';
import type { ScheduleRecord } from './decisions.ts';
import { pauseShape } from './record-shape.ts';
import type { Schedule } from './schedule.ts';
import { storeIn } from './stored.ts';
import { shapeCheck } from '../../exchange/api/check.ts';
import { exactly, list, record, type Infer } from '../../exchange/api/schema.ts';

export type Pause = Infer<typeof pauseShape>;

/** A request to pause or resume. */
export interface Asked {
  readonly name: string;
  readonly who: string;
  readonly why: string;
}

const endedMax = 200; // pauses that ended; the oldest are removed
const whyMax = 300; // characters

/** The pauses of a place, oldest first. @throws DeskhandError when the file is damaged */
export async function pausesIn(place: Pick<SchedulePlace, 'folder' | 'files'>): Promise<Pauses> {
  const path = pathIn(place.folder);
  const text = await place.files.read(path);
  return { text, pauses: text === undefined ? [] : parsed(text, path) };
}

interface Pauses {
  readonly pauses: readonly Pause[];
  /** The text of the file as stored. */
  readonly text: string | undefined;
}

/** The pauses that apply to a schedule. */
export function pausesOf(
  pauses: readonly Pause[],
  { id, playbook }: Pick<Schedule, 'id' | 'playbook'>,
): readonly Pause[] {
  return pauses.filter(({ name }) => name === id || name === playbook);
}

/** The pause of a schedule that lasts now; the first of several. */
export function openPause(
  pauses: readonly Pause[],
  schedule: Pick<Schedule, 'id' | 'playbook'>,
): Pause | undefined {
  return pausesOf(pauses, schedule).find(({ until }) => until === undefined);
}

/**
 * Pauses schedules. When it resolves, no scheduler claims an occurrence of them; a run in progress
 * continues.
 * @throws UsageError without a reason, or when the name is paused already
 */
export async function pause(asked: Asked, place: SchedulePlace, clock: Clock): Promise<Pause> {
  const why = plainText(asked.why, whyMax).trim();
  if (why === '') throw new UsageError('a pause needs a reason', 'add --reason "…"');
  return alone({ place, clock }, async () => {
    const paused: Pause = { name: asked.name, at: await nowOf(place, clock), who: asked.who, why };
    await change(place, (pauses) => {
      const open = pauses.find((each) => each.name === asked.name && each.until === undefined);
      if (open !== undefined) throw alreadyPaused(open);
      return [...pauses, paused];
    });
    await recordEvent({ ...asked, why, kind: 'paused' }, place, clock);
    return paused;
  });
}

/**
 * Resumes schedules. Occurrences of the pause are not run.
 * @throws UsageError when the name is not paused
 */
export async function resume(asked: Asked, place: SchedulePlace, clock: Clock): Promise<Pause> {
  const why = plainText(asked.why, whyMax).trim();
  return alone({ place, clock }, async () => {
    const until = await nowOf(place, clock);
    let ended: Pause | undefined;
    await change(place, (pauses) => {
      ended = pauses.find((each) => each.name === asked.name && each.until === undefined);
      if (ended === undefined) throw notPaused(asked.name, pauses);
      return pauses.map((each) => (each === ended ? { ...each, until } : each));
    });
    if (ended === undefined) throw notPaused(asked.name, []);
    await recordEvent({ ...asked, why, kind: 'resumed' }, place, clock);
    return { ...ended, until };
  });
}

async function nowOf({ now }: SchedulePlace, clock: Clock): Promise<Millis> {
  return now === undefined ? clock.now() : now();
}

async function change(
  place: SchedulePlace,
  by: (pauses: readonly Pause[]) => readonly Pause[],
): Promise<void> {
  for (;;) {
    const known = await pausesIn(place);
    const next = withoutOld(by(known.pauses));
    const text = `${JSON.stringify({ version: 1, pauses: next })}\n`;
    if (await place.files.replace(pathIn(place.folder), text, known.text)) return;
  }
}

function withoutOld(pauses: readonly Pause[]): readonly Pause[] {
  const ended = pauses.filter(({ until }) => until !== undefined);
  const old = new Set(ended.slice(0, Math.max(0, ended.length - endedMax)));
  return pauses.filter((each) => !old.has(each));
}

type PauseEvent = Asked & { readonly kind: 'paused' | 'resumed' };

function recordEvent(
  event: PauseEvent,
  place: SchedulePlace,
  clock: Clock,
): Promise<ScheduleRecord> {
  return storeIn(place, clock).record(event);
}

function pathIn(folder: string): string {
  return join(folder, 'schedule', 'paused.json');
}

function alreadyPaused({ name, who, why, at }: Pause): UsageError {
  const since = new Date(at).toISOString().slice(0, 16);
  return new UsageError(
    `${plainText(name, 80)} is paused already, by ${plainText(who, 80)} since ${since}Z: ${plainText(why, whyMax)}`,
    `deskhand schedule resume ${shellWord(name)}`,
  );
}

function notPaused(name: string, pauses: readonly Pause[]): UsageError {
  const open = pauses.filter(({ until }) => until === undefined).map((each) => each.name);
  return new UsageError(
    `${plainText(name, 80)} is not paused`,
    open.length === 0 ? 'nothing is paused' : `paused: ${plainText(open.join(', '), 300)}`,
  );
}

/**
 * Reads the pauses. If one cannot be read, it may apply to any schedule: nothing runs until a person has
 * looked.
 */
function parsed(text: string, path: string): readonly Pause[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw damaged(path);
  }
  if (!isPauses(value)) throw damaged(path);
  return value.pauses;
}

const isPauses = shapeCheck(record({ version: exactly(1), pauses: list(pauseShape) }));

function damaged(path: string): DeskhandError {
  return new DeskhandError(`${path} is damaged: what is paused is not known, so nothing runs`, {
    code: 'pauses-damaged',
    actor: 'operator',
    exit: exits.heldBack,
    hint: 'see `deskhand schedule log` for pauses, remove the file, and pause again',
  });
}
