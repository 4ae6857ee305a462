/** The figures of one run for the metrics: counts and durations, made from its journal. */
import { minute, second, type Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { placesOrders } from '../../exchange/api/meant-order.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { Entry, Outcome } from '../../engine/journal/entry.ts';
import { doubtsOf, everyAction } from '../answers.ts';
import type { Story } from '../story.ts';
import { stateOf } from '../words.ts';
import { emptyHistogram, observe, type Histogram } from './prometheus.ts';
import type { EndStatus } from '../../engine/journal/end-status.ts';

export const orderStates = ['placed', 'refused', 'failed', 'doubt', 'abandoned'] as const;

type OrderState = (typeof orderStates)[number];

/** The figures of a run: plain JSON, because they are stored with its overview. */
export interface RunFigures {
  /** Number of ends of the run, one for each attempt that ended, by status. */
  readonly ends: Partial<Record<EndStatus, number>>;
  /** Whether the run's last attempt has no end: it is in progress, or its process crashed. */
  readonly isUnfinished: boolean;
  /** Number of orders that the run sent, by outcome. An order in doubt that is settled later has two. */
  readonly orders: Partial<Record<OrderState, number>>;
  /** Number of writes that are in doubt according to the journal. */
  readonly doubts: number;
  /** The times when a run without an end sent writes whose outcome is not recorded. */
  readonly openSince: readonly Millis[];
  /** Durations until the responses, by operation. */
  readonly requests: Partial<Record<OperationName, Histogram>>;
  /** Durations of waits for a slot of the rate limit. */
  readonly limitWaits: Histogram;
  /**
   * Number of deviations of responses from the interface, by operation, field and the value that came; absent
   * if none.
   */
  readonly deviations?: Readonly<Record<string, number>>;
  /** Duration from the scheduled time to the start; absent for runs without a schedule. */
  readonly lagMs?: Millis;
  /** How far the exchange's clock is ahead of this machine's, and the time of that measurement. */
  readonly offset?: { readonly at: Millis; readonly ms: Millis };
}

const longBounds: readonly Millis[] = [
  250,
  500,
  second,
  2_500,
  5 * second,
  10 * second,
  30 * second,
];
export const requestBounds: readonly Millis[] = [50, 100, ...longBounds];
/** Bounds of the buckets for waits. Waits below 200 ms are not recorded in journals. */
export const waitBounds: readonly Millis[] = [...longBounds, minute];

/** Makes the figures of a run. @param entries the whole journal from which the story was made */
export function figuresOf(story: Story, entries: readonly Entry[]): RunFigures {
  const { started } = story;
  const { scheduledFor, time } = started;
  const offset = offsetIn(entries);
  const isUnfinished = story.finished === undefined;
  // The process may still be sending the write: the time since then shows whether it is in doubt.
  const open = isUnfinished ? openIn(story) : [];
  return {
    ends: endsIn(entries),
    isUnfinished,
    orders: started.imported === undefined ? ordersIn(entries) : {},
    doubts: doubtsOf(story).length - open.length,
    openSince: open,
    requests: requestsIn(entries),
    limitWaits: waitsIn(entries),
    ...deviationsIn(entries),
    ...(scheduledFor !== undefined && { lagMs: Math.max(0, time - scheduledFor) }),
    ...(offset && { offset }),
  };
}

/**
 * Whether stored figures are of this version. Only deskhand writes their file, so their fields are not
 * checked.
 */
export function isFigures(value: unknown): value is RunFigures {
  return (
    isRecord(value) &&
    isRecord(value['ends']) &&
    isRecord(value['orders']) &&
    isRecord(value['requests']) &&
    isRecord(value['limitWaits']) &&
    Array.isArray(value['openSince']) &&
    typeof value['doubts'] === 'number' &&
    typeof value['isUnfinished'] === 'boolean'
  );
}

function openIn(story: Story): readonly Millis[] {
  return everyAction(story).flatMap(({ action, step }) => {
    const isSent = action.isOpen && stateOf(action, step) === 'doubt';
    return isSent ? [action.intents.at(-1)?.at ?? 0] : [];
  });
}

function endsIn(entries: readonly Entry[]): RunFigures['ends'] {
  const ends: RunFigures['ends'] = {};
  for (const entry of entries) {
    if (entry.kind === 'finished') ends[entry.status] = (ends[entry.status] ?? 0) + 1;
  }
  return ends;
}

function ordersIn(entries: readonly Entry[]): RunFigures['orders'] {
  const orders: RunFigures['orders'] = {};
  const sent = new Set<string>();
  for (const entry of entries) {
    if (entry.kind === 'intended' && placesOrders(entry.operation)) {
      sent.add(entry.address);
    }
    if (entry.kind !== 'settled' || !sent.has(entry.address)) continue;
    const state = orderState[entry.outcome.kind];
    orders[state] = (orders[state] ?? 0) + 1;
  }
  return orders;
}

const orderState = {
  done: 'placed',
  refused: 'refused',
  failed: 'failed',
  doubt: 'doubt',
  skipped: 'abandoned',
} as const satisfies Record<Outcome['kind'], OrderState>;

function requestsIn(entries: readonly Entry[]): RunFigures['requests'] {
  const requests: RunFigures['requests'] = {};
  for (const entry of entries) {
    if (entry.kind !== 'answered') continue;
    const { operation, ms, count: times = 1 } = entry;
    const histogram = (requests[operation] ??= emptyHistogram(requestBounds));
    observe(histogram, requestBounds, { ms: ms / times, times }); // `ms` is their total
  }
  return requests;
}

function waitsIn(entries: readonly Entry[]): Histogram {
  const waits = emptyHistogram(waitBounds);
  for (const entry of entries) {
    if (entry.kind === 'waited' && entry.why === 'limit') observe(waits, waitBounds, entry);
  }
  return waits;
}

/**
 * The deviations. A field that the interface does not have is not named: there could be any number of them.
 */
function deviationsIn(entries: readonly Entry[]): Pick<RunFigures, 'deviations'> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    if (entry.kind !== 'answered') continue;
    for (const { field, came, count } of entry.deviations ?? []) {
      const key = [entry.operation, came === 'undeclared' ? 'new' : field, came].join(' ');
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
  }
  return counts.size === 0 ? {} : { deviations: Object.fromEntries(counts) };
}

/**
 * The clock offset: a signature has the exchange's time, and its entry the machine's time, a moment later.
 */
function offsetIn(entries: readonly Entry[]): RunFigures['offset'] {
  const last = entries.findLast(
    (entry) => entry.kind === 'clock' || (entry.kind === 'intended' && entry.since === undefined),
  );
  if (last?.kind === 'intended') return { at: last.at, ms: last.signedAt - last.at };
  return last?.kind === 'clock' ? { at: last.at, ms: last.time - last.at } : undefined;
}
