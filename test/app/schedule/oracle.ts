/** What a schedule should do, told a second way: over the list of its minutes, look by look. */
import { minute, second, type Millis } from '../../../src/base/clock.ts';
import type { Schedule } from '../../../src/app/schedule/schedule.ts';

/** Someone looks, and the clock on the wall shows this. */
export interface Look {
  /** Time as it really continues. */
  readonly real: Millis;
  readonly wall: Millis;
}

export interface Expected {
  readonly fired: readonly Millis[];
  /** How many times were left, by reason. */
  readonly left: Readonly<Record<string, number>>;
}

/** @param due every minute of the pattern, found by looking at each */
export function expected(
  schedule: Schedule,
  due: readonly Millis[],
  looks: readonly Look[],
  lastsFor: (occurrence: Millis) => Millis,
): Expected {
  const { missed, overlap, lateMs, withinMs = Infinity, delayMs } = schedule;
  const fired: Millis[] = [];
  const left: Record<string, number> = {};
  const leave = (why: string, occurrences: readonly Millis[]): void => {
    if (occurrences.length > 0) left[why] = (left[why] ?? 0) + occurrences.length;
  };
  const queue: Millis[] = [];
  let freeAt = -Infinity;
  let decided: Millis | undefined;
  /** Runs what waits until the moment; a run that continues beyond it holds up the rest. */
  const workUntil = (real: Millis): void => {
    while (freeAt <= real && queue.length > 0) {
      const [occurrence = 0] = queue.splice(0, 1);
      if (fired.includes(occurrence)) continue;
      fired.push(occurrence);
      freeAt += lastsFor(occurrence);
    }
  };
  for (const { real, wall } of looks) {
    workUntil(real);
    const upTo = wall - delayMs;
    if (decided === undefined) {
      const justNow = due.findLast(
        (occurrence) => occurrence <= upTo && occurrence >= upTo - lateMs,
      );
      decided = (justNow ?? upTo) - 1;
    }
    if (upTo <= decided) {
      if (decided - upTo > 5 * second) decided = upTo;
      continue;
    }
    const since = decided;
    decided = upTo;
    const fresh = due.filter((occurrence) => occurrence > since && occurrence <= upTo);
    const nobodyWas = upTo - since > lateMs + 2 * minute;
    const forgotten = nobodyWas ? queue.splice(0) : [];
    const newest = fresh.at(-1);
    const onTime = newest !== undefined && upTo - newest <= lateMs ? [newest] : [];
    const gone = [...forgotten, ...fresh.filter((occurrence) => !onTime.includes(occurrence))];
    const isBusy = freeAt > real;
    let made: Millis[] = [];
    if (missed === 'skip') leave('missed', gone);
    else {
      const old = gone.filter((occurrence) => upTo - occurrence >= withinMs);
      const young = gone.filter((occurrence) => !old.includes(occurrence));
      leave('too-old', old);
      if (missed === 'all') made = young;
      else {
        made = onTime.length > 0 ? [] : young.slice(-1);
        leave('covered', onTime.length > 0 ? young : young.slice(0, -1));
      }
    }
    const run = [...made, ...onTime];
    if (isBusy && overlap === 'skip') leave('overlap', run);
    else if (isBusy) {
      const room = 100 - queue.length;
      queue.push(...run.slice(0, room));
      leave('overlap', run.slice(room));
    } else {
      queue.push(...run);
      freeAt = Math.max(freeAt, real);
      workUntil(real);
    }
  }
  return { fired, left };
}
