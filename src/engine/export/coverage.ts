/** Time ranges that files cover, and where a read continues: the arithmetic of `since: last`. */
import type { Millis } from '../../base/clock.ts';
import type { TimeWindow } from './manifest.ts';

/** The times that a file of an earlier run covers. */
export interface Coverage {
  readonly covered: readonly TimeWindow[];
  /** The requested range; what the file does not cover of it was reported as a gap. */
  readonly asked?: TimeWindow;
}

export interface Continuing {
  /** The first moment to read; the overlap is included. */
  readonly start: Millis;
  /** The first moment that no file covers; absent if there are no files. */
  readonly from?: Millis;
  /** Ranges that no file covers and the exchange no longer keeps, unless they were reported before. */
  readonly gaps: readonly TimeWindow[];
}

export interface Reach {
  /** The beginning that the step asks for. */
  readonly start?: Millis;
  readonly end: Millis;
  /** The oldest moment that the exchange keeps. */
  readonly kept: Millis;
  readonly overlapMs: Millis;
}

/**
 * Where a read continues: at the first moment after the beginning that no file covers, and the exchange still
 * keeps, less the overlap. The beginning is that of the step or of the oldest file.
 */
export function continuingFrom(
  files: readonly Coverage[],
  { start, end, kept, overlapMs }: Reach,
): Continuing {
  const covered = united(files.flatMap((file) => file.covered));
  const [first] = covered;
  const last = covered.at(-1);
  if (first === undefined || last === undefined) return { start: start ?? kept, gaps: [] };
  const beginning = Math.min(start ?? first.from, first.from);
  const missing = holesIn({ from: beginning, to: end }, covered);
  const [next] = missing.flatMap(({ from, to }) => (to < kept ? [] : [Math.max(from, kept)]));
  const from = next ?? Math.min(end, last.to) + 1;
  const reported = united(files.flatMap(({ asked }) => asked ?? []));
  const gaps = missing
    .filter((hole) => hole.from < kept)
    .flatMap((hole) => holesIn({ from: hole.from, to: Math.min(hole.to, kept - 1) }, reported));
  return { start: Math.max(beginning, kept, Math.min(from, end) - overlapMs), from, gaps };
}

/** The parts of a range that are not covered, oldest first. */
export function holesIn(
  { from, to }: TimeWindow,
  covered: readonly TimeWindow[],
): readonly TimeWindow[] {
  const holes: TimeWindow[] = [];
  let reached = from;
  for (const span of united(covered)) {
    if (span.to < reached) continue;
    if (span.from > to) break;
    if (span.from > reached) holes.push({ from: reached, to: span.from - 1 });
    reached = span.to + 1;
  }
  return reached <= to ? [...holes, { from: reached, to }] : holes;
}

/** Sorts time ranges, oldest first, and joins each with those that it touches. */
export function united(spans: readonly TimeWindow[]): readonly TimeWindow[] {
  const all: TimeWindow[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last === undefined || span.from > last.to + 1) all.push(span);
    else all[all.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
  }
  return all;
}

/** The common parts of two lists of ranges. */
export function common(
  spans: readonly TimeWindow[],
  others: readonly TimeWindow[],
): readonly TimeWindow[] {
  const both = spans.flatMap((span) =>
    others.flatMap((other) => {
      const [from, to] = [Math.max(span.from, other.from), Math.min(span.to, other.to)];
      return from <= to ? [{ from, to }] : [];
    }),
  );
  return united(both);
}
