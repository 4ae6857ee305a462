/** Narrow screens: a telephone decides with the thumb, tables are cards, lists have pages, and no word breaks letter by letter. */
import { join } from 'node:path';
import { type BrowserContext, type Locator, type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, folderWith } from '../cli/deskhand.ts';
import { doneRun } from '../support/entries.ts';
import { limitOrder } from '../support/order.ts';
import { recordRun } from '../support/recorded.ts';
import { browser } from './open-browser.ts';
import { Checks, commandsIn, runsByPlaybook } from './real-runs.ts';
import { faultsIn, serving, sideways, type Serving } from './serving.ts';

const playbook = (name: string, steps: string): string =>
  `playbook: 1\nname: ${name}\nguards: { max-writes: 100 }\nsteps:\n${steps}`;
const orders = (range: string): string => `  - id: bids
    for-each: "{{ range ${range} }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`;

const files = {
  'playbooks/quotes.yaml': playbook('quotes', orders('60001 60040')),
  'playbooks/fewer.yaml': playbook('fewer', orders('60101 60103')),
  'playbooks/hedge.yaml': playbook(
    'hedge',
    `  - id: calm\n    uses: wait\n    with: { for: 4s }\n${orders('60201 60202')}`,
  ),
  'playbooks/waiting.yaml': playbook(
    'waiting',
    '  - id: pause\n    uses: wait\n    with: { for: 10m }\n',
  ),
  'playbooks/rarely.yaml': `schedule: [{ cron: "0 0 29 2 *", timezone: UTC }]\n${playbook(
    'rarely',
    '  - id: tickers\n    uses: market/list-tickers\n    with: { category: SPOT }\n    write: { file: out/tickers.csv }\n',
  )}`,
  'market.yaml': `version: 1
market: [{ category: USDT-FUTURES, symbol: BTCUSDT, price: 68000 }]
faults: []
`,
  // After the plan was made, and before the second order: its response and the lists are lost.
  'lost.yaml': `version: 1
events:
  - after: 2s
    faults:
      - { match: { operation: futures/place-order, nth: 2 }, when: after-commit, action: { kind: reset } }
      - { match: { operation: order/list-open }, when: before, times: 40, action: { kind: status, status: 503, code: "50000" } }
`,
};

let desk: Serving;
let context: BrowserContext;
let page: Page;
let runs: ReadonlyMap<string, string>;
let plan = '';

/** A folder with a run of each playbook, one in progress, and 35 older ones. It lasts for one test. */
async function deskOfRuns(): Promise<string> {
  const cwd = folderWith(files);
  const at = commandsIn(cwd);
  await at(0, 'sandbox', 'load', 'market.yaml');
  for (const name of ['quotes', 'fewer', 'rarely']) await at(0, 'run', `playbooks/${name}.yaml`);
  plan = (JSON.parse(await at(0, 'plan', 'playbooks/quotes.yaml', '-o', 'json')) as { id: string })
    .id;
  await at(0, 'sandbox', 'load', 'lost.yaml');
  await at(6, 'run', 'playbooks/hedge.yaml');
  await at(0, 'sandbox', 'load', 'market.yaml');
  for (let number = 10; number < 45; number += 1) {
    await recordRun(join(cwd, '.deskhand'), doneRun(), `r-older${number}`);
  }
  begin(['run', 'playbooks/waiting.yaml'], { cwd }); // it is stopped, or ends with the test
  const list = async (): Promise<boolean> => {
    runs = await runsByPlaybook(at);
    return runs.has('waiting');
  };
  await expect.poll(list, { timeout: 30_000 }).toBe(true);
  return cwd;
}

/** Fails with all that was found. */
function none(found: readonly unknown[]): void {
  if (found.length > 0) throw new Error(JSON.stringify(found, null, 1));
}

const checks = new Checks();
const check = checks.add;

test('pages of real runs are used on narrow screens', { timeout: 600_000 }, async () => {
  desk = await serving(await deskOfRuns());
  context = await browser.newContext({ bypassCSP: true, timezoneId: 'UTC' }); // for axe
  page = await context.newPage();
  await page.goto(desk.link);
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await checks.pass(async () => {
    await page.setViewportSize(telephone);
  });
  await context.close();
});

const telephone = { width: 360, height: 740 };

async function open(path: string): Promise<void> {
  await page.goto(desk.url + path);
  await page.locator('main[aria-busy=false] .panel').first().waitFor();
}

/** The pages of these runs, with each tab. */
function paths(): string[] {
  const of = (name: string): string => `/runs/${runs.get(name)}`;
  const tabs = ['', 'outcome', 'orders', 'files', 'requests', 'playbook', 'provenance'];
  return [
    '/',
    '/orders?time=all',
    '/orders?time=all&tab=sums',
    '/plans',
    `/plans/${plan}`,
    '/playbooks',
    '/playbook?file=playbooks%2Fquotes.yaml',
    '/schedules',
    '/accounts',
    '/sandbox',
    ...tabs.map((tab) => `${of('quotes')}?tab=${tab}`),
    `${of('quotes')}?tab=compare&with=${runs.get('fewer')}`,
    `${of('rarely')}?tab=files`,
    of('hedge'),
  ];
}

/** Whether the whole of something is on the screen, in its lower half. */
async function isAtThumb(what: Locator): Promise<boolean> {
  const box = await what.boundingBox();
  if (box === null) return false;
  return box.y >= telephone.height / 2 && box.y + box.height <= telephone.height;
}

check('each list has at most 30 entries on a page, and leads to the others', async () => {
  const found: unknown[] = [];
  for (const path of paths()) {
    await open(path);
    const lengths = await page.evaluate(() =>
      [...document.querySelectorAll('tbody, main ul')].map((list) => list.children.length),
    );
    for (const length of lengths) if (length > 30) found.push([path, `${length} entries`]);
  }
  expect(found).toEqual([]);
  await open(`/runs/${runs.get('quotes')}?tab=orders`);
  await page.getByText('page 1 of 2').waitFor();
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('page 2 of 2').waitFor();
  expect(await page.locator('tbody tr').count()).toBe(10);
  await page.goBack();
  await page.getByText('page 1 of 2').waitFor();
  await open('/');
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('page 2 of 2').waitFor();
  await page.locator('a[href^="/runs/r-older"]').first().waitFor();
});

check('tables are cards, and nothing is wider than a telephone', async () => {
  const found: unknown[] = [];
  for (const path of paths()) {
    await open(path);
    const more = await sideways(page);
    if (more !== 0) found.push([path, `${more} pixels wider than the screen`]);
    const tables = await page
      .locator('main table:not(.calendar) td')
      .evaluateAll((cells) =>
        cells.filter((cell) => getComputedStyle(cell).display === 'table-cell'),
      );
    if (tables.length > 0) found.push([path, `${tables.length} cells of a table`]);
  }
  none(found);
});

check('what a finger presses is at least 44 pixels high and wide', async () => {
  const found: unknown[] = [];
  for (const path of paths()) {
    await open(path);
    for (const fault of await smallTargets()) found.push([path, fault]);
  }
  none(found);
});

/**
 * Buttons, fields, and links that do not stand in a sentence, whose area is smaller than a finger. The bars of
 * a trend are thirty beside each other; the table below them has the same links.
 */
function smallTargets(): Promise<string[]> {
  return page.evaluate(() => {
    const half = 21; // pixels around the middle
    const faults: string[] = [];
    const all = document.querySelectorAll<HTMLElement>(
      'main :is(a, button, select, input, textarea, summary), nav[aria-label=Main] a',
    );
    for (const element of all) {
      const isInSentence =
        element.matches('a:not([data-row], .button)') &&
        element.closest('p, dd, li, td, .lead') !== null;
      if (element.closest('.bars') !== null) continue;
      if (isInSentence || !element.checkVisibility()) continue; // also what is folded away
      element.scrollIntoView({ block: 'center', inline: 'center' });
      const card = element.matches('.cards [data-row]') ? element.closest('tr') : null;
      if (card !== null) {
        // The whole card of a row leads where its link leads.
        const { left, top, height } = card.getBoundingClientRect();
        if (height < 2 * half || document.elementFromPoint(left + 4, top + 4) !== element) {
          faults.push(`the card of ${element.textContent ?? ''}`);
        }
        continue;
      }
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const label = element.closest('label');
      const misses = [
        [x, y - half],
        [x, y + half],
        ...(label
          ? []
          : [
              [x - half, y],
              [x + half, y],
            ]),
      ].filter(([atX = 0, atY = 0]) => {
        if (atX < 0 || atX > innerWidth) return false;
        const hit = document.elementFromPoint(atX, atY);
        return hit === null || !(element.contains(hit) || label?.contains(hit));
      });
      if (misses.length > 0) {
        const name = element.getAttribute('aria-label') ?? element.textContent ?? '';
        faults.push(
          `${element.tagName} ${name.slice(0, 60)}: ${Math.round(right - left)}×${Math.round(bottom - top)}`,
        );
      }
    }
    return faults;
  });
}

check('no word breaks letter by letter, on a tablet and on a desk', async () => {
  const found: unknown[] = [];
  for (const path of paths()) {
    await open(path);
    for (const width of [360, 768, 1024, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      for (const fault of await brokenTexts()) found.push([path, width, fault]);
      const more = await sideways(page);
      if (more !== 0) found.push([path, width, `${more} pixels wider than the screen`]);
    }
  }
  none(found);
});

/** Texts whose lines have only a few letters. */
function brokenTexts(): Promise<string[]> {
  return page.evaluate(() => {
    const least = 6; // letters of a line, on average
    const faults: string[] = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
      const text = (node.textContent ?? '').trim();
      if (node.parentElement?.closest('.unseen, option, .log') || text.length < 12) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 2 && text.length / lines.size < least) {
        faults.push(`${lines.size} lines: ${text.slice(0, 60)}`);
      }
    }
    return faults;
  });
}

check('these pages are without faults for axe, light and dark', async () => {
  const found: unknown[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of [
      '/',
      `/plans/${plan}`,
      `/runs/${runs.get('hedge')}`,
      '/orders?time=all',
      '/sandbox',
    ]) {
      await open(path);
      for (const fault of await faultsIn(page)) found.push([path, colorScheme, fault]);
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  none(found);
});

check('a plan that needs no approval is run with the thumb', async () => {
  await open(`/plans/${plan}`);
  const button = page.getByRole('button', { name: 'Run it', exact: true });
  expect(await isAtThumb(button)).toBe(true);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  expect(await isAtThumb(button)).toBe(true);
});

check('a run is stopped with the thumb', async () => {
  await open(`/runs/${runs.get('waiting')}`);
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await stop.waitFor();
  expect(await isAtThumb(stop)).toBe(true);
  await stop.click();
  const confirm = page.getByRole('button', { name: 'Stop the run' });
  expect(await isAtThumb(confirm)).toBe(true);
  await confirm.click();
  await page.locator('.pill', { hasText: /interrupted|not finished/i }).waitFor();
});

// The last one, because it changes the run.
check('a doubt comes first, and is settled with the thumb', async () => {
  await open(`/runs/${runs.get('hedge')}`);
  const card = page.getByRole('region', { name: 'In doubt' });
  const look = page.getByRole('button', { name: 'Look the order up', exact: true });
  await look.waitFor();
  const { y: top = NaN } = (await card.boundingBox()) ?? {};
  expect(top).toBeLessThan(telephone.height / 2);
  expect(await page.locator('.facts').boundingBox()).toMatchObject({ x: expect.any(Number) });
  expect((await page.locator('.facts').boundingBox())?.y).toBeGreaterThan(top);
  for (const place of [0, 100_000]) {
    await page.evaluate((to) => scrollTo(0, to), place);
    expect(await isAtThumb(look)).toBe(true);
  }
  await look.click();
  const confirm = page.getByRole('button', { name: 'Look the order up and record what is proved' });
  expect(await isAtThumb(confirm)).toBe(true);
  await confirm.click();
  await page.getByText('What was in doubt is settled').first().waitFor();
  expect(await card.count()).toBe(0);
  expect(await isAtThumb(page.getByRole('button', { name: 'Resume', exact: true }))).toBe(true);
});
