/** Tables of a page that people sort, in a real browser: by click and by keyboard, from the disk, and no other script runs. */
import { createRequire } from 'node:module';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { documentPage } from '../../src/report/document/custom-page.ts';
import { doneRun } from '../support/entries.ts';
import { launchBrowser } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'sorting-'));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const file = join(folder, 'page.html');
const rows = [
  { desk: 'Bravo', volume: '1000.5', since: '2026-01-31T08:00:00+08:00' },
  { desk: 'alpha', volume: '99', since: '2026-01-31T00:00:01Z' },
  { desk: 'Charlie', volume: '', since: '2026-01-30' },
];
const page = documentPage(
  {
    title: 'Desks',
    parts: [
      {
        kind: 'table',
        title: 'Desks',
        columns: ['desk', 'volume', 'since'],
        rows,
        total: 3,
        files: [],
        sortable: true,
      },
    ],
  },
  doneRun(),
  'deskhand test',
);

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  writeFileSync(file, page);
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

async function opened(options: BrowserContextOptions = {}, from = file): Promise<Page> {
  const context = await browser.newContext(options);
  const opens = await context.newPage();
  await opens.goto(pathToFileURL(from).href);
  return opens;
}

const order = (at: Page): Promise<string[]> =>
  at.locator('.sortable tbody td:first-child').allTextContents();

const sorting = (at: Page): Promise<(string | null)[]> =>
  at
    .locator('.sortable th')
    .evaluateAll((heads) => heads.map((head) => head.getAttribute('aria-sort')));

test('a click sorts, a second one reverses, and a third restores the order of the file', async () => {
  const at = await opened();
  const volume = at.getByRole('button', { name: 'volume' });
  expect(await sorting(at)).toEqual([null, null, null]);
  await volume.click();
  expect([await order(at), await sorting(at)]).toEqual([
    ['alpha', 'Bravo', 'Charlie'],
    [null, 'ascending', null],
  ]);
  await volume.click();
  expect([await order(at), await sorting(at)]).toEqual([
    ['Bravo', 'alpha', 'Charlie'], // a row without a value is last
    [null, 'descending', null],
  ]);
  await volume.click();
  expect([await order(at), await sorting(at)]).toEqual([
    ['Bravo', 'alpha', 'Charlie'],
    [null, null, null],
  ]);
  await at.getByRole('button', { name: 'desk' }).click();
  expect(await order(at)).toEqual(['alpha', 'Bravo', 'Charlie']);
  await at.getByRole('button', { name: 'since' }).click();
  expect([await order(at), await sorting(at)]).toEqual([
    ['Charlie', 'Bravo', 'alpha'],
    [null, null, 'ascending'],
  ]);
  await at.context().close();
});

test('the keyboard sorts, and the focus stays', async () => {
  const at = await opened();
  await at.keyboard.press('Tab'); // the table, which may scroll
  await at.keyboard.press('Tab');
  await at.keyboard.press('Tab');
  expect(await at.locator(':focus').textContent()).toBe('volume');
  await at.keyboard.press('Enter');
  await at.keyboard.press('Space');
  expect(await sorting(at)).toEqual([null, 'descending', null]);
  expect(await at.locator(':focus').textContent()).toBe('volume');
  await at.context().close();
});

test.each([
  ['light', { colorScheme: 'light', viewport: { width: 1280, height: 900 } }],
  ['dark', { colorScheme: 'dark', viewport: { width: 1280, height: 900 } }],
  ['on a telephone', { colorScheme: 'dark', viewport: { width: 360, height: 740 } }],
] as const)(
  '%s, readers of screens find no fault, and columns can be sorted',
  async (_on, options) => {
    const at = await opened({ ...options, bypassCSP: true });
    await at.getByRole('button', { name: 'volume' }).click();
    expect(await order(at)).toEqual(['alpha', 'Bravo', 'Charlie']);
    await at.evaluate(axe);
    const faults = await at.evaluate(async () => {
      const { axe: tool } = globalThis as unknown as {
        axe: { run(): Promise<{ violations: { id: string }[] }> };
      };
      return (await tool.run()).violations.map(({ id }) => id);
    });
    expect(faults).toEqual([]);
    const { scrollWidth, clientWidth } = await at.evaluate(() => document.documentElement);
    expect(scrollWidth).toBe(clientWidth);
    await at.context().close();
  },
);

test('without scripts it is the same page, without buttons', async () => {
  const at = await opened({ javaScriptEnabled: false });
  expect(await at.locator('.sortable th').allTextContents()).toEqual(['desk', 'volume', 'since']);
  expect(await at.getByRole('button').count()).toBe(0);
  await at.context().close();
});

test('a script that somebody adds to the page, and one that is changed, do not run', async () => {
  const attacks = [
    page.replace('<main>', '<main><script>document.title = "owned"</script>'),
    page.replace('<main>', '<main><img src="x" onerror="document.title = \'owned\'">'),
    page.replace('<script>', '<script>document.title = "owned";'),
    page.replace('<script>', '<script src="data:text/javascript,document.title=1">'),
  ];
  for (const [place, attack] of attacks.entries()) {
    expect(attack).not.toBe(page);
    const hostile = join(folder, `hostile-${place}.html`);
    writeFileSync(hostile, attack);
    const at = await opened({}, hostile);
    expect([place, await at.title()]).toEqual([place, 'Desks']);
    await at.context().close();
  }
});
