/** The default look of charts: fonts, lines and colors of the page. */
import { isRecord } from '../../base/json.ts';

const colours = ['1', '2', '3', '4', '5', '6', '7', '8'].map((n) => `var(--c${n})`);

const letters = { font: 'var(--sans)' };
const soft = 'var(--soft)';

/** The format of times: a day as `Oct 25`, an hour as `13:00`, as in other reports. */
const timeFormat = {
  year: '%Y',
  quarter: '%b',
  month: '%b',
  week: '%b %d',
  date: '%b %d',
  hours: '%H:%M',
  minutes: '%H:%M',
  seconds: '%H:%M:%S',
  milliseconds: '%H:%M:%S.%L',
};

const theme = {
  background: null,
  padding: 4,
  font: 'var(--sans)',
  view: { stroke: null },
  mark: { color: 'var(--c1)' },
  bar: { cornerRadiusEnd: 2 },
  line: { strokeWidth: 2, strokeCap: 'round', strokeJoin: 'round' },
  area: { opacity: 0.18, line: true },
  rule: { color: soft },
  text: { color: 'var(--ink)', ...letters },
  title: { color: 'var(--ink)', fontSize: 14, fontWeight: 600, anchor: 'start', offset: 14 },
  axis: {
    labelColor: soft,
    titleColor: soft,
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: 500,
    domainColor: 'var(--line)',
    tickColor: 'var(--line)',
    gridColor: 'var(--line)',
    gridOpacity: 0.7,
    labelPadding: 6,
    titlePadding: 10,
    labelLimit: 160,
  },
  axisX: { grid: false, labelFlush: false, labelOverlap: 'greedy', labelSeparation: 8 },
  axisY: { domain: false, ticks: false, tickCount: 5 },
  axisXBand: { labelAngle: 0 },
  axisXTemporal: { format: timeFormat },
  // A scale in millions labels zero as 0, not 0M.
  axisQuantitative: {
    labelExpr: "datum.value === 0 ? replace(datum.label, regexp('^0[A-Za-z]$'), '0') : datum.label",
  },
  axisXQuantitative: { tickCount: 6, grid: true },
  legend: {
    orient: 'top',
    direction: 'horizontal',
    title: null,
    labelColor: soft,
    labelFontSize: 12,
    symbolType: 'square',
    symbolSize: 110,
    columnPadding: 18,
    labelLimit: 180,
    offset: 12,
  },
  header: { labelColor: soft, titleColor: soft, labelFontSize: 12 },
  range: {
    category: colours,
    ordinal: colours,
    diverging: ['var(--c4)', 'var(--line)', 'var(--c1)'],
  },
} as const;

const legendEntry = 150; // pixels per legend entry

/** The default theme, overridden by that of the playbook: merged one level deep. */
export function themeFor(own: unknown, width: number): object {
  // Entries side by side; those that do not fit are placed below.
  const legend = { ...theme.legend, columns: Math.max(2, Math.floor(width / legendEntry)) };
  const fitting = { ...theme, legend };
  if (!isRecord(own)) return fitting;
  const joined = Object.entries(own).map(([name, part]) => {
    const ours: unknown = Object.entries(fitting).find(([key]) => key === name)?.[1];
    return [name, isRecord(ours) && isRecord(part) ? { ...ours, ...part } : part];
  });
  return { ...fitting, ...Object.fromEntries(joined) };
}
