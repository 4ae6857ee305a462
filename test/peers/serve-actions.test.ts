/** What a person does on the page of `serve`, in a real browser, with real runs. */
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { folderWith } from '../cli/deskhand.ts';
import { files, ladder, openOrders } from '../cli/ladder.ts';
import { startSandbox } from '../cli/sandbox.ts';
import { hurried, killed, loseSecondAnswer, underWay } from '../cli/under-way.ts';
import { browser } from './open-browser.ts';
import { faultsIn, serving, sideways } from './serving.ts';

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
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await page.goto(`${desk.url}/runs/${begun.run}`);
  await page.getByRole('button', { name: 'Look up only' }).click();
  await page.getByText('Records nothing.').waitFor();
  await page.getByRole('button', { name: 'and record nothing' }).press('Enter');
  await page.getByText('the exchange proves 1 of 1 outcome').waitFor({ timeout: 120_000 });
  await page.getByRole('button', { name: 'Resume', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('looks the order up by its clientOid, then continues').first().waitFor();
  await looked(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.locator('.pill', { hasText: /^done/i }).first().waitFor({ timeout: 120_000 });
  await page.getByRole('button', { name: 'Resume', exact: true }).waitFor({ state: 'detached' });
  expect(await page.getByRole('button', { name: 'Resume', exact: true }).count()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 900 });
  const tops = (what: string): Promise<number[]> =>
    page
      .locator(`.axis ${what}`)
      .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
  await page.locator('.axis em').waitFor();
  expect(Math.min(...(await tops('em')))).toBeGreaterThan(Math.max(...(await tops('span'))) + 10);
  expect(await openOrders(cwd, env)).toHaveLength(3);
  await context.close();
  await desk.end();
});

test('a playbook is planned from its inputs, and that plan is run', async () => {
  const own = ladder.replace('account: main\n', '');
  const inputs = `
  side: { type: enum, values: [buy, sell], default: buy, description: "<img src=x onerror=alert(1)>" }
  names: { type: list, items: { type: string }, default: [a] }
`;
  const cwd = folderWith({
    'playbooks/ladder.yaml': own.replace('inputs:\n', `inputs:${inputs}`),
    'playbooks/bad.yaml': 'playbook: 1\nname: bad\nsteps: [{ id: a, uses: market/none }]\n',
    'playbooks/ladder.test.yaml':
      'playbook-test: 1\nplaybook: ladder.yaml\ntests: [{ name: works, expect: { outcome: done } }]\n',
  });
  const desk = await serving(cwd);
  const context = await browser.newContext({ bypassCSP: true }); // for axe
  const page = await context.newPage();
  await page.goto(desk.link);
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.getByRole('link', { name: 'bad' }).click();
  await page.getByText('unknown operation "market/none"').first().waitFor();
  await looked(page);
  await page.goBack();
  await page.getByRole('link', { name: 'ladder', exact: true }).waitFor();
  await looked(page);
  await page.getByRole('link', { name: 'ladder', exact: true }).click();
  await page.getByRole('button', { name: 'Run the tests' }).click();
  await page.getByRole('button', { name: 'Run the tests' }).last().click();
  await page.locator('.pill', { hasText: 'passed' }).waitFor({ timeout: 120_000 });
  await page.getByRole('button', { name: 'Plan it' }).click();
  await page.getByLabel('rungs').fill('many');
  await page.getByRole('button', { name: 'Plan it' }).last().click();
  await page.getByText('"many" is not a decimal number').waitFor({ timeout: 120_000 });
  await page.getByRole('button', { name: 'Plan it' }).click();
  await page.getByLabel('rungs').fill('2');
  await page.getByLabel('side').selectOption('sell');
  await page.getByRole('button', { name: 'Plan it' }).last().click();
  await page.getByRole('button', { name: 'Run it' }).click({ timeout: 120_000 });
  expect(await page.locator('img').count()).toBe(0);
  await looked(page);
  await page.getByRole('button', { name: 'Run this plan' }).click();
  await page.waitForURL(/\/runs\/r-/, { timeout: 120_000 });
  await page.locator('.pill', { hasText: /^done/i }).first().waitFor({ timeout: 120_000 });
  await context.close();
  await desk.end();
});

/** Every width and color scheme: axe finds nothing, and nothing is wider than the screen. */
async function looked(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1280, 768, 375]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await faultsIn(page), await sideways(page)]).toEqual([width, [], 0]);
    }
  }
}
