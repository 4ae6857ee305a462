/** The page of `serve` in a real browser: as a process of its own shows runs that others record. */
import { type BrowserContext, type Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { doneRun, doubtRun, stoppedRun } from '../support/entries.ts';
import { hostileRun } from '../support/hostile.ts';
import { continueRun, recordRun } from '../support/recorded.ts';
import { browser } from './open-browser.ts';
import { serving, type Serving } from './serving.ts';

/** Complaints of the browser, CSP violations among them, and requests to other hosts. */
function watched(page: Page, url: string): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (!/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED/.test(message.text()))
      heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(url)) heard.push(request.url());
  });
  return heard;
}

test('an empty desk shows the command that fills it, and a stranger how to sign in', async () => {
  const desk = await serving();
  const page = await browser.newPage();
  await page.goto(desk.url);
  await page.getByText('You are not signed in.').waitFor();
  await page.goto(desk.link);
  await page.getByText('deskhand init --example order-ladder').waitFor();
  expect(page.url()).toBe(`${desk.url}/`);
  const other = await browser.newContext();
  const second = await other.newPage();
  await second.goto(desk.link); // used already
  await second.getByText('You are not signed in.').waitFor();
  await other.close();
  await page.close();
  await desk.end();
});

test('hostile text runs no script and loads nothing', async () => {
  const desk = await serving();
  const run = await recordRun(desk.stateDir, hostileRun(), 'r-hostile');
  const page = await browser.newPage();
  const heard = watched(page, desk.url);
  await page.goto(desk.link);
  await page.locator('table [data-row]').waitFor();
  for (const tab of ['', 'outcome', 'orders', 'files', 'requests', 'playbook', 'provenance']) {
    await page.goto(`${desk.url}/runs/${run}?tab=${tab}`);
    await page.locator('.panel').first().waitFor();
    expect(await page.locator('script').count()).toBe(1);
    expect(await page.locator('img').count()).toBe(0);
  }
  expect(heard).toEqual([]);
  await page.close();
  await desk.end();
});

test('a run of another process appears, and its events as they are recorded', async () => {
  const desk = await serving();
  const page = await browser.newPage();
  const heard = watched(page, desk.url);
  await page.goto(desk.link);
  await page.getByText('No runs yet').waitFor();
  const entries = doneRun();
  const run = await recordRun(desk.stateDir, entries.slice(0, 5));
  await page.locator(`a[href*="${run}"]`).first().waitFor();
  await page.locator(`a[href*="${run}"]`).first().click();
  await page.locator('.log > div').nth(4).waitFor();
  await continueRun(desk.stateDir, run, entries.slice(5, 20));
  await page.locator('.log > div').nth(19).waitFor();
  expect(heard).toEqual([]);
  await page.close();
  await desk.end();
});

describe('a tab', () => {
  test('has every event once after the server was killed and started again', async () => {
    const first = await serving();
    const context = await browser.newContext();
    const page = await context.newPage();
    const entries = doneRun();
    const run = await recordRun(first.stateDir, entries.slice(0, 8));
    await page.goto(first.link);
    await page.locator(`a[href*="${run}"]`).first().click();
    await page.locator('.log > div').nth(7).waitFor();
    await first.end();
    await page.getByText('The server does not answer.').waitFor();
    await continueRun(first.stateDir, run, entries.slice(8, 30));
    const second = await serving(first.folder, new URL(first.url).port);
    await continueRun(first.stateDir, run, entries.slice(30));
    await page
      .locator('.log > div')
      .nth(entries.length - 1)
      .waitFor();
    expect(await lines(page)).toEqual(entries.map(({ seq }) => seq));
    expect(await page.getByText('The server does not answer.').count()).toBe(0);
    await context.close();
    await second.end();
  });

  test('is one of ten, and all of them are live: a browser has six connections', async () => {
    const desk = await serving();
    const context = await browser.newContext();
    const pages = await tabsOf(context, desk, 10);
    const run = await recordRun(desk.stateDir, stoppedRun());
    for (const page of pages) await page.locator(`a[href*="${run}"]`).first().waitFor();
    await pages[0]?.close(); // it had the stream
    const next = await recordRun(desk.stateDir, doneRun());
    for (const page of pages.slice(1)) {
      await page.locator(`a[href*="${next}"]`).first().waitFor();
    }
    await context.close();
    await desk.end();
  });

  test('lists the runs of a period or a day', async () => {
    const desk = await serving();
    const run = await recordRun(desk.stateDir, doneRun());
    const page = await browser.newPage();
    await page.goto(desk.link);
    await page.locator(`a[href*="${run}"]`).first().waitFor();
    const time = page.getByLabel('Time', { exact: true });
    await time.selectOption('last hour');
    await page.getByText('0 of 1 run').waitFor();
    expect(new URL(page.url()).search).toBe('?time=1h');
    await time.selectOption('one day');
    await page.getByText('1 run', { exact: true }).waitFor();
    const { at = NaN } = doneRun().at(0) ?? {};
    const [day] = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().split('T');
    await page.getByLabel('Day', { exact: true }).fill(day ?? '');
    await page.getByText('1 of 1 run').waitFor();
    await page.reload();
    await page.getByText('1 of 1 run').waitFor();
    expect(await page.getByLabel('Day', { exact: true }).inputValue()).toBe(day);
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Runs' }).click();
    await page.getByText('1 run', { exact: true }).waitFor();
    expect(await time.inputValue()).toBe('all');
    expect(await page.getByLabel('Day', { exact: true }).count()).toBe(0);
    await page.close();
    await desk.end();
  });

  test('is used by keyboard alone', async () => {
    const desk = await serving();
    for (const entries of [doneRun(), doubtRun()]) await recordRun(desk.stateDir, entries);
    const page = await browser.newPage();
    await page.goto(desk.link);
    await page.locator('table [data-row]').nth(1).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('r-7k2m');
    await page.getByText('1 of 2 runs').waitFor();
    await page.locator('[data-filter]').blur();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('j');
    await page.locator('[data-row]:focus').waitFor();
    await page.keyboard.press('j'); // the first row is what needs a person
    await page.locator('table [data-row]:focus').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.log > div').first().waitFor();
    expect(page.url()).toContain('/runs/r-7k2m');
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    await page.close();
    await desk.end();
  });
});

function lines(page: Page): Promise<number[]> {
  return page
    .locator('.log > div')
    .evaluateAll((rows) => rows.map((row) => Number(row.dataset['seq'])));
}

async function tabsOf(context: BrowserContext, desk: Serving, count: number): Promise<Page[]> {
  const first = await context.newPage();
  await first.goto(desk.link);
  await first.getByText('No runs yet').waitFor();
  const pages = [first];
  for (let tab = 1; tab < count; tab++) {
    const page = await context.newPage();
    await page.goto(desk.url);
    await page.getByText('No runs yet').waitFor();
    pages.push(page);
  }
  return pages;
}
