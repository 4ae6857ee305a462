/** What the pages say of real runs: nested playbooks, doubts, times and needs, in a browser. */
import { type BrowserContext, type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { limitOrder } from '../support/order.ts';
import { annsRepository, waitingRun } from '../support/waiting-run.ts';
import { browser } from './open-browser.ts';
import { Checks, commandsIn, runsByPlaybook } from './real-runs.ts';
import { faultsIn, serving, sideways, type Serving } from './serving.ts';

const orders = `
  - id: bids
    for-each: ["60100", "60200"]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`;

const files = {
  'playbooks/child.yaml': `playbook: 1
name: child
steps:
  - id: pause
    uses: wait
    with: { for: 200ms }${orders}`,
  'playbooks/parent.yaml': `playbook: 1
name: parent
steps:
  - id: desks
    for-each: [alpha, bravo]
    uses: ./child.yaml
  - id: cool
    uses: wait
    with: { for: 300ms }
`,
  'playbooks/hedge.yaml': `playbook: 1
name: hedge
steps:
  - id: calm
    uses: wait
    with: { for: 4s }${orders}`,
  'playbooks/subs.yaml': `playbook: 1
name: subs
steps:
  - id: sub
    uses: account/create-sub
    with: { username: alphadesk }
`,
  'playbooks/gate.yaml': `playbook: 1
name: gate
account: gated
steps:
  - id: consent
    uses: approve
    with: { text: Buy?, for: 2h }
  - id: later
    uses: wait
    with: { for: 1s }
`,
  'deskhand.yaml': `profiles:
  sandbox: { target: sandbox }
  gated: { target: sandbox, as: oneway, approve: { signers: ./allowed_signers, plans: false } }
`,
  allowed_signers: '',
  'playbooks/wrong.yaml': 'playbook: 1\nname: wrong\nsteps: [{ id: a, uses: market/none }]\n',
  'market.yaml': `version: 1
market: [{ category: USDT-FUTURES, symbol: BTCUSDT, price: 68000 }]
`,
  // After the plan was made, and before the second order: its response and the lists are lost.
  'lost.yaml': `version: 1
events:
  - after: 2s
    faults:
      - { match: { operation: futures/place-order, nth: 2 }, when: after-commit, action: { kind: reset } }
      - { match: { operation: order/list-open }, when: before, times: 40, action: { kind: status, status: 503, code: "50000" } }
`,
  'lost-sub.yaml': `version: 1
faults:
  - { match: { operation: account/create-sub, nth: 1 }, when: after-commit, action: { kind: reset } }
`,
};

let desk: Serving;
let context: BrowserContext;
let page: Page;
let runs: ReadonlyMap<string, string>;

/** A folder with a run of each playbook. It lasts for one test, as the server on it does. */
async function deskOfRuns(): Promise<string> {
  const cwd = annsRepository(files);
  const at = commandsIn(cwd);
  await at(0, 'sandbox', 'load', 'market.yaml');
  await at(0, 'run', 'playbooks/parent.yaml');
  await at(0, 'sandbox', 'load', 'lost.yaml');
  await at(6, 'run', 'playbooks/hedge.yaml');
  await at(0, 'sandbox', 'load', 'lost-sub.yaml');
  await at(6, 'run', 'playbooks/subs.yaml');
  await at(0, 'sandbox', 'load', 'market.yaml');
  await waitingRun(cwd, ['run', 'playbooks/gate.yaml']);
  runs = await runsByPlaybook(at);
  return cwd;
}

const checks = new Checks();
const check = checks.add;

test('pages of real runs are exact', async () => {
  desk = await serving(await deskOfRuns());
  context = await browser.newContext({
    bypassCSP: true, // for axe
    timezoneId: 'Europe/Berlin',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  page = await context.newPage();
  await page.goto(desk.link);
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  await checks.pass(async () => {
    await page.goto(desk.url);
    await page.locator('table [data-row]').last().waitFor();
  });
  await context.close();
});

async function openRun(playbook: string): Promise<void> {
  await page.goto(`${desk.url}/runs/${runs.get(playbook)}`);
  await page.locator('.log > div').first().waitFor();
}

check(
  'a nested playbook is below its item, whose bar spans it and whose text counts its orders',
  async () => {
    await openRun('parent');
    const rows = await page.locator('.time .row').evaluateAll((all) =>
      all.map((row) => {
        const [head, track] = [...row.children];
        const bars = [...(track?.querySelectorAll('i') ?? [])].map((bar) =>
          bar.getBoundingClientRect(),
        );
        return {
          name: head?.querySelector('b')?.textContent ?? head?.textContent?.trim() ?? '',
          indent: Number.parseInt(getComputedStyle(head ?? row).paddingLeft, 10),
          reading: track?.querySelector('.unseen')?.textContent ?? '',
          from: Math.min(...bars.map(({ left }) => left)),
          to: Math.max(...bars.map(({ right }) => right)),
        };
      }),
    );
    const order = /^BTCUSDT/;
    expect(rows.map(({ name }) => (order.test(name) ? 'order' : name))).toEqual([
      'desks',
      'alpha',
      'pause',
      'bids',
      'order',
      'order',
      'bravo',
      'pause',
      'bids',
      'order',
      'order',
      'cool',
    ]);
    const [desks, alpha, pause, bids] = rows;
    expect([desks, alpha, pause].map((row) => row?.indent)).toEqual([0, 22, 44]);
    expect(desks?.reading).toMatch(/: 4 orders placed, 4 requests$/);
    expect(alpha?.reading).toMatch(/: 2 orders placed, 2 requests$/);
    expect(pause?.reading).toMatch(/: no request$/);
    for (const inner of [pause, bids]) {
      expect(inner?.from).toBeGreaterThanOrEqual((alpha?.from ?? 0) - 1);
      expect(inner?.to).toBeLessThanOrEqual((alpha?.to ?? 0) + 4); // the least width of a bar
    }
    expect(rows.at(-1)?.reading).toMatch(/^from .+ to .+: no request$/);
    expect(await page.locator('.log').innerText()).not.toMatch(/cool.*answered by/);
  },
);

check('all times are in one zone, which is chosen, named and remembered', async () => {
  await openRun('hedge');
  const text = (): Promise<string> => page.locator('main').innerText();
  expect(await text()).toContain('UTC+1');
  expect(await text()).not.toMatch(/\d\d:\d\d UTC(?!\+1)|\dZ/);
  await page.getByRole('button', { name: 'Times: browser, UTC+1' }).click();
  await expect.poll(text, { timeout: 10_000 }).not.toContain('UTC+1');
  expect(await text()).toMatch(/times in UTC/);
  await page.getByRole('button', { name: 'Times: UTC' }).click();
  await page.reload();
  await page.getByRole('button', { name: 'Times: exchange, UTC+8' }).waitFor();
  await page.goto(`${desk.url}/runs/${runs.get('hedge')}?tab=requests`);
  await page.getByRole('columnheader', { name: 'UTC+8' }).waitFor();
});

check('no page has a time of another zone, also of what waits or has a clock', async () => {
  const found: unknown[] = [];
  const gate = `/runs/${runs.get('gate')}`;
  const pages = [
    '/',
    gate,
    `${gate}?tab=step&at=consent`,
    '/sandbox',
    '/accounts',
    '/orders?tab=sums',
  ];
  for (const path of pages) {
    await page.goto(desk.url + path);
    await page.locator('main[aria-busy=false] .panel').first().waitFor();
    const text = (): Promise<string> => page.locator('main').innerText();
    if (path.startsWith(gate) || path === '/sandbox' || path === '/orders?tab=sums')
      await expect.poll(text).toContain('UTC+8'); // as chosen above
    found.push(...[...(await text()).matchAll(/.*UTC(?!\+8).*/g)].map(([line]) => [path, line]));
  }
  expect(found).toEqual([]);
});

check('a run that waits for people says so, since when, and for how long it has been', async () => {
  const need = page.locator('.needs li', { hasText: 'gate' });
  expect(await need.innerText()).toMatch(/consent asks: Buy\? (?:just now|\d+ min ago)/);
  const row = page.locator('table [data-row]', { hasText: 'gate' }).locator('xpath=ancestor::tr');
  expect(await row.innerText()).toMatch(/^waits for approval[\s\S]*\d+ (?:s|min)$/);
  await openRun('gate');
  const main = await page.locator('main').innerText();
  expect(main).toMatch(/waits for approval, step 1 of 2[\s\S]*open for\s+[\d.]+ (?:s|min)/);
  expect(main).not.toMatch(/\btook\b/);
});

check('a list does not say of a write in doubt that nothing was sent', async () => {
  const row = page.locator('table [data-row]', { hasText: 'subs' }).locator('xpath=ancestor::tr');
  expect(await row.innerText()).toMatch(/nothing is known to be done, 1 in doubt/);
});

check('a sub-account in doubt is not looked up: a person states its outcome', async () => {
  await openRun('subs');
  const card = page.getByRole('region', { name: 'In doubt' });
  await card.locator('button.main', { hasText: 'State its outcome' }).waitFor();
  expect(await page.getByRole('button', { name: /look/i }).count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Resume', exact: true }).count()).toBe(0);
});

check('a need is acknowledged with a reason, and a command is copied', async () => {
  const need = page.locator('.needs li', { hasText: 'subs' });
  expect(await need.innerText()).toMatch(/1 in doubt[\s\S]*ago|just now/);
  await need.getByRole('button', { name: /^Acknowledge/ }).click();
  await need.getByLabel('Why nothing more is done').fill('the desk knows');
  await need.getByRole('button', { name: 'Acknowledge with this reason' }).click();
  await need.waitFor({ state: 'detached' });
  await page.getByText('1 need acknowledged').click();
  await page.getByText('the desk knows').waitFor();
  await openRun('subs');
  await page.getByRole('button', { name: /^Copy deskhand resolve .*--absent/ }).click();
  await page.getByText('copied', { exact: true }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe(`deskhand resolve ${runs.get('subs')} sub --absent`);
});

check('the pages of these runs fit every screen, and axe finds nothing', async () => {
  const found: unknown[] = [];
  for (const path of [
    '/',
    ...['parent', 'hedge', 'subs'].map((each) => `/runs/${runs.get(each)}`),
  ]) {
    await page.goto(desk.url + path);
    await page.locator('main[aria-busy=false] .panel').first().waitFor();
    for (const width of [360, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 });
      const more = await sideways(page);
      if (more !== 0) found.push([path, width, `${more} pixels wider than the screen`]);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const fault of await faultsIn(page)) found.push([path, width, colorScheme, fault]);
      }
    }
  }
  expect(found).toEqual([]);
});

// The last one, because it changes the run.
check(
  'an order in doubt is looked up from its card, and all of its page agrees afterwards',
  async () => {
    await openRun('hedge');
    const card = page.getByRole('region', { name: 'In doubt' });
    await card.getByText(/^68000\.0, bid/).waitFor();
    expect(await card.innerText()).toMatch(/unknown\s+the connection was reset/);
    await card.getByRole('button', { name: 'Look the order up', exact: true }).click();
    await card.getByRole('button', { name: 'Look the order up and record what is proved' }).click();
    await page.locator('.pill', { hasText: 'not finished at step 2 of 2' }).waitFor();
    await page.getByText('What was in doubt is settled').waitFor();
    expect(await card.count()).toBe(0);
    const main = await page.locator('main').innerText();
    expect(main).toMatch(/took\s+\S+ s, open for \d+/);
    expect(await page.locator('.time').innerText()).not.toMatch(/doubt/);
  },
);
