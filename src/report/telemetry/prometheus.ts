/** Metrics as Prometheus text, format 0.0.4. */
import type { Millis } from '../../base/clock.ts';

/** Labels of a sample. Their values come from closed sets, because a monitor keeps a series for each. */
type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

interface HistogramSample {
  readonly labels?: Labels;
  readonly histogram: Histogram;
}

interface Described {
  /** The name of the metric: `deskhand_runs_total`. */
  readonly name: string;
  readonly help: string;
}

export type Metric = Described &
  (
    | { readonly type: 'counter' | 'gauge'; readonly samples: readonly Sample[] }
    | {
        readonly type: 'histogram';
        /** Upper ends of the histogram's buckets. */
        readonly bounds: readonly Millis[];
        readonly samples: readonly HistogramSample[];
      }
  );

/** A histogram: the number of durations in each bucket, and their sum. */
export interface Histogram {
  /**
   * Number of durations in each bucket that are in no earlier one; the last bucket has those above all
   * bounds.
   */
  readonly counts: number[];
  sumMs: Millis;
}

export function emptyHistogram(bounds: readonly Millis[]): Histogram {
  return { counts: Array.from({ length: bounds.length + 1 }, () => 0), sumMs: 0 };
}

/** Adds a duration to a histogram. @param times how often this duration was observed */
export function observe(
  histogram: Histogram,
  bounds: readonly Millis[],
  { ms, times = 1 }: { readonly ms: Millis; readonly times?: number },
): void {
  const found = bounds.findIndex((bound) => ms <= bound);
  const at = found === -1 ? bounds.length : found;
  histogram.counts[at] = (histogram.counts[at] ?? 0) + times;
  histogram.sumMs += ms * times;
}

/** Adds the observations of a histogram to another with the same bounds. */
export function addTo(sum: Histogram, other: Histogram): void {
  for (const [at, count] of other.counts.entries()) {
    sum.counts[at] = (sum.counts[at] ?? 0) + count;
  }
  sum.sumMs += other.sumMs;
}

export function prometheusText(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap((metric) => {
    const { name, help, type } = metric;
    const samples =
      metric.type === 'histogram'
        ? metric.samples.flatMap((sample) => histogramLines(name, sample, metric.bounds))
        : metric.samples.map(({ labels, value }) => lineOf(name, labels, value));
    return [`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${type}`, ...samples];
  });
  return `${lines.join('\n')}\n`;
}

function histogramLines(
  name: string,
  { labels, histogram }: HistogramSample,
  bounds: readonly Millis[],
): string[] {
  let total = 0;
  const buckets = histogram.counts.map((count, at) => {
    total += count;
    const bound = bounds[at];
    const le = bound === undefined ? '+Inf' : String(bound / 1000);
    return lineOf(`${name}_bucket`, { ...labels, le }, total);
  });
  return [
    ...buckets,
    lineOf(`${name}_sum`, labels, histogram.sumMs / 1000),
    lineOf(`${name}_count`, labels, total),
  ];
}

function lineOf(name: string, labels: Labels = {}, value: number): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapedLabel(text)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${String(value)}`;
}

function escapedHelp(text: string): string {
  return text.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`);
}

function escapedLabel(text: string): string {
  return escapedHelp(text).replaceAll('"', String.raw`\"`);
}
