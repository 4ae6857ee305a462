/** Pages as people open them: light, dark, on a phone and on paper, in a real browser. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, type Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runReport } from '../../src/report/page/page.ts';
import { doneRun, doubtRun, stoppedRun } from '../support/entries.ts';
import { live, openHarness, playbookFrom } from '../support/harness.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'pages-'));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const printing = { program: 'deskhand test' };

let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
  const runs = { done: doneRun(), doubt: doubtRun(), stopped: stoppedRun() };
  for (const [name, entries] of Object.entries(runs)) {
    writeFileSync(join(folder, `${name}.html`), runReport(entries, printing));
  }
  for (const name of documents) {
    const harness = await openHarness();
    const text = readFileSync(join(root, 'workflows', `${name}.yaml`), 'utf8');
    const result = await live(harness, playbookFrom(text));
    if (result.status !== 'done') throw new Error(`${name} ended ${result.status}`);
    writeFileSync(join(folder, `${name}.html`), htmlIn(harness.workspace));
  }
});

afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The page among a run's files. */
function htmlIn(workspace: string): string {
  const names = readdirSync(workspace, { recursive: true, encoding: 'utf8' });
  const name = names.find((each) => each.endsWith('.html'));
  if (name === undefined) throw new Error('the run left no page');
  return readFileSync(join(workspace, name), 'utf8');
}

const documents = [
  'commission-basis',
  'funding-statement',
  'loan-statement',
  'market-snapshot',
  'p2p-tax-year',
  'reserve-watch',
] as const;
const pages = ['done', 'doubt', 'stopped', ...documents];

const screens = {
  light: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  dark: { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  telephone: { colorScheme: 'light', viewport: { width: 360, height: 740 } },
  'telephone at night': { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
} as const;

describe.each(pages)('%s', (name) => {
  test.each(Object.entries(screens))('%s', async (_screen, options) => {
    // The page's policy would block axe; another test checks the policy.
    const context = await browser.newContext({ ...options, bypassCSP: true });
    const page = await context.newPage();
    const said: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    page.on('pageerror', (error) => said.push(error.message));
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    expect(await faultsIn(page)).toEqual([]);
    expect(await widthsOf(page)).toEqual({ sideways: 0, wideTables: 0 });
    expect(said).toEqual([]);
    expect(asked).toHaveLength(1);
    await context.close();
  });

  test('it runs no scripts and prints completely', async () => {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(join(folder, `${name}.html`)).href);
    expect(await page.locator('script').count()).toBe(0);
    const policy = page.locator('meta[http-equiv="Content-Security-Policy"]');
    expect(await policy.getAttribute('content')).toMatch(/^default-src 'none'/);
    expect((await page.pdf({ format: 'A4' })).length).toBeGreaterThan(5_000);
    await page.close();
  });
});

async function faultsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: tool } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await tool.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160) ?? ''}`);
  });
}

/** How many pixels the page is wider than the screen, and how many tables are wider than their panel. */
function widthsOf(page: Page): Promise<{ sideways: number; wideTables: number }> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const panels = [...document.querySelectorAll('.wide:has(> .cards)')];
    const wide = panels.filter((panel) => panel.scrollWidth > panel.clientWidth);
    return { sideways: scrollWidth - clientWidth, wideTables: wide.length };
  });
}
