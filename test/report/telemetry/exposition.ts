/** A strict reader of the Prometheus text format 0.0.4: any line it does not know is an error. */
import assert from 'node:assert/strict';

interface Family {
  readonly help: string;
  readonly type: string;
  /** By name and labels: `deskhand_runs_total{state="done"}`. */
  readonly samples: Map<string, number>;
}

const name = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`;
const sample = new RegExp(`^(${name})(\\{${label}(?:,${label})*\\})? (\\S+)$`);

/** @throws AssertionError for a text that a server would refuse, or whose histograms contradict themselves */
export function familiesIn(text: string): ReadonlyMap<string, Family> {
  assert(text.endsWith('\n'), 'the last line has no end');
  const families = new Map<string, Family>();
  let current = '';
  const lines = text.slice(0, -1).split('\n');
  for (const [at, line] of lines.entries()) {
    const [, described, help] =
      new RegExp(`^# HELP (${name}) ((?:[^\\\\]|\\\\[\\\\n])+)$`).exec(line) ?? [];
    if (described !== undefined && help !== undefined) {
      const [, typed, type] =
        new RegExp(`^# TYPE (${name}) (counter|gauge|histogram)$`).exec(lines[at + 1] ?? '') ?? [];
      assert.equal(typed, described, `${described} has no type after its help`);
      assert(!families.has(described), `${described} is described twice`);
      families.set(described, { help, type: type ?? '', samples: new Map() });
      current = described;
      continue;
    }
    if (line.startsWith('# TYPE ')) continue;
    const [, series = '', labels = '', value = ''] = sample.exec(line) ?? [];
    assert(series !== '', `line ${at + 1} is not a sample: ${line}`);
    const family = families.get(current);
    assert(family, `${line} comes before its family`);
    const isOwn =
      family.type === 'histogram' ? series.startsWith(`${current}_`) : series === current;
    assert(isOwn, `${line} is not of ${current}`);
    assert(value === '+Inf' || !Number.isNaN(Number(value)), `${line} has no value`);
    assert(!family.samples.has(series + labels), `${line} is there twice`);
    family.samples.set(series + labels, Number(value));
  }
  for (const [own, { type, samples }] of families)
    if (type === 'histogram') checkHistogram(own, samples);
  return families;
}

/** Buckets grow, the last one has no bound, and `_count` equals it. */
function checkHistogram(own: string, samples: ReadonlyMap<string, number>): void {
  const last = new Map<string, { le: number; count: number }>();
  for (const [series, count] of samples) {
    const [, labels = '', le = ''] =
      new RegExp(`^${own}_bucket\\{(.*?),?le="([^"]+)"\\}$`).exec(series) ?? [];
    if (le === '') continue;
    const before = last.get(labels);
    const bound = le === '+Inf' ? Infinity : Number(le);
    assert(
      before === undefined || (bound > before.le && count >= before.count),
      `${series} does not grow`,
    );
    last.set(labels, { le: bound, count });
  }
  for (const [labels, { le, count }] of last) {
    const suffix = labels === '' ? '' : `{${labels}}`;
    assert.equal(le, Infinity);
    assert.equal(samples.get(`${own}_count${suffix}`), count);
    assert(samples.has(`${own}_sum${suffix}`));
  }
}
