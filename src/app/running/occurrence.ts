/** The outcome of an occurrence's run, read from its journal, and not from the process that executes it. */
import { exits } from '../../base/error.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { lockRun, LockedError, locksIn } from '../../engine/journal/lock.ts';
import { everyRun } from '../../engine/journal/run-list.ts';
import { readRun } from '../../engine/journal/runs.ts';
import { summaryOf, type Summary } from '../../report/summary.ts';
import { day, type Millis } from '../../base/clock.ts';
import type { Ended } from '../schedule/decisions.ts';
import type { Schedule } from '../schedule/schedule.ts';
import { hasEndedHere } from '../../stores/locks.ts';
import { StoreError, type StateStore } from '../../stores/store.ts';
import type { AppContext } from '../app-context.ts';
import { describeError } from './describe.ts';

/** The places in which the runs of schedules are looked up. */
export interface ScheduleState {
  readonly stateDir: string;
  readonly store: StateStore;
}

/**
 * The outcome of a begun run, which is fetched first. A run that cannot be read is in doubt.
 * @param run has begun
 */
export async function standingOf(
  run: string,
  place: ScheduleState,
  { clock }: Pick<AppContext, 'clock'>,
): Promise<Ended> {
  const host = await hostOf(run, place, clock.now());
  try {
    const summary = summaryOf(await readRun(place.stateDir, run));
    return summary.exit === undefined ? unfinished(summary, host) : endOf(summary);
  } catch (error) {
    const { message, hint } = describeError(error);
    const help = hint === undefined ? {} : { hint };
    return { status: 'doubt', exit: exits.inDoubt, run, message, ...help, cause: 'crash' };
  }
}

/** The outcome of an occurrence that a scheduler claimed before it died; its run may not have begun. */
export async function standingOfOccurrence(
  { playbook, profile, only }: Schedule,
  occurrence: Millis,
  place: ScheduleState,
  context: Pick<AppContext, 'clock'>,
): Promise<Ended> {
  await place.store.sync().catch(undefinedWhenUnreachable); // what is here is used
  const begun: (readonly [run: string, steps: number])[] = [];
  for (const header of await everyRun(place.stateDir)) {
    const isOfIt = header.playbook === playbook && header.destination.profile === profile;
    if (!isOfIt || header.createdAt < occurrence - day) continue; // its clock may be wrong
    const [started] = await readRun(place.stateDir, header.run).catch(() => []);
    if (started?.kind !== 'started' || started.scheduledFor !== occurrence) continue;
    const steps = new Set(started.steps.map(({ id }) => id));
    if (only.every((id) => steps.has(id))) begun.push([header.run, steps.size]);
  }
  // Another schedule of the playbook may select other steps at the same time.
  const sorted = begun.toSorted(([, some], [, others]) => some - others);
  const [run] = sorted.at(only.length === 0 ? -1 : 0) ?? [];
  if (run !== undefined) return standingOf(run, place, context);
  const message = 'its process ended before the run began; nothing was sent';
  return { status: 'not-begun', exit: exits.stopped, message, cause: 'crash' };
}

/** The end that a run has recorded. */
export function endOf({ run, status, exit, stop, headline, lead, next }: Summary): Ended {
  const how = status === 'unfinished' ? 'interrupted' : status;
  const ended = { status: how, exit: exit ?? exits.stopped, run };
  if (how === 'done') return ended;
  const [first] = next;
  return {
    ...ended,
    message: stop === undefined ? headline : `${headline}: ${lead}`,
    ...(first && { hint: first.command }),
  };
}

/**
 * The outcome of a run without an end.
 * @param host of a process that continues it; undefined if there is none
 */
function unfinished(summary: Summary, host: string | undefined): Ended {
  const { run, inDoubt, headline, lead } = summary;
  if (host !== undefined) {
    const hint = `deskhand runs logs -f ${shellWord(run)}`;
    const message = `it is in progress on ${plainText(host, 80)}`;
    return { status: 'unfinished', exit: exits.stopped, run, message, hint };
  }
  const ended = {
    run,
    message: `it did not end; ${headline}: ${lead}`,
    hint: `deskhand resume ${shellWord(run)}`,
    cause: 'crash',
  } as const;
  return inDoubt.length > 0
    ? { status: 'doubt', exit: exits.inDoubt, ...ended }
    : { status: 'unfinished', exit: exits.stopped, ...ended };
}

/** The machine whose process has the run now. */
async function hostOf(
  run: string,
  { stateDir, store }: ScheduleState,
  now: number,
): Promise<string | undefined> {
  try {
    const claims = await store.sync({ run });
    const held = claims.find((claim) => claim.run === run && claim.until > now);
    if (held !== undefined && !hasEndedHere(held, await locksIn(stateDir))) return held.host;
  } catch (error) {
    undefinedWhenUnreachable(error); // what is here is used
  }
  try {
    const lock = await lockRun(stateDir, run);
    await lock.release();
    return undefined;
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    return error.needsPerson ? undefined : 'this machine';
  }
}

function undefinedWhenUnreachable(error: unknown): undefined {
  if (error instanceof StoreError) return undefined;
  throw error;
}
