/** What an operator comes for, on a desk and on a telephone: each in at most three clicks from the page of runs. */
import { join } from 'node:path';
import { type Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { day } from '../../src/base/clock.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { begin, deskhand, folderWith } from '../cli/deskhand.ts';
import { clientOidOf } from '../support/desk-setup.ts';
import { doneRun, doubtRun, stoppedRun } from '../support/entries.ts';
import { recordRun } from '../support/recorded.ts';
import { startOfRuns } from '../support/tape.ts';
import { browser } from './open-browser.ts';
import { serving } from './serving.ts';
import { commitByAnn } from '../support/repository.ts';

const order = `{ symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "40000", size: "0.01" }`;

/** A desk with runs of each kind, one in progress, a plan that waits for an approval, and a schedule. */
async function deskOfTasks(): Promise<string> {
  const cwd = folderWith({
    'playbooks/bid.yaml': `playbook: 1\nname: bid\naccount: main\nsteps:\n  - id: bid\n    uses: futures/place-order\n    with: ${order}\n`,
    'playbooks/waiting.yaml':
      'playbook: 1\nname: waiting\nsteps: [{ id: pause, uses: wait, with: { until: "{{ addTime run.time \'1h\' }}" } }]\n',
    'playbooks/rarely.yaml':
      'playbook: 1\nname: rarely\nschedule: [{ cron: "0 0 29 2 *", timezone: UTC }]\nsteps: [{ id: a, uses: market/list-tickers, with: { category: SPOT } }]\n',
    'deskhand.yaml':
      'profiles: { sandbox: {}, main: { approve: { by: other, signers: ./allowed } } }\n',
    allowed: '',
  });
  commitByAnn(cwd);
  expect((await deskhand(['plan', 'playbooks/bid.yaml'], { cwd })).code).toBe(0);
  for (const entries of [doneRun(), doubtRun(), stoppedRun()]) {
    await recordRun(join(cwd, '.deskhand'), entries);
  }
  await recordRun(join(cwd, '.deskhand'), ofLastMonth(doneRun()), 'r-month');
  begin(['run', 'playbooks/waiting.yaml'], { cwd }); // ends with the test
  return cwd;
}

/** A run on the first day of the month before the other runs. */
function ofLastMonth(entries: readonly Entry[]): Entry[] {
  const earlier = new Date(startOfRuns);
  const later = Date.UTC(earlier.getUTCFullYear(), earlier.getUTCMonth() - 1, 1, 12) - startOfRuns;
  return entries.map((entry) => ({
    ...entry,
    at: entry.at + later,
    ...('signedAt' in entry && { signedAt: entry.signedAt + later }),
    ...('time' in entry && { time: entry.time + later }),
  }));
}

test.each([1280, 390])(
  'each task takes at most three clicks on a screen of %i px',
  async (width) => {
    const desk = await serving(await deskOfTasks());
    const page = await browser.newPage({ viewport: { width, height: 844 }, timezoneId: 'UTC' });
    await page.goto(desk.link);
    await page.locator('.pill', { hasText: 'running' }).first().waitFor();
    const clicks: Record<string, number> = {};
    /** @param ends what is visible when it is done */
    const task = async (
      name: string,
      work: (click: (what: Locator) => Promise<void>) => Promise<Locator>,
    ): Promise<void> => {
      await page.goto(desk.url);
      await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
      clicks[name] = 0;
      const end = await work(async (what) => {
        clicks[name] = (clicks[name] ?? 0) + 1;
        await what.click();
      });
      await end.first().waitFor();
    };
    const row = (run: string): Locator => page.locator(`tr a[href^="/runs/${run}"]`);
    const need = (text: string): Locator =>
      page.locator('.needs li', { hasText: text }).locator('a').first();
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });

    await task('the run in doubt, and what to do', async (click) => {
      await click(need('in doubt'));
      await click(button('Resume'));
      return page.getByText('Looked up first');
    });
    await task('a plan to approve', async (click) => {
      await click(need('waits for approval'));
      return page.getByRole('heading', { name: 'Approve', exact: true });
    });
    await task('why it failed', async (click) => {
      await click(row('r-8p0a'));
      return page.getByText('Why it stopped');
    });
    await task('what comes next', async () => {
      const next = page.locator('section.next');
      const { y = Infinity, height = 0 } = (await next.boundingBox()) ?? {};
      expect(y + height).toBeLessThan(844); // without scrolling
      return next.getByText('rarely');
    });
    await task('what a run changed', async (click) => {
      await click(row('r-7k2m'));
      await click(page.locator('nav.tabs').getByRole('link', { name: /^Orders/ }));
      return page.getByText('BTCUSDT').first();
    });
    await task('who placed this order', async (click) => {
      await click(page.getByRole('link', { name: 'Orders', exact: true }));
      await page.getByRole('searchbox', { name: 'Find an order' }).fill(clientOidOf('60750.0'));
      await expect.poll(() => page.locator('.trades tbody tr').count()).toBe(3);
      return page.locator('.trades tr', { hasText: 'ladder[60750.0]' });
    });
    await task('accounts with open orders', async (click) => {
      await click(page.getByRole('link', { name: 'Accounts' }));
      await click(button('Show open orders'));
      return page.getByText(/\d open orders?/);
    });
    await task('a schedule is paused', async (click) => {
      await click(page.getByRole('link', { name: 'Schedules' }).first());
      await click(button('Pause rarely'));
      await page.getByLabel('Reason').fill('the key is rotated');
      await click(button('Pause rarely').last());
      return page.getByText('the key is rotated');
    });
    await task('a run is stopped', async (click) => {
      await click(page.locator('tr', { hasText: 'waiting' }).locator('a').first());
      await click(button('Stop'));
      await click(button('Stop the run'));
      return page.locator('.pill', { hasText: /interrupted|not finished/i });
    });
    await page.clock.setFixedTime(startOfRuns + day);
    // The page follows the clock of the server.
    await page.route(/\/api\/v1\/(?!events)/, async (route) => {
      const response = await route.fetch();
      const date = new Date(startOfRuns + day).toUTCString();
      const headers: Record<string, string> = { ...response.headers(), date };
      delete headers['content-encoding']; // it is decoded
      await route.fulfill({ response, headers });
    });
    await task('what was changed last month', async (click) => {
      await click(page.getByRole('link', { name: 'Orders', exact: true }));
      await page.getByRole('combobox', { name: 'Time' }).selectOption('last-month');
      clicks['what was changed last month'] = 2;
      await expect.poll(() => page.locator('.trades tbody tr').count()).toBe(5);
      return page.locator('.trades tr', { hasText: 'r-month' });
    });
    await task('the run of a playbook of yesterday', async (click) => {
      const name = (await row('r-7k2m').textContent()) ?? '';
      await page.getByRole('combobox', { name: 'Playbook' }).selectOption(name);
      await page.getByRole('combobox', { name: 'Time' }).selectOption('yesterday');
      clicks['the run of a playbook of yesterday'] = 2;
      await click(row('r-7k2m'));
      return page.getByText('Time line');
    });
    expect(Object.entries(clicks).filter(([, many]) => many > 3)).toEqual([]);
    expect(Object.keys(clicks)).toHaveLength(11);
    await page.unrouteAll({ behavior: 'ignoreErrors' }); // the page still asks
    await page.close();
    await desk.end();
  },
);
