/** The metrics of a state folder and of this process, as docs/monitoring.md lists them. */
import { hour, minute, second, type Millis } from '../../base/clock.ts';
import { operationNames } from '../../exchange/api/operations/index.ts';
import { orderStates, requestBounds, waitBounds, type RunFigures } from './figures.ts';
import {
  addTo,
  emptyHistogram,
  observe,
  prometheusText,
  type Histogram,
  type Metric,
} from './prometheus.ts';
import { endStatuses } from '../../engine/journal/end-status.ts';

const lagBounds: readonly Millis[] = [
  second,
  5 * second,
  15 * second,
  minute,
  5 * minute,
  15 * minute,
  hour,
];

/** The figures of a state folder. */
export interface AllFigures {
  readonly runs: readonly RunFigures[];
  /** Number of runs whose journal cannot be read. */
  readonly damaged: number;
}

/** The metrics as text. @param options the version of this program, and the time by this machine's clock */
export function metricsOf(
  { runs, damaged }: AllFigures,
  { version, now }: { readonly version: string; readonly now: Millis },
): string {
  return prometheusText([
    {
      name: 'deskhand_build_info',
      help: 'Version of deskhand; always 1.',
      type: 'gauge',
      samples: [{ labels: { version }, value: 1 }],
    },
    ...runMetrics(runs, damaged),
    ...writeMetrics(runs, now),
    ...requestMetrics(runs),
    ...timeMetrics(runs),
  ]);
}

function runMetrics(runs: readonly RunFigures[], damaged: number): readonly Metric[] {
  return [
    {
      name: 'deskhand_runs_total',
      help: 'Ends of runs by state. A run that is resumed ends again.',
      type: 'counter',
      samples: endStatuses.map((state) => ({
        labels: { state },
        value: sumOf(runs, ({ ends }) => ends[state]),
      })),
    },
    gauge('deskhand_runs_unfinished', 'Runs without an end: in progress, or ended by a crash.', {
      value: sumOf(runs, ({ isUnfinished }) => (isUnfinished ? 1 : 0)),
    }),
    gauge('deskhand_runs_damaged', 'Runs whose journal cannot be read.', { value: damaged }),
  ];
}

function writeMetrics(runs: readonly RunFigures[], now: Millis): readonly Metric[] {
  return [
    {
      name: 'deskhand_orders_total',
      help: 'Outcomes of orders that were sent. An order in doubt that is settled later has two.',
      type: 'counter',
      samples: orderStates.map((state) => ({
        labels: { state },
        value: sumOf(runs, ({ orders }) => orders[state]),
      })),
    },
    gauge('deskhand_doubts', 'Writes whose outcome is not known now.', {
      value: sumOf(runs, (run) => doubtsIn(run, now)),
    }),
  ];
}

function requestMetrics(runs: readonly RunFigures[]): readonly Metric[] {
  return [
    {
      name: 'deskhand_request_seconds',
      help: 'Time to the response of the exchange, by operation.',
      type: 'histogram',
      bounds: requestBounds,
      samples: requestsIn(runs),
    },
    {
      name: 'deskhand_response_deviations_total',
      help: 'Values of responses that deviate from the interface, by operation, field and what came.',
      type: 'counter',
      samples: deviationsIn(runs),
    },
    {
      name: 'deskhand_limit_wait_seconds',
      help: 'Waits for a slot of the rate limit; those below 0.2 s are not recorded.',
      type: 'histogram',
      bounds: waitBounds,
      samples: [{ histogram: waitsIn(runs) }],
    },
  ];
}

function timeMetrics(runs: readonly RunFigures[]): readonly Metric[] {
  return [
    {
      name: 'deskhand_schedule_lag_seconds',
      help: 'Time from the scheduled time of a run to its start.',
      type: 'histogram',
      bounds: lagBounds,
      samples: [{ histogram: lagsIn(runs) }],
    },
    gauge(
      'deskhand_clock_offset_seconds',
      'How far the clock of the exchange was ahead of the clock of this machine in the last request.',
      offsetIn(runs),
    ),
  ];
}

/** The time after which an order that is being sent is in doubt: a response is awaited for 30 s. */
const longestSend: Millis = 2 * minute;

function doubtsIn({ doubts, openSince }: RunFigures, now: Millis): number {
  return doubts + openSince.filter((at) => now - at > longestSend).length;
}

/** A gauge without labels; without a value it has no sample. */
function gauge(name: string, help: string, sample?: { readonly value: number }): Metric {
  return { name, help, type: 'gauge', samples: sample ? [sample] : [] };
}

function sumOf(
  runs: readonly RunFigures[],
  countIn: (run: RunFigures) => number | undefined,
): number {
  let sum = 0;
  for (const run of runs) sum += countIn(run) ?? 0;
  return sum;
}

/** The durations of requests, for operations that were used. */
function requestsIn(
  runs: readonly RunFigures[],
): { readonly labels: { readonly operation: string }; readonly histogram: Histogram }[] {
  return operationNames.flatMap((operation) => {
    const own = runs.flatMap(({ requests }) => requests[operation] ?? []);
    if (own.length === 0) return [];
    const histogram = emptyHistogram(requestBounds);
    for (const each of own) addTo(histogram, each);
    return [{ labels: { operation }, histogram }];
  });
}

function deviationsIn(
  runs: readonly RunFigures[],
): { readonly labels: Readonly<Record<string, string>>; readonly value: number }[] {
  const counts = new Map<string, number>();
  for (const { deviations = {} } of runs) {
    for (const [key, count] of Object.entries(deviations)) {
      counts.set(key, (counts.get(key) ?? 0) + count);
    }
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => {
      const [operation = '', field = '', came = ''] = key.split(' ');
      return { labels: { operation, field, came }, value };
    });
}

function waitsIn(runs: readonly RunFigures[]): Histogram {
  const waits = emptyHistogram(waitBounds);
  for (const { limitWaits } of runs) addTo(waits, limitWaits);
  return waits;
}

function lagsIn(runs: readonly RunFigures[]): Histogram {
  const lags = emptyHistogram(lagBounds);
  for (const { lagMs } of runs) if (lagMs !== undefined) observe(lags, lagBounds, { ms: lagMs });
  return lags;
}

/** The clock offset, from the run that measured it last. */
function offsetIn(runs: readonly RunFigures[]): { readonly value: number } | undefined {
  let last: RunFigures['offset'];
  for (const { offset } of runs) if (offset && offset.at > (last?.at ?? -Infinity)) last = offset;
  return last && { value: last.ms / 1000 };
}
