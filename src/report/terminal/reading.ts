/** The progress of an export: rows, pages, windows, waits for the rate limit, and the remaining time. */
import { second, type Millis } from '../../base/clock.ts';
import { count, grouped, plainText, spoken } from '../../base/text.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import type { Entry } from '../../engine/journal/entry.ts';

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

export interface ReadingProgress {
  /** Reads an entry. @returns the progress of its export; undefined for other entries */
  add(entry: Entry): Progress | undefined;
}

export interface Progress {
  readonly address: string;
  readonly text: string;
  /** For output with one line per change: whether ten seconds have passed since the last line. */
  readonly isDue: boolean;
}

const lineEvery: Millis = 10 * second;

interface Reading {
  readonly began: EntryOf<'reading'>;
  /** The share of the range that was read when this attempt started, and the attempt's start time. */
  start?: { readonly share: number; readonly at: Millis };
  windows: number;
  waitedMs: Millis;
  shownAt: Millis;
}

/** Follows every export of a run; pages before a resume are counted, not timed. */
export function readingProgress(): ReadingProgress {
  const readings = new Map<string, Reading>();
  return {
    add: (entry) => {
      switch (entry.kind) {
        case 'reading':
          readings.set(entry.address, {
            began: entry,
            windows: 0,
            waitedMs: 0,
            shownAt: entry.at,
          });
          return undefined;
        case 'resumed':
          for (const reading of readings.values()) delete reading.start;
          return undefined;
        case 'waited': {
          const reading = readings.get(entry.address);
          if (reading && entry.why === 'limit') reading.waitedMs += entry.ms;
          return undefined;
        }
        case 'paged': {
          const reading = readings.get(entry.address);
          if (reading === undefined) return undefined;
          const isDue = entry.at - reading.shownAt >= lineEvery;
          if (isDue) reading.shownAt = entry.at;
          const address = plainText(entry.address, 120);
          return { address, text: textOf(reading, entry), isDue };
        }
        default:
          return undefined;
      }
    },
  };
}

function textOf(reading: Reading, entry: EntryOf<'paged'>): string {
  const { asked, operation } = reading.began;
  const share = asked && shareOf(asked, entry);
  if (entry.isLast && entry.window) reading.windows += 1;
  reading.start ??= { share: share ?? 0, at: entry.at };
  const span = operationOf(operation).window?.span;
  const windows = asked && span && Math.ceil((asked.to - asked.from + 1) / (span + 1));
  return [
    `${grouped(String(entry.rows))} rows`,
    count(entry.page, 'page'),
    ...(windows === undefined || windows < 2
      ? []
      : [`window ${Math.min(windows, reading.windows + (entry.isLast ? 0 : 1))} of ${windows}`]),
    ...(reading.waitedMs < 1_000 ? [] : [`${spoken(reading.waitedMs)} waited for the rate limit`]),
    ...(share === undefined ? [] : leftOf(share, entry.at, reading.start)),
  ].join(', ');
}

/**
 * The share of the range that was read. Windows are read oldest first, the pages of a window newest first.
 */
function shareOf(
  asked: { readonly from: Millis; readonly to: Millis },
  entry: EntryOf<'paged'>,
): number | undefined {
  const { window, reached, isLast } = entry;
  if (window === undefined || asked.to <= asked.from) return undefined;
  const within = isLast ? window.to - window.from : window.to - (reached ?? window.to);
  return Math.min(1, Math.max(0, (window.from - asked.from + within) / (asked.to - asked.from)));
}

const leastShare = 0.02; // of the range; a smaller share gives no estimate
const leastMs = 2_000;

function leftOf(
  share: number,
  at: Millis,
  start: { readonly share: number; readonly at: Millis },
): string[] {
  const percent = `${Math.floor(share * 100)} %`;
  const [done, ms] = [share - start.share, at - start.at];
  if (done < leastShare || ms < leastMs || share >= 1) return [percent];
  return [percent, `about ${spoken((ms * (1 - share)) / done)} left`];
}
