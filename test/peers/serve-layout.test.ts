/** Every page of `serve` on every screen: for axe, for its width, and for text that is cut off. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { deskhand, folderWith } from '../cli/deskhand.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { lockRun } from '../../src/engine/journal/lock.ts';
import { doneRun, doubtRun, longRun, stoppedRun } from '../support/entries.ts';
import { continueRun, recordRun } from '../support/recorded.ts';
import { browser } from './open-browser.ts';
import { faultsIn, faultsOnScreens, serving, sideways } from './serving.ts';
import { commitByAnn } from '../support/repository.ts';

const tickers = '{ id: tickers, uses: market/list-tickers, with: { category: SPOT } }';
const ladder = `playbook: 1
name: ladder
account: main
inputs: { size: { type: decimal, default: 0.01 } }
steps:
  - id: bids
    for-each: [74000, 73900]
    key: "{{ each.value }}"
    uses: futures/place-order
    with:
      symbol: BTCUSDT
      productType: USDT-FUTURES
      marginMode: crossed
      marginCoin: USDT
      side: buy
      tradeSide: open
      orderType: limit
      price: "{{ each.value }}"
      size: "{{ inputs.size }}"
`;

/** A desk with something on each page, and a plan that another person must approve. */
async function deskOfAll(): Promise<{ readonly cwd: string; readonly plan: string }> {
  const cwd = folderWith({
    'playbooks/ladder.yaml': ladder,
    'playbooks/rarely.yaml': `playbook: 1\nname: rarely\nschedule: [{ cron: "0 0 29 2 *", timezone: UTC }]\nsteps: [${tickers}]\n`,
    'playbooks/wrong.yaml': `playbook: 1\nname: wrong\nsteps: [{ id: a, uses: market/list-ticker }]\n`,
    'deskhand.yaml':
      'profiles: { main: { approve: { by: other, signers: ./allowed_signers, passkeys: ./passkeys.json } } }\n',
    allowed_signers: '',
    'passkeys.json': '[]\n',
  });
  commitByAnn(cwd);
  const { stdout } = await deskhand(['plan', 'playbooks/ladder.yaml', '-o', 'json'], { cwd });
  for (const entries of [doneRun(), doubtRun(), stoppedRun(), longRun(40)]) {
    await recordRun(join(cwd, '.deskhand'), entries);
  }
  await recordRun(join(cwd, '.deskhand'), reusedRun());
  return { cwd, plan: (JSON.parse(stdout) as { id: string }).id };
}

/** A run with a value of an earlier one, as a text without a space. */
function reusedRun(): Entry[] {
  const because = `reused from r-7k2m: ${JSON.stringify(Array(9).fill('82654.9'))}`;
  return doneRun().flatMap((entry): readonly Entry[] => {
    if (entry.kind === 'started') return [{ ...entry, run: 'r-3w6t' }];
    if (entry.kind === 'closed') return [{ ...entry, because, reused: 'r-7k2m' }];
    return entry.kind === 'finished' ? [entry] : [];
  });
}

/** The addresses in the table of pages, and the tabs of a run. */
function pathsOf(plan: string): string[] {
  const table = join(import.meta.dirname, '..', '..', 'src', 'serve', 'web', 'pages', 'index.ts');
  const paths = [...readFileSync(table, 'utf8').matchAll(/path: '([^']+)'/g)].map(
    ([, path = '']) => path,
  );
  expect(paths.length).toBeGreaterThan(9);
  const tabs = ['outcome', 'orders', 'files', 'requests', 'playbook', 'compare', 'provenance'];
  return paths.flatMap((path) => {
    switch (path) {
      case '/runs/{run}':
        return [
          ...['r-7k2m', 'r-9d1f', 'r-5m1k', 'r-3w6t'].map((run) => `/runs/${run}`),
          ...tabs.map((tab) => `/runs/r-8p0a?tab=${tab}`),
        ];
      case '/plans/{plan}':
        return [`/plans/${plan}`];
      case '/playbook':
        return ['ladder', 'wrong'].map((name) => `/playbook?file=playbooks%2F${name}.yaml`);
      case '/orders':
        return ['/orders?time=all', '/orders?time=all&tab=sums', '/orders?time=2026-11-01..'];
      case '/events':
        return ['/events', '/events?text=nowhere'];
      default:
        return [path];
    }
  });
}

const screens = {
  wide: { colorScheme: 'light', viewport: { width: 1280, height: 900 } },
  'wide, dark': { colorScheme: 'dark', viewport: { width: 1280, height: 900 } },
  tablet: { colorScheme: 'light', viewport: { width: 768, height: 900 } },
  'twice as large': { colorScheme: 'dark', viewport: { width: 640, height: 450 } },
  telephone: { colorScheme: 'light', viewport: { width: 375, height: 740 } },
  'small telephone, dark': { colorScheme: 'dark', viewport: { width: 320, height: 568 } },
} as const;

/** What axe checks depends on colours and on the layout for telephones, not on every width. */
const forAxe = { wide: true, 'wide, dark': true, telephone: true };

test('each page fits each screen: axe finds nothing, and no text is cut off', async () => {
  const { cwd, plan } = await deskOfAll();
  const desk = await serving(cwd);
  // The page's policy would block axe; another test checks the policy.
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(desk.link);
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
  const found: unknown[] = [];
  for (const path of pathsOf(plan)) {
    await page.goto(desk.url + path);
    await page.locator('main .panel').first().waitFor();
    // But for the first page this is the smallest screen.
    if (!(await isCurrentShown(page)))
      found.push([path, 'its place in the navigation is not shown']);
    for (const [name, { colorScheme, viewport }] of Object.entries(screens)) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      if (name in forAxe) {
        for (const fault of await faultsIn(page)) found.push([path, name, fault]);
      }
      for (const text of await cutOff(page)) found.push([path, name, `cut off: ${text}`]);
      const more = await sideways(page);
      if (more !== 0) found.push([path, name, `${more} pixels wider than the screen`]);
      if (name === 'wide') for (const text of await scrolling(page)) found.push([path, name, text]);
    }
  }
  expect(found).toEqual([]);
  await context.close();
  await desk.end();
});

/** Tables of which a part is reached only by scrolling them. */
function scrolling(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.wide')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map(
        ({ ariaLabel, scrollWidth, clientWidth }) =>
          `the table “${ariaLabel ?? ''}” scrolls: ${scrollWidth} of ${clientWidth} pixels`,
      ),
  );
}

function isCurrentShown(page: Page): Promise<boolean> {
  return page.locator('nav[aria-label=Main] [aria-current=page]').evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left >= -1 && right <= innerWidth + 1; // rounded
  });
}

/** Texts of elements that hide a part of it: neither scrolled nor shown elsewhere. */
function cutOff(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')]
      .filter((element) => {
        const { overflowX, overflowY } = getComputedStyle(element);
        const isForReaders = element.matches('.unseen'); // text for screen readers only
        const isCut =
          (/hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1) ||
          (/hidden|clip/.test(overflowY) && element.scrollHeight > element.clientHeight + 1);
        return isCut && !isForReaders && element.title === '' && element.innerText.trim() !== '';
      })
      .map(
        (element) => `${element.tagName}.${element.className}: ${element.innerText.slice(0, 80)}`,
      ),
  );
}

test('the pages that have nothing to show fit each screen: axe finds nothing', async () => {
  const desk = await serving();
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  const found: unknown[] = [];
  const look = async (text: string): Promise<void> => {
    await page.getByText(text).first().waitFor();
    found.push(...(await faultsOnScreens(page, text)));
  };
  await page.goto(desk.url);
  await look('You are not signed in.');
  await page.goto(desk.link); // in the tab of the page: only the fragment differs
  await look('No runs yet.');
  for (const [path, text] of [
    ['/no/such/page', 'Page not found'],
    ['/runs/r-none', 'no run r-none'],
    ['/plans/p-00000000', 'plan not found'],
    ['/playbook?file=none.yaml', 'no playbook none.yaml'],
  ] as const) {
    await page.goto(desk.url + path);
    await look(text);
  }
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await look('You are not signed in.');
  expect(found).toEqual([]);
  await context.close();
  await desk.end();
});

test('the first key on a page leads past the navigation, to the content', async () => {
  const desk = await serving();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(desk.link);
  await page.getByText('No runs yet.').waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('link', { name: 'Skip to the content' }).waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main');
  await context.close();
  await desk.end();
});

test('a page whose server has ended says so on each screen', async () => {
  const desk = await serving();
  const context = await browser.newContext({ bypassCSP: true });
  const page = await context.newPage();
  await page.goto(desk.link);
  await page.getByText('No runs yet.').waitFor();
  await desk.end();
  await page.getByText('The server does not answer.').waitFor();
  await page.getByRole('link', { name: 'Accounts' }).click(); // this page is in the script already
  await page.getByText('the server does not answer', { exact: true }).waitFor();
  expect(await faultsOnScreens(page, 'ended')).toEqual([]);
  await context.close();
});

test('the page of a run stays in place while 1,000 orders arrive', async () => {
  const desk = await serving();
  const entries = longRun(1_000).slice(0, -1); // its end changes the page
  const run = await recordRun(desk.stateDir, entries.slice(0, 3));
  const lock = await lockRun(desk.stateDir, run); // as its process holds it
  const page = await browser.newPage();
  await page.goto(desk.link);
  await page.locator(`a[href*="${run}"]`).first().waitFor(); // signed in
  await page.goto(`${desk.url}/runs/${run}`);
  await page.locator('.log > div').first().waitFor();
  await page.evaluate(() => {
    const shifts: (readonly [value: number, what: string])[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        readonly value: number;
        readonly sources: readonly { readonly node: Node | null }[];
      })[]) {
        const nodes = entry.sources.map(({ node }) => (node as HTMLElement | null)?.outerHTML);
        shifts.push([entry.value, nodes.join(' ').slice(0, 300)]);
      }
    }).observe({ type: 'layout-shift' });
  });
  for (let from = 3; from < entries.length; from += 300) {
    const part = entries.slice(from, from + 300);
    await continueRun(desk.stateDir, run, part);
    await page.locator(`.log > div[data-seq="${part.at(-1)?.seq}"]`).waitFor();
  }
  // A wider number and the axis of the time line move a little; people notice 0.1.
  const shifts = (await page.evaluate(() => Reflect.get(globalThis, 'shifts'))) as [
    number,
    string,
  ][];
  expect(shifts.filter(([value]) => value > 0.005)).toEqual([]);
  expect(shifts.reduce((sum, [value]) => sum + value, 0)).toBeLessThan(0.02);
  await lock.release();
  await page.close();
  await desk.end();
});
