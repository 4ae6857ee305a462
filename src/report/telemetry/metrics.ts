/** The metrics of a state folder and of this process, as docs/monitoring.md lists them. */
import { minute, type Millis } from '../../base/clock.ts';
import { operationNames } from '../../exchange/api/operations/index.ts';
import { orderStates, requestBounds, waitBounds } from './figures.ts';
import { lagBounds, type FiguresSum } from './figures-sum.ts';
import { prometheusText, type Histogram, type Metric } from './prometheus.ts';
import { endStatuses } from '../../engine/journal/end-status.ts';

/** The figures of a state folder. */
export interface AllFigures {
  readonly sum: FiguresSum;
  /** Number of runs whose journal cannot be read. */
  readonly damaged: number;
}

/** The metrics as text. @param options the version of this program, and the time by this machine's clock */
export function metricsOf(
  { sum, damaged }: AllFigures,
  { version, now }: { readonly version: string; readonly now: Millis },
): string {
  return prometheusText([
    {
      name: 'deskhand_build_info',
      help: 'Version of deskhand; always 1.',
      type: 'gauge',
      samples: [{ labels: { version }, value: 1 }],
    },
    ...runMetrics(sum, damaged),
    ...writeMetrics(sum, now),
    ...requestMetrics(sum),
    ...timeMetrics(sum),
  ]);
}

function runMetrics({ ends, unfinished }: FiguresSum, damaged: number): readonly Metric[] {
  return [
    {
      name: 'deskhand_runs_total',
      help: 'Ends of runs by state. A run that is resumed ends again.',
      type: 'counter',
      samples: endStatuses.map((state) => ({
        labels: { state },
        value: ends.get(state) ?? 0,
      })),
    },
    gauge('deskhand_runs_unfinished', 'Runs without an end: in progress, or ended by a crash.', {
      value: unfinished,
    }),
    gauge('deskhand_runs_damaged', 'Runs whose journal cannot be read.', { value: damaged }),
  ];
}

function writeMetrics(sum: FiguresSum, now: Millis): readonly Metric[] {
  return [
    {
      name: 'deskhand_orders_total',
      help: 'Outcomes of orders that were sent. An order in doubt that is settled later has two.',
      type: 'counter',
      samples: orderStates.map((state) => ({
        labels: { state },
        value: sum.orders.get(state) ?? 0,
      })),
    },
    gauge('deskhand_doubts', 'Writes whose outcome is not known now.', {
      value: doubtsIn(sum, now),
    }),
  ];
}

function requestMetrics(sum: FiguresSum): readonly Metric[] {
  return [
    {
      name: 'deskhand_request_seconds',
      help: 'Time to the response of the exchange, by operation.',
      type: 'histogram',
      bounds: requestBounds,
      samples: requestsIn(sum),
    },
    {
      name: 'deskhand_response_deviations_total',
      help: 'Values of responses that deviate from the interface, by operation, field and what came.',
      type: 'counter',
      samples: deviationsIn(sum),
    },
    {
      name: 'deskhand_limit_wait_seconds',
      help: 'Waits for a slot of the rate limit; those below 0.2 s are not recorded.',
      type: 'histogram',
      bounds: waitBounds,
      samples: [{ histogram: sum.limitWaits }],
    },
  ];
}

function timeMetrics({ lags, offset }: FiguresSum): readonly Metric[] {
  return [
    {
      name: 'deskhand_schedule_lag_seconds',
      help: 'Time from the scheduled time of a run to its start.',
      type: 'histogram',
      bounds: lagBounds,
      samples: [{ histogram: lags }],
    },
    gauge(
      'deskhand_clock_offset_seconds',
      'How far the clock of the exchange was ahead of the clock of this machine in the last request.',
      offset && { value: offset.ms / 1000 },
    ),
  ];
}

/** The age at which an order that is being sent counts as in doubt: far above the 30 s of one call. */
const longestSend: Millis = 2 * minute;

function doubtsIn({ doubts, openSince }: FiguresSum, now: Millis): number {
  return doubts + openSince.filter((at) => now - at > longestSend).length;
}

/** A gauge without labels; without a value it has no sample. */
function gauge(name: string, help: string, sample?: { readonly value: number }): Metric {
  return { name, help, type: 'gauge', samples: sample ? [sample] : [] };
}

/** The durations of requests, for operations that were used. */
function requestsIn({ requests }: FiguresSum): {
  readonly labels: { readonly operation: string };
  readonly histogram: Histogram;
}[] {
  return operationNames.flatMap((operation) => {
    const histogram = requests.get(operation);
    return histogram === undefined ? [] : [{ labels: { operation }, histogram }];
  });
}

function deviationsIn({
  deviations,
}: FiguresSum): { readonly labels: Readonly<Record<string, string>>; readonly value: number }[] {
  return [...deviations]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => {
      const [operation = '', field = '', came = ''] = key.split(' ');
      return { labels: { operation, field, came }, value };
    });
}
