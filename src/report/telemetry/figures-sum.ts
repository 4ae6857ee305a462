/** The figures of several runs together, of which metrics are made. */
import { hour, minute, second, type Millis } from '../../base/clock.ts';
import { requestBounds, waitBounds, type RunFigures } from './figures.ts';
import { addTo, emptyHistogram, observe, type Histogram } from './prometheus.ts';

/** Counts by a name. */
type Counts = Map<string, number>;

export class FiguresSum {
  readonly ends: Counts = new Map();
  readonly orders: Counts = new Map();
  readonly deviations: Counts = new Map();
  readonly requests = new Map<string, Histogram>();
  readonly limitWaits = emptyHistogram(waitBounds);
  readonly lags = emptyHistogram(lagBounds);
  readonly openSince: Millis[] = [];
  unfinished = 0;
  doubts = 0;
  /** The measurement of the clock that was made last. */
  offset: RunFigures['offset'];

  add(run: RunFigures): void {
    this.#count(run);
    for (const [operation, each] of Object.entries(run.requests))
      this.#addRequests(operation, each);
    addTo(this.limitWaits, run.limitWaits);
    if (run.lagMs !== undefined) observe(this.lags, lagBounds, { ms: run.lagMs });
    this.#measure(run.offset);
    this.unfinished += run.isUnfinished ? 1 : 0;
    this.doubts += run.doubts;
    this.openSince.push(...run.openSince);
  }

  addAll(other: FiguresSum): void {
    for (const key of ['ends', 'orders', 'deviations'] as const) {
      for (const [name, count] of other[key]) addCount(this[key], name, count);
    }
    for (const [operation, each] of other.requests) this.#addRequests(operation, each);
    addTo(this.limitWaits, other.limitWaits);
    addTo(this.lags, other.lags);
    this.#measure(other.offset);
    this.unfinished += other.unfinished;
    this.doubts += other.doubts;
    this.openSince.push(...other.openSince);
  }

  #count({ ends, orders, deviations = {} }: RunFigures): void {
    for (const [name, count] of Object.entries(ends)) addCount(this.ends, name, count);
    for (const [name, count] of Object.entries(orders)) addCount(this.orders, name, count);
    for (const [name, count] of Object.entries(deviations)) addCount(this.deviations, name, count);
  }

  #addRequests(operation: string, durations: Histogram): void {
    const sum = this.requests.get(operation) ?? emptyHistogram(requestBounds);
    this.requests.set(operation, sum);
    addTo(sum, durations);
  }

  #measure(offset: RunFigures['offset']): void {
    if (offset && offset.at > (this.offset?.at ?? -Infinity)) this.offset = offset;
  }
}

/** Bounds of the buckets for the time from the scheduled time of a run to its start. */
export const lagBounds: readonly Millis[] = [
  second,
  5 * second,
  15 * second,
  minute,
  5 * minute,
  15 * minute,
  hour,
];

function addCount(counts: Counts, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

export function sumOfRuns(runs: readonly RunFigures[]): FiguresSum {
  const sum = new FiguresSum();
  for (const run of runs) sum.add(run);
  return sum;
}
