/** The steps of runs as a graph with live states, their items as cells, and every link to what is not shown. */
import { join } from 'node:path';
import { type BrowserContext, type Locator, type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { begin, folderWith } from '../cli/deskhand.ts';
import { longRun } from '../support/entries.ts';
import { manyItems, manySteps } from '../support/large-runs.ts';
import { limitOrder } from '../support/order.ts';
import { recordRun } from '../support/recorded.ts';
import { browser } from './open-browser.ts';
import { Checks, commandsIn, runsByPlaybook } from './real-runs.ts';
import { faultsIn, serving, sideways, type Serving } from './serving.ts';

const files = {
  'market.yaml': `version: 1
market: [{ category: USDT-FUTURES, symbol: BTCUSDT, price: 68000 }]
`,
  'playbooks/child.yaml': `playbook: 1
name: child
steps:
  - id: pause
    uses: wait
    with: { for: 20ms }
  - id: bids
    for-each: ["60100", "60200"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`,
  'playbooks/desk.yaml': `playbook: 1
name: desk
parallel: 4
steps:
  - id: tickers
    name: Prices of all contracts
    uses: market/list-tickers
    with: { category: USDT-FUTURES }
  - { id: leverage, needs: [tickers], uses: futures/set-all-leverage, with: { productType: USDT-FUTURES, leverage: 5 } }
  - { id: cool, needs: [tickers], uses: wait, with: { for: 50ms } }
  - id: ladder
    needs: [leverage]
    on-error: continue
    for-each: [{ price: "61000", size: "0.01" }, { price: "61200", size: "400" }]
    key: "{{ each.value.price }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value.price }}', size: '{{ each.value.size }}' })}
  - { id: desks, needs: [leverage, cool], for-each: [alpha, bravo], uses: ./child.yaml }
  - { id: last, needs: [ladder, desks], uses: wait, with: { for: 10ms } }
on-failure:
  - { id: note, uses: wait, with: { for: 1ms } }
finally:
  - { id: open, uses: order/list-open, with: { category: USDT-FUTURES } }
  - { id: rest, uses: wait, with: { for: 1ms } }
`,
  'playbooks/items.yaml': `playbook: 1
name: items
steps:
  - id: items
    for-each: "{{ range 10001 11000 }}"
    parallel: 50
    if: "{{ ne each.value 10007 }}"
    uses: wait
    with: { for: 1ms }
`,
  'playbooks/slowly.yaml': `playbook: 1
name: slowly
steps:
  - { id: pause, uses: wait, with: { for: 6s } }
  - { id: after, uses: wait, with: { for: 1ms } }
`,
};

let desk: Serving;
let context: BrowserContext;
let page: Page;
let runs: ReadonlyMap<string, string>;

/** A folder with real runs, and runs that are too large to make again for each test. */
async function deskOfRuns(): Promise<string> {
  const cwd = folderWith(files);
  const at = commandsIn(cwd);
  await at(0, 'sandbox', 'load', 'market.yaml');
  await at(1, 'run', 'playbooks/desk.yaml');
  await at(0, 'run', 'playbooks/items.yaml');
  runs = await runsByPlaybook(at);
  for (const [run, entries] of Object.entries({
    'r-steps': manySteps(),
    'r-items': manyItems(),
    'r-orders': longRun(700),
    'r-doubts': inDoubt(longRun(120)),
  })) {
    await recordRun(join(cwd, '.deskhand'), entries, run);
  }
  return cwd;
}

/** The run with all of its orders in doubt. */
function inDoubt(entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => {
    if (entry.kind === 'settled')
      return { ...entry, outcome: { kind: 'doubt', because: 'the connection was reset' } };
    if (entry.kind === 'closed') return { ...entry, status: 'doubt' };
    return entry.kind === 'finished' ? { ...entry, status: 'doubt', exit: 6 } : entry;
  });
}

const checks = new Checks();
const check = checks.add;

test('the steps and items of runs are shown, found and reached', async () => {
  desk = await serving(await deskOfRuns());
  context = await browser.newContext({ bypassCSP: true }); // for axe
  page = await context.newPage();
  await page.goto(desk.link);
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await checks.pass(async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
  });
  await context.close();
});

const graph = (): Locator => page.getByRole('region', { name: 'Steps and what they wait for' });
const node = (name: string): Locator =>
  graph().locator('.node', { has: page.getByText(name, { exact: true }) });

const items = (words: string): Locator => page.locator('.states').getByText(words, { exact: true });

async function openRun(run: string, query = ''): Promise<void> {
  await page.goto(`${desk.url}/runs/${run}${query}`);
  await page.locator('.log > div').first().waitFor();
}

check('a node says its state, what it waits for and its items, and leads to its step', async () => {
  await openRun(runs.get('desk') ?? '');
  const groups = await graph()
    .getByRole('list')
    .evaluateAll((lists) =>
      lists.map((list) => [
        list.getAttribute('aria-label'),
        ...[...list.querySelectorAll('.node b')].map(({ textContent }) => textContent),
      ]),
    );
  expect(groups).toEqual([
    ['steps', 'tickers', 'leverage', 'cool', 'ladder', 'desks', 'last'],
    ['on-failure', 'note'],
    ['finally', 'open', 'rest'],
  ]);
  expect(await graph().getByRole('listitem').count()).toBe(9);
  await node('ladder').waitFor();
  expect(await node('ladder').getAttribute('class')).toContain('bad');
  const text = (await node('ladder').innerText()).replaceAll(/\s+/g, ' ');
  expect(text).toMatch(
    /^ladder futures\/place-order refused · 1 of 2, 1 refused · .+ for each item, after leverage$/,
  );
  expect(await node('ladder').locator('.share i').count()).toBe(2);
  // An edge for each need, from the lower edge of one node to the upper edge of another.
  await expect.poll(() => graph().locator('.canvas > svg path[d^=M]').count()).toBe(8);
  expect(await graph().locator('path.implicit').count()).toBe(1);
  const [above, below] = [await node('tickers').boundingBox(), await node('cool').boundingBox()];
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThan(below?.y ?? 0);
  // Beside the time line on a wide screen.
  const time = await page.locator('.time').boundingBox();
  expect(time?.x).toBeGreaterThan((below?.x ?? 0) + (below?.width ?? 0));
  await node('ladder').focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'ladder', exact: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('at')).toBe('ladder');
  await page.getByText('40762 The order is larger').first().waitFor();
  await page.locator('.steps a', { hasText: 'leverage' }).click();
  await page.getByRole('heading', { name: 'leverage', exact: true }).waitFor();
  await page.locator('.steps a', { hasText: 'desks' }).waitFor();
  await page.goBack();
  await page.goBack();
  await node('tickers').waitFor();
  await page.locator('.time a', { hasText: 'last' }).click();
  await page
    .getByRole('region', { name: 'Step last' })
    .getByText('it needs ladder, which failed')
    .waitFor();
});

check('an item of a nested playbook leads to its steps, its order and its request', async () => {
  await openRun(runs.get('desk') ?? '');
  await node('desks').click();
  await page.locator('.cells a[aria-label^="alpha: done"]').click();
  await node('bids').waitFor();
  expect(await graph().locator('.node').count()).toBe(2);
  await node('bids').click();
  await page.locator('.first a', { hasText: '60200' }).click();
  await page.getByRole('heading', { name: '60200', exact: true }).waitFor();
  await page
    .getByRole('region', { name: 'Requests, table' })
    .getByText('futures/place-order')
    .waitFor();
  expect(await page.locator('.around').innerText()).toBe('All steps / desks / alpha / bids');
  expect(await page.locator('.log').innerText()).not.toContain('60100');
  await page.locator('.around a', { hasText: 'alpha' }).click();
  await node('pause').waitFor();
});

check('states change during the run, without a reload', async () => {
  const child = begin(['run', 'playbooks/slowly.yaml'], { cwd: desk.folder });
  await page.goto(desk.url);
  await page.locator('tr a', { hasText: 'slowly' }).first().click();
  await graph().locator('.node.running[aria-current=step]', { hasText: 'pause' }).waitFor();
  await node('after').waitFor();
  expect(await node('after').innerText()).toContain('not sent');
  await page.evaluate(() => Object.assign(globalThis, { isSame: true }));
  await graph().locator('.node.good', { hasText: 'after' }).waitFor({ timeout: 30_000 });
  expect(await graph().locator('.running').count()).toBe(0);
  expect(await page.evaluate(() => Reflect.get(globalThis, 'isSame'))).toBe(true);
  if (child.exitCode === null) child.kill();
});

check('1,000 items are found by key and by state, and reached by keys', async () => {
  await openRun(runs.get('items') ?? '');
  await page.locator('.time a', { hasText: /^… \d+ more$/ }).click();
  await items('1000 items').waitFor();
  expect(await page.locator('.cells a').count()).toBe(600);
  await page.keyboard.press('/');
  await page.keyboard.type('1050');
  await items('10 of 1000 items').waitFor();
  expect(await page.locator('.cells a').count()).toBe(10);
  await page.locator('.cells a[tabindex="0"]').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  const label = await page.locator('.cells a:focus').getAttribute('aria-label');
  expect(label).toBe(await page.locator('.cells a').nth(1).getAttribute('aria-label'));
  expect(await page.locator('.cells + .count').innerText()).toBe(label);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: label?.split(':')[0] ?? '', exact: true }).waitFor();
  await page.goBack();
  await items('10 of 1000 items').waitFor();
  await page.getByRole('searchbox', { name: 'Find an item by its key' }).fill('');
  await page.locator('.states a', { hasText: 'skipped' }).click();
  await items('1 of 1000 items').waitFor();
  await page.locator('.cells a[aria-label^="10007: skipped"]').waitFor();
});

check('10,000 items are a small compressed answer, the failed and the slow one first', async () => {
  const answered = page.waitForResponse((response) => response.url().includes('/items?'));
  await page.goto(`${desk.url}/runs/r-items?tab=step&at=items`);
  const answer = await answered;
  expect(await answer.headerValue('content-encoding')).toBe('gzip');
  const { responseBodySize } = await answer.request().sizes();
  expect(responseBodySize).toBeLessThan(5_000);
  expect(await page.locator('.cells a').nth(0).getAttribute('aria-label')).toBe(
    'k07777: failed, 1 ms',
  );
  expect(await page.locator('.cells a').nth(1).getAttribute('aria-label')).toBe(
    'k04321: done, 5.0 s',
  );
  await page.locator('.first li', { hasText: 'it broke' }).waitFor();
  await page.locator('.pager').getByRole('link', { name: 'Next' }).click();
  await page.getByText('page 2 of 17').waitFor();
  await page.locator('.cells a').first().waitFor();
});

check(
  'of 4,000 steps the page shows the part that failed, and links lead to the others',
  async () => {
    const answered = page.waitForResponse((response) => response.url().endsWith('/runs/r-steps'));
    await page.goto(`${desk.url}/runs/r-steps`);
    expect((await (await answered).request().sizes()).responseBodySize).toBeLessThan(40_000);
    await node('s999').waitFor();
    expect(await graph().locator('.node').count()).toBe(60);
    await page.getByText('961 to 1020 of 4000').first().waitFor();
    for (const panel of ['graph', 'time']) {
      const part = page.locator(`section[aria-labelledby=${panel}]`);
      await part.getByRole('link', { name: '… 2980 more steps' }).click();
      await node('s1020').waitFor();
      await part.getByRole('link', { name: '… 1020 earlier steps' }).click();
      await node('s960').waitFor();
    }
    await page.getByRole('link', { name: '… 960 earlier steps' }).first().click();
    await node('s959').waitFor();
    expect(await page.evaluate(() => document.querySelectorAll('main *').length)).toBeLessThan(
      20_000,
    );
  },
);

check('each row and line that is not shown is behind a link', async () => {
  await openRun('r-orders', '?tab=');
  await page.locator('.time a', { hasText: '… 700 more' }).click();
  await items('700 items').waitFor();
  await page.goto(`${desk.url}/runs/r-orders?tab=orders`);
  const rows = page.locator('.wide tbody tr');
  await page.getByText('page 1 of 17').waitFor(); // of the first 500
  await expect.poll(() => rows.count()).toBe(30);
  const first = await rows.first().innerText();
  await page.getByRole('link', { name: '… 200 more rows' }).click();
  await page.getByText('page 1 of 7').waitFor();
  expect(await rows.first().innerText()).not.toBe(first);
  await page.getByRole('link', { name: 'Previous' }).click();
  await page.getByText('page 1 of 17').waitFor();
  await page.goto(`${desk.url}/runs/r-doubts`);
  await page.getByRole('link', { name: '… 20 more doubts' }).click();
  await page.getByText('page 1 of 5').waitFor(); // of 121: the step is not finished, either
  await page.goto(`${desk.url}/runs/r-items?tab=outcome`);
  await page.locator('td').getByRole('link', { name: '9891 more' }).click();
  await node('items').waitFor();
  await openRun('r-items');
  const earlier = page.getByRole('link', { name: /^… \d+ earlier lines$/ });
  await expect.poll(() => earlier.innerText(), { timeout: 60_000 }).toBe('… 17802 earlier lines');
  await earlier.click();
  await page.getByRole('link', { name: '… 15802 earlier lines' }).waitFor();
  expect(await page.locator('.log > div').count()).toBe(4_000);
});

check('these pages fit every screen, and axe finds nothing', async () => {
  const found: string[] = [];
  const run = runs.get('desk') ?? '';
  for (const path of [
    run,
    `${run}?tab=step&at=ladder`,
    `${run}?tab=step&at=desks%5Balpha%5D`,
    `${runs.get('items')}?tab=step&at=items&state=done`,
  ]) {
    await page.goto(`${desk.url}/runs/${path}`);
    await page.locator('.flow, .cells').first().waitFor();
    // What axe checks depends on colours and on the layout for telephones, not on every width.
    for (const width of [360, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const more = await sideways(page);
      if (more !== 0) found.push(`${path} ${width}: ${more} pixels wider than the screen`);
      for (const colorScheme of width === 360 || width === 1280
        ? (['light', 'dark'] as const)
        : []) {
        await page.emulateMedia({ colorScheme });
        for (const fault of await faultsIn(page)) {
          found.push(`${path} ${width} ${colorScheme}: ${fault}`);
        }
      }
    }
  }
  expect(found.join('\n')).toBe('');
});
