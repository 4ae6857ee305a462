/** Charts are drawn here, from rows alone, the same on every machine, and hold only shapes. */
import { describe, expect, test } from 'vitest';
import { chartOf } from '../../src/report/chart/chart.ts';
import { picture } from '../../src/report/chart/picture.ts';
import { isHarmless } from '../../src/report/chart/safe.ts';

const rows = [
  { day: '2026-10-31', uid: '700000000200027', volume: '1904.920302' },
  { day: '2026-11-01', uid: '<script>alert("1")</script>', volume: '20' },
];

const spec = {
  mark: 'bar',
  encoding: {
    x: { field: 'day', type: 'temporal', timeUnit: 'yearmonthdate' },
    y: { field: 'volume', type: 'quantitative' },
    color: { field: 'uid', type: 'nominal' },
  },
};

const chart = (more: object = {}, own: typeof rows = rows) =>
  chartOf({ title: 'Volume', description: 'Volume by day', spec: { ...spec, ...more }, rows: own });

const widthOf = (svg: string): number => Number(/width="(\d+)"/.exec(svg)?.[1]);

test('marks have labels, ids keep their digits, and colors are those of the page', async () => {
  const { wide, narrow } = await chart();
  expect(wide).toContain(
    'aria-label="day (year-month-date): Oct 31, 2026; volume: 1904.920302; uid: 700000000200027"',
  );
  expect(wide).toContain('fill="var(--c1)"');
  expect([wide, narrow].map(widthOf)).toEqual([1005, 445]);
  expect(wide).not.toMatch(/#[0-9a-f]{3,6}"/i);
});

test('a scale in millions starts at 0, and other numbers keep their format', async () => {
  const values = [{ day: '2026-10-31', uid: 'a', volume: '30000000' }];
  const axis = (format: string) => ({
    encoding: { ...spec.encoding, y: { ...spec.encoding.y, axis: { format } } },
  });
  const labels = async (format: string) =>
    [...(await chart(axis(format), values)).wide.matchAll(/>(-?[\d.]+[M%]?)<\/text>/g)].map(
      ([, label]) => label,
    );
  expect(await labels('~s')).toEqual(expect.arrayContaining(['0', '10M', '30M']));
  expect(await labels('.0%')).toContain('0%');
});

test('text of the exchange stays text', async () => {
  const { wide } = await chart();
  expect(wide).not.toContain('<script');
  expect(wide).toContain('&lt;script&gt;');
});

test('equal rows give equal drawings in any time zone', async () => {
  const zone = process.env['TZ'];
  const drawn: string[] = [];
  for (const other of ['UTC', 'Asia/Tokyo', 'America/Los_Angeles']) {
    process.env['TZ'] = other;
    drawn.push((await chart()).wide);
  }
  process.env['TZ'] = zone ?? '';
  if (zone === undefined) delete process.env['TZ'];
  expect(new Set(drawn).size).toBe(1);
});

test.each([
  ['minutes', 3 * 60_000, ['13:05', '13:30']],
  ['hours', 3_600_000, ['13:00', 'Nov 22']],
  ['days', 86_400_000, ['Nov 22', 'Dec 03']],
  ['months', 30 * 86_400_000, ['2027', 'Jul']],
])('times in %s are formatted as in other reports', async (_unit, step, wanted) => {
  const start = Date.UTC(2026, 10, 21, 13);
  const rising = Array.from({ length: 24 }, (_, at) => ({
    at: String(start + at * step),
    volume: String(at),
  }));
  const x = { field: 'at', type: 'temporal' };
  const lines = { mark: 'line', encoding: { x, y: { field: 'volume', type: 'quantitative' } } };
  const of = { title: 'Volume', description: 'Volume', spec: lines, rows: rising };
  const { wide } = await chartOf(of);
  const labels = [...wide.matchAll(/<text[^>]*>([^<]*)</g)].map(([, label]) => label);
  expect(labels).toEqual(expect.arrayContaining(wanted));
  expect(labels.join()).not.toMatch(/[AP]M|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b/);
});

test('a separate chart file contains its colors', async () => {
  const svg = picture(await chart());
  expect(svg).toMatch(
    /^<svg [^>]*role="img"><style>[\s\S]*light-dark\([\s\S]*<title>Volume by day<\/title>/,
  );
});

test('without rows nothing is drawn', async () => {
  expect(await chart({}, [])).toMatchObject({ wide: '', narrow: '' });
});

test.each([
  ['no mark', { mark: undefined, encoding: {} }, /cannot be drawn|does not say what is drawn/],
  ['an unknown mark', { mark: 'bra' }, /not Vega-Lite/],
  ['too wide', { width: 9000 }, /pixels/],
  [
    'data of its own',
    { layer: [{ mark: 'bar', data: { url: 'https://x.test/a.json' } }], mark: undefined },
    /fetches nothing/,
  ],
  [
    'a field of an unknown type',
    { encoding: { x: { field: 'day', type: 'tempral' } } },
    /Invalid field type/,
  ],
])('a spec with %s is an error of the playbook', async (_what, more, message) => {
  await expect(chart(more)).rejects.toThrow(message);
});

describe('a drawing', () => {
  test.each([
    '<svg><script>1</script></svg>',
    '<svg onload="x()"></svg>',
    '<svg><a href="https://x.test"></a></svg>',
    '<svg><image href="data:x"/></svg>',
    '<svg><g style="x"></g></svg>',
    '<svg><rect fill="url(https://x.test/#a)"/></svg>',
    "<svg><g class='a' ></g></svg>",
    '<svg><foreignObject></foreignObject></svg>',
    '<svg><g xlink:href="#a"></g></svg>',
    '<!-- x -->',
    '<svg',
  ])('contains no %s', (svg) => expect(isHarmless(svg)).toBe(false));

  test('contains only shapes and text', () => {
    const svg =
      '<svg viewBox="0 0 1 1"><g aria-label="a &lt; b"><path d="M0,0"/><rect x1="0" fill="url(#a)"/></g></svg>';
    expect(isHarmless(svg)).toBe(true);
  });
});
