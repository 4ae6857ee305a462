/** The history of a playbook and of a schedule, saved filters, and the search in all events, in a browser. */
import { type BrowserContext, type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { day } from '../../src/base/clock.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { deskhand, folderWith } from '../cli/deskhand.ts';
import { doneRun, doubtRun, stoppedRun } from '../support/entries.ts';
import { limitOrder } from '../support/order.ts';
import { recordRun } from '../support/recorded.ts';
import { startOfRuns } from '../support/tape.ts';
import { browser } from './open-browser.ts';
import { faultsIn, serving, sideways, type Serving } from './serving.ts';

const files = {
  'playbooks/setup.yaml': `playbook: 1
name: desk-setup
inputs: { size: { type: decimal, default: 0.001 } }
steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/tickers.csv }
  - id: bids
    for-each: ["60100", "60200"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}', size: '{{ inputs.size }}' })}
`,
  'playbooks/often.yaml':
    'playbook: 1\nname: often\nschedule: [{ cron: "* * * * *", timezone: UTC }]\nsteps: [{ id: a, uses: market/list-tickers, with: { category: SPOT } }]\n',
  'playbooks/wrong.yaml': 'playbook: 1\nname: wrong\nsteps: [{ id: a, uses: market/none }]\n',
};

let desk: Serving;
let context: BrowserContext;
let page: Page;

const now = new Date(); // by the clock of the machine, as the server has it

/** A run as if it had begun some days before today, at noon. */
function before(entries: readonly Entry[], days: number): readonly Entry[] {
  const noon = now.getTime() - (now.getTime() % day) + day / 2;
  const later = noon - days * day - startOfRuns;
  return entries.map((entry) => ({
    ...entry,
    at: entry.at + later,
    ...('time' in entry && { time: entry.time + later }),
    ...('signedAt' in entry && { signedAt: entry.signedAt + later }),
  }));
}

/** Real runs of today, two done and one refused, recorded ones of the days before, and old ones. */
async function deskOfRuns(old: number): Promise<string> {
  const cwd = folderWith(files);
  for (const [exit, size] of [
    [0, '0.001'],
    [0, '0.002'],
    [1, '400'],
  ] as const) {
    const { code, stderr } = await deskhand(
      ['run', 'playbooks/setup.yaml', '--var', `size=${size}`],
      { cwd },
    );
    expect([size, code, code === exit ? '' : stderr]).toEqual([size, exit, '']);
  }
  for (const [days, make] of [doneRun, doubtRun, stoppedRun].entries()) {
    await recordRun(`${cwd}/.deskhand`, before(make(), days + 1), `r-before-${days}`);
  }
  for (let number = 0; number < old; number++) {
    await recordRun(`${cwd}/.deskhand`, before(doneRun(), 40), `r-old-${number}`);
  }
  return cwd;
}

async function opened(path: string, old = 0, zone = 'UTC'): Promise<void> {
  desk = await serving(await deskOfRuns(old));
  context = await browser.newContext({ bypassCSP: true, timezoneId: zone }); // for axe
  page = await context.newPage();
  await page.goto(desk.link);
  await page.getByText(/^\d+ runs$/).waitFor();
  await page.goto(desk.url + path);
}

async function closed(): Promise<void> {
  await context.close();
  await desk.end();
}

/** What is wrong with the page on each screen. */
async function faults(): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      for (const fault of await faultsIn(page)) found.push([colorScheme, width, fault]);
      const more = await sideways(page);
      if (more !== 0) found.push([colorScheme, width, `${more} pixels too wide`]);
    }
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return found;
}

const dayName = (days: number): string =>
  new Date(now.getTime() - days * day).toISOString().slice(0, 10);
const cell = (text: string | RegExp): ReturnType<Page['locator']> =>
  page.locator('.calendar a', { hasText: text });

test('the history of a playbook has its days and last runs, and lists the runs of a day', async () => {
  await opened('/playbook?file=playbooks/setup.yaml', 130);
  await page.getByRole('heading', { name: 'History' }).waitFor();
  const today = cell('2 done');
  expect(await today.locator('.unseen').textContent()).toContain('1 stopped');
  expect(await today.locator('b.bad .icon').count()).toBe(1); // a sign besides the colour
  await cell('1 in doubt').click();
  await page.locator('section[aria-labelledby=day] tbody tr').waitFor();
  expect(await page.locator('section[aria-labelledby=day] tbody').innerText()).toContain(
    'r-before-1',
  );
  expect(page.url()).toContain(`day=${dayName(2)}`);
  await page.reload();
  await page.locator('section[aria-labelledby=day]', { hasText: 'r-before-1' }).waitFor();

  // The last runs: the bars of the longest are as high as the strip, and the table has the same.
  expect(await page.locator('.strip').count()).toBe(3);
  expect(await page.locator('.duration .bars a').count()).toBe(30);
  expect(await page.locator('.duration .bars a.bad').count()).toBe(2);
  await page.locator('summary', { hasText: 'As a table' }).click();
  const newest = page.locator('.trend tbody tr').first();
  expect(await newest.locator('td[data-label=State]').innerText()).toBe('stopped');
  expect(await newest.locator('td[data-label=Orders]').innerText()).toBe('0');
  const second = page.locator('.trend tbody tr').nth(1);
  expect(await second.locator('td[data-label=Orders]').innerText()).toBe('2');
  expect(Number(await second.locator('td[data-label=Rows]').innerText())).toBeGreaterThan(0);
  expect(await faults()).toEqual([]);

  // Five weeks earlier, by a link that is an address.
  await page.getByRole('link', { name: 'Earlier' }).click();
  await cell('130 done').click();
  await page.getByText('page 1 of 5').waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('page 2 of 5').waitFor();
  await page.getByRole('link', { name: 'Later' }).click();
  await cell('1 in doubt').waitFor();
  expect(page.url()).not.toContain('to=');
  await closed();
});

test('days begin as the switch of the page says', async () => {
  await opened('/playbook?file=playbooks/setup.yaml', 0, 'America/Los_Angeles');
  // Noon in UTC is early on the same day there, and in the evening at the exchange.
  await cell('1 in doubt').click();
  await page.locator('section[aria-labelledby=day] tbody tr').waitFor();
  const rows = page.locator('section[aria-labelledby=day] tbody');
  expect(await rows.innerText()).toMatch(/UTC-[78]/);
  await page.getByText(/^days in UTC-[78]$/).waitFor();
  await page.getByRole('button', { name: /^Times:/ }).click();
  await page.getByText('days in UTC', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Times:/ }).click();
  await page.getByText('days in UTC+8', { exact: true }).waitFor();
  await expect.poll(() => rows.innerText()).toContain('20:00 UTC+8');
  await closed();
});

test('the history of a schedule has its occurrences, and those that were missed', async () => {
  await opened('/schedules');
  await page.locator('.past a[href^="/runs/"]').first().waitFor({ timeout: 120_000 });
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByRole('heading', { name: 'History' }).waitFor();
  await cell(/[1-9] done/)
    .first()
    .click(); // a second one is done when a minute ends
  await page.locator('section[aria-labelledby=day] tbody a[href^="/runs/"]').first().waitFor();
  await page.locator('.trend h3', { hasText: /Last \d runs?/ }).waitFor();
  expect(await faults()).toEqual([]);
  await page.getByRole('link', { name: 'All schedules' }).click();
  await page.getByRole('link', { name: 'History' }).waitFor();
  await closed();
});

test.each([
  ['/', 'State', 'stopped', 'stopped'],
  ['/orders?time=all', 'State', 'doubt', 'doubts'],
  ['/playbooks', 'Problems', 'errors', 'wrong'],
  ['/events', 'Kind', 'refused', 'refused'],
])(
  'a filter of %s is in the address, and is saved under a name',
  async (path, label, value, name) => {
    await opened(path);
    await page.getByRole('combobox', { name: label, exact: true }).selectOption(value);
    await page.waitForURL(new RegExp(`${label.toLowerCase()}=${value}`));
    await page.getByRole('button', { name: 'Save this filter' }).click();
    await page.getByRole('searchbox', { name: 'Name of the filter' }).fill(name);
    await page.keyboard.press('Enter');
    const saved = page.getByRole('link', { name, exact: true });
    await saved.waitFor();
    const address = page.url();
    await page.goto(desk.url + path);
    expect(await page.getByRole('combobox', { name: label, exact: true }).inputValue()).toBe('');
    await saved.click();
    expect(page.url()).toBe(address);
    await page.reload();
    await expect
      .poll(() => page.getByRole('combobox', { name: label, exact: true }).inputValue())
      .toBe(value);
    const row = page.locator('tbody tr a').first();
    await row.click();
    await page.waitForURL((url) => url.href !== address);
    await page.goBack();
    expect(page.url()).toBe(address);
    await page.getByRole('button', { name: `Remove the filter ${name}` }).click();
    await page.getByRole('button', { name: 'Save this filter' }).waitFor();
    await closed();
  },
);

test('events of all runs are found, with how far the search came, and lead to their run', async () => {
  await opened('/events', 130);
  await page.getByRole('searchbox', { name: 'Words in events' }).fill('bids[60100]');
  await page.keyboard.press('Enter');
  await page.getByText(/events in 100 runs, searched back to/).waitFor();
  const rows = page.locator('.events tbody tr');
  const first = await rows.count();
  await page.getByRole('button', { name: 'Search older runs' }).click();
  await page.getByText(/events in 1[34]\d runs, all were searched/).waitFor();
  expect(await rows.count()).toBe(first);
  expect(await faults()).toEqual([]);
  await page.getByRole('combobox', { name: 'Kind', exact: true }).selectOption('sent');
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByRole('link', { name: 'bids[60100]' }).first().click();
  await page.getByRole('searchbox', { name: 'Find in events' }).waitFor();
  expect(page.url()).toContain('find=bids');
  await expect.poll(() => page.locator('.log > div').count()).toBe(3); // sent, answered, done
  await page.goto(`${desk.url}/events?text=nowhere`);
  await page.getByText('No event matches the filter.').waitFor(); // it went on by itself
  await closed();
});
