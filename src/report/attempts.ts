/** The attempts of a run: one, and one more for every resume. */
import type { Millis } from '../base/clock.ts';
import type { Entry } from '../engine/journal/entry.ts';

/**
 * Whether an entry is a resume, or the settlement of a doubt between two attempts: the last record of the
 * run no longer applies.
 */
export function changesAfter(seq: number): (entry: Entry) => boolean {
  return (entry) => entry.seq > seq && (entry.kind === 'resumed' || entry.kind === 'settled');
}

function isPersonsWord(entry: Entry): boolean {
  if (entry.kind !== 'settled') return false;
  const { outcome } = entry;
  return 'person' in outcome && outcome.person !== undefined;
}

/** Whether the next process, or a person, recorded an entry about an attempt that ended before. */
function isBetween({ kind }: Entry): boolean {
  return kind === 'taken-over' || kind === 'signalled';
}

/** The attempts of a run. The wall clock may jump back, but an attempt never ends before it starts. */
export function attemptsIn(entries: readonly Entry[]): { from: Millis; to: Millis }[] {
  const attempts: { from: Millis; to: Millis }[] = [];
  let hasEnded = false;
  for (const entry of entries) {
    const { kind, at } = entry;
    if (kind === 'resumed') hasEnded = false;
    if (hasEnded || isPersonsWord(entry) || isBetween(entry)) continue; // recorded between two attempts
    const current = attempts.at(-1);
    if (current === undefined || kind === 'resumed') attempts.push({ from: at, to: at });
    else current.to = Math.max(current.to, at);
    hasEnded = kind === 'finished';
  }
  return attempts;
}
