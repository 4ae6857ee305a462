/** What a person does on the page of `serve`, in a real browser, with real runs. */
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderWith } from '../cli/deskhand.ts';
import { files, openOrders } from '../cli/ladder.ts';
import { startSandbox } from '../cli/sandbox.ts';
import { hurried, killed, loseSecondAnswer, underWay } from '../cli/under-way.ts';
import { executablePath, faultsIn, serving, sideways } from './serving.ts';

let browser: Browser;

beforeAll(async () => {
  if (executablePath === undefined) throw new Error('no Chromium: apt-get install chromium');
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
afterAll(() => browser.close());

test('a killed run is looked up and resumed from its page, by keyboard', async () => {
  const exchange = await startSandbox();
  await loseSecondAnswer(exchange);
  const cwd = folderWith(files);
  const env = { ...exchange.env('hedge'), ...hurried(exchange) };
  const begun = await underWay(exchange, { cwd, env });
  await killed(begun);
  const desk = await serving(cwd, '0', env);
  const context = await browser.newContext({ bypassCSP: true }); // for axe
  const page = await context.newPage();
  await page.goto(desk.link);
  await page.goto(`${desk.url}/runs/${begun.run}`);
  await page.getByRole('button', { name: 'Look up all doubts' }).click();
  await page.getByText('Records nothing.').waitFor();
  await page.getByRole('button', { name: 'Look up all doubts' }).last().press('Enter');
  await page.getByText('the exchange proves 1 of 1 outcome').waitFor({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Resume' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('looks the order up by its clientOid, then continues').first().waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 768, 375]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await faultsIn(page), await sideways(page)]).toEqual([width, [], 0]);
      if (process.env['PICTURES'])
        await page.screenshot({
          path: `${process.env['PICTURES']}/run-${colorScheme}-${width}.png`,
          fullPage: true,
        });
    }
  }
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.pill', { hasText: /^done/i }).first().waitFor({ timeout: 30_000 });
  expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
  expect(await openOrders(cwd, env)).toHaveLength(3);
  await context.close();
  await desk.end();
});
