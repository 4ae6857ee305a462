/** Colors and signs of states are only in the palette; every page and screen takes them from there. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { chartColours, colouredSvg, inks, pageColours, signs } from '../../src/base/palette.ts';
import { planLines } from '../../src/report/plan-line.ts';
import { changeSigns } from '../../src/report/plan-columns.ts';
import { planMarkdown } from '../../src/report/markdown/plan-comment.ts';
import { runReport } from '../../src/report/page/page.ts';
import { rowOf } from '../../src/report/terminal/plan-rows.ts';
import { themeOf } from '../../src/report/terminal/theme.ts';
import { doneRun } from '../support/entries.ts';
import { samplePlan } from '../support/plans.ts';

const root = join(import.meta.dirname, '..', '..', 'src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(?:tsx?|css|svg)$/.test(name) && name !== 'base/palette.ts');

/** The lines of `src` outside the palette that match; comments do not count. */
function linesWith(pattern: RegExp, among = files): string[] {
  return among.flatMap((file) =>
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => pattern.test(line.replace(/^\s*(?:\/\*\*?|\*|\/\/).*$|\s\/\/ .*$/, '')))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

test('no color has its value elsewhere', () => {
  expect(files.length).toBeGreaterThan(500);
  const hex = /(?<![\w&/.])#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b(?![(\w])/i;
  const isDrawn = (file: string): boolean =>
    file.startsWith('report/') || file.startsWith('serve/') || file.startsWith('cli/screens/');
  expect(linesWith(hex, files.filter(isDrawn))).toEqual([]);
  expect(linesWith(/\b(?:rgba?|hsla?|oklch|lab)\(\d|light-dark\(/)).toEqual([]);
});

test('no style of a terminal is elsewhere', () => {
  expect(linesWith(/styleText/)).toEqual([
    "base/ink.ts: import { styleText } from 'node:util';",
    'base/ink.ts: return styleText(inks[ink], text, { validateStream: false });',
  ]);
  expect(linesWith(/\[(?:\d{1,2};)*[349]\dm|'(?:magenta|bgRed|bgCyan)'/)).toEqual([]);
});

test('no sign of a state, and no name of a target, is elsewhere', () => {
  expect(linesWith(/[✔✖✓✗○]/)).toEqual([]);
  expect(linesWith(/\? 'in doubt' :/)).toEqual([
    "report/states.ts: return state === 'doubt' ? 'in doubt' : state.replaceAll('_', ' ').replaceAll('-', ' ');",
  ]);
  const drawn = files.filter((file) => /^(?:report|serve)\//.test(file));
  expect(linesWith(/['>](?:LIVE|DEMO|SANDBOX)['<]/, drawn)).toEqual([]);
});

test('no sentence about what a list does not show is elsewhere', () => {
  const drawn = files.filter((file) => /^(?:report|serve)\//.test(file));
  expect(linesWith(/(?:…|dots\}) \$\{|'more (?:row|line|step)'/, drawn)).toEqual([]);
});

test('every property that a sheet or a chart uses is defined', () => {
  const used = new Set(
    linesWith(/var\(--/).flatMap((line) =>
      [...line.matchAll(/var\(--([\w-]+)/g)].map(([, name]) => name ?? ''),
    ),
  );
  const defined = new Set([...pageColours().matchAll(/--([\w-]+):/g)].map(([, name]) => name));
  const others = ['tick', 'depth', 'slow', 'c']; // the time line sets two, cells of items one; the series of a chart are numbered
  expect([...used].filter((name) => !defined.has(name) && !others.includes(name))).toEqual([]);
  expect(pageColours().startsWith(chartColours())).toBe(true);
  expect(runReport(doneRun(), { program: 'deskhand 0.1.0' })).toContain('--good: light-dark(');
  const icon = readFileSync(join(root, 'serve/web/icon.svg'), 'utf8');
  expect(colouredSvg(icon)).not.toContain('var(');
});

test('a tone has the same sign in a terminal, in a comment and on a page', () => {
  const theme = themeOf({ isTTY: true }, { LANG: 'C.UTF-8', FORCE_COLOR: '1' });
  for (const tone of ['good', 'bad', 'doubt', 'warn', 'idle'] as const) {
    expect(stripVTControlCharacters(theme.sign(tone))).toBe(signs[tone].drawn);
    expect(theme.sign(tone)).not.toBe(signs[tone].drawn);
    expect(inks[tone]).toBeDefined();
    expect(pageColours()).toContain(
      `.${tone} { --tone: var(--${tone}); --tint: var(--${tone}-tint); }`,
    );
  }
});

test('a terminal, a comment and a page show a planned action with the same sign, text and details', () => {
  const plan = samplePlan();
  const theme = themeOf({ isTTY: false }, {});
  const rows = plan.steps.flatMap(({ actions }) => actions.map((one) => rowOf(one, 0, theme)));
  const comment = planMarkdown(plan);
  for (const [at, { kind, sign, text, notional, details }] of planLines(plan).entries()) {
    expect(sign).toBe(changeSigns[kind].drawn);
    expect(rows[at]?.text.startsWith(`${sign} `)).toBe(true);
    if (kind === 'none') continue; // a comment counts them
    expect(comment).toContain(`| \`${sign}\` |`);
    for (const part of [text, notional ?? '', ...details])
      expect(plainOf(comment)).toContain(plainOf(part));
  }
});

/** Text without the escapes of Markdown. */
function plainOf(text: string): string {
  return text.replaceAll('\\', '').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}
