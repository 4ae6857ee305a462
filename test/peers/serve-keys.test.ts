/** The page by its keys, and an empty desk that leads to its first run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { keys } from '../../src/serve/web/key-list.ts';
import { deskhand, folderWith } from '../cli/deskhand.ts';
import { doneRun } from '../support/entries.ts';
import { limitOrder } from '../support/order.ts';
import { recordRun } from '../support/recorded.ts';
import { browser } from './open-browser.ts';
import { faultsOnScreens, serving } from './serving.ts';

test('an empty desk leads to the first run: a playbook, its plan, and the run of that plan', async () => {
  const desk = await serving();
  const context = await browser.newContext({ bypassCSP: true }); // for axe
  const page = await context.newPage();
  await page.goto(desk.link);
  await page.getByRole('heading', { name: 'The first run' }).waitFor();
  const { y = 0, height = NaN } = (await page.locator('main .panel').last().boundingBox()) ?? {};
  expect(y + height).toBeLessThan(720); // one screen
  expect(await faultsOnScreens(page, 'first run')).toEqual([]);
  await page.getByRole('button', { name: 'Make a demo playbook and plan it' }).click();
  await page.getByRole('button', { name: 'Write the playbook and plan it' }).click();
  await page.getByText('ready to run').waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/plans\/p-/);
  expect(await page.locator('.lines').innerText()).toContain('ETHUSDT open long 0.1 @ 2,900');
  await page.getByRole('button', { name: 'Run it', exact: true }).click();
  await page.getByRole('button', { name: 'Run this plan' }).click();
  await page.locator('.pill', { hasText: /^done/ }).waitFor();
  const text = readFileSync(join(desk.folder, 'playbooks', 'first-order.yaml'), 'utf8');
  const { stdout } = await deskhand(['runs', 'list', '-o', 'json'], { cwd: desk.folder });
  expect(text).toContain('futures/place-order');
  expect(JSON.parse(stdout)).toMatchObject({ runs: [{ playbook: 'first-order' }] });
  // A second press of another tab writes nothing over it.
  const status = await page.evaluate(async () => {
    const { status } = await fetch('/api/v1/playbooks/first', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ press: crypto.randomUUID() }),
    });
    return status;
  });
  expect(status).toBe(409);
  await context.close();
  await desk.end();
});

const playbook = `playbook: 1
name: bids
guards: { max-writes: 100 }
steps:
  - id: bids
    for-each: "{{ range 60001 60040 }}"
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`;

/** A desk with a run of 40 orders, and 35 other runs. */
async function deskOfRuns(): Promise<string> {
  const cwd = folderWith({
    'playbooks/bids.yaml': playbook,
    'playbooks/rarely.yaml':
      'playbook: 1\nname: rarely\nschedule: [{ cron: "0 0 29 2 *", timezone: UTC }]\nsteps: [{ id: a, uses: market/list-tickers, with: { category: SPOT } }]\n',
    'market.yaml':
      'version: 1\nmarket: [{ category: USDT-FUTURES, symbol: BTCUSDT, price: 68000 }]\n',
  });
  expect((await deskhand(['sandbox', 'load', 'market.yaml'], { cwd })).code).toBe(0);
  expect((await deskhand(['run', 'playbooks/bids.yaml'], { cwd })).code).toBe(0);
  for (let number = 10; number < 45; number += 1) {
    await recordRun(join(cwd, '.deskhand'), doneRun(), `r-older${number}`);
  }
  return cwd;
}

const settled = (page: Page): Promise<void> =>
  page.locator('main[aria-busy=false] .panel').first().waitFor();

test('each key does what the list of keys says, on each page', async () => {
  const desk = await serving(await deskOfRuns());
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(desk.link);
  await page.locator('table [data-row]').first().waitFor();
  const tried = new Set<string>();
  const press = async (name: string, ...words: readonly string[]): Promise<void> => {
    tried.add(name);
    for (const word of words) await page.keyboard.press(word);
  };
  const focused = (): Promise<string> =>
    page.evaluate(() => document.activeElement?.textContent ?? '');

  await press('?', '?');
  const shown = await page.getByRole('dialog').locator('dt').allInnerTexts();
  expect(shown).toEqual(keys.map(([key]) => key));
  const docs = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'serve.md'), 'utf8');
  const [, table = ''] = /\n## Keys\n([^]*?)\n\n[^|]/.exec(docs) ?? [];
  const documented = [...table.matchAll(/^\| (`.*`) \|/gm)].map(([, key = '']) =>
    key.replaceAll('`', ''),
  );
  expect(documented).toEqual(shown);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });

  const places = {
    r: '/',
    o: '/orders',
    e: '/events',
    p: '/plans',
    b: '/playbooks',
    s: '/schedules',
    a: '/accounts',
    x: '/sandbox',
  };
  for (const [letter, path] of Object.entries(places)) {
    await press(`g ${letter}`, 'g', letter);
    await expect.poll(() => new URL(page.url()).pathname).toBe(path);
    await settled(page);
    // The rows of each page are reached, or its first links and buttons.
    await page.keyboard.press('j');
    const isInside = await page.evaluate(() => document.activeElement?.closest('main') !== null);
    if (path !== '/plans') expect([path, isInside]).toEqual([path, true]); // it has no row
    expect(
      await page.locator('nav[aria-label=Main] [aria-current=page]').getAttribute('href'),
    ).toBe(path);
  }

  await press('g r', 'g', 'r');
  await page.getByText('page 1 of 2').waitFor();
  await press('n p', 'n');
  await page.getByText('page 2 of 2').waitFor();
  await press('n p', 'p');
  await page.getByText('page 1 of 2').waitFor();
  await press('j k', 'j');
  const first = await focused();
  await press('j k', 'j', 'k');
  expect(await focused()).toBe(first);
  await press('/', '/');
  expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-filter'))).toBe(true);
  await page.keyboard.type('bids gn'); // letters of a field are no keys
  expect(new URL(page.url()).pathname).toBe('/');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('bids');
  await page.getByText('1 of 36 runs').waitFor();
  await page.locator('[data-filter]').blur();
  await page.keyboard.press('j');
  await press('Enter', 'Enter');
  await page.locator('.log > div').first().waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/runs\//);
  await press('1 … 9', '3');
  const queryOf = (name: string): string | null => new URL(page.url()).searchParams.get(name);
  await expect.poll(() => queryOf('tab')).toBe('orders');
  await press('n p', 'n');
  await expect.poll(() => queryOf('orders')).toBe('2');
  await page.goto(`${desk.url}/playbook?file=playbooks%2Fbids.yaml`);
  await settled(page);
  await page.getByRole('button', { name: 'Plan it' }).waitFor();
  await press('a', 'a');
  expect(await focused()).toBe('Plan it');
  await page.keyboard.press('Enter'); // opens what it does, and sends nothing
  await page.getByText('Sends no order.').waitFor();
  expect([...tried].toSorted()).toEqual(keys.map(([key]) => key).toSorted());
  await page.close();
  await desk.end();
});

test('going back returns to the same place, also after a reload and to another page of a list', async () => {
  const desk = await serving(await deskOfRuns());
  const page = await browser.newPage({ viewport: { width: 1280, height: 600 } });
  await page.goto(desk.link);
  await page.locator('table [data-row]').nth(29).waitFor();
  const place = (): Promise<number> => page.evaluate(() => Math.round(scrollY));
  const row = page.locator('table [data-row]').nth(25);
  await page.evaluate(() => {
    addEventListener(
      'click',
      () => Object.assign(globalThis, { place: Math.round(scrollY) }),
      true,
    );
  });
  await row.click(); // Playwright scrolls to it
  const before = (await page.evaluate(() => Reflect.get(globalThis, 'place'))) as number;
  expect(before).toBeGreaterThan(200);
  await page.locator('.log > div').first().waitFor();
  expect(await place()).toBe(0);
  await page.goBack();
  await page.locator('table [data-row]').nth(29).waitFor();
  await expect.poll(place, { timeout: 15_000 }).toBe(before);
  await page.reload();
  await page.locator('table [data-row]').nth(29).waitFor();
  await expect.poll(place, { timeout: 15_000 }).toBe(before);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.getByText('page 2 of 2').waitFor();
  await page.locator('table [data-row]').first().click();
  await page.locator('.log > div').first().waitFor();
  await page.goBack();
  await page.getByText('page 2 of 2').waitFor();
  await page.close();
  await desk.end();
});

test('going back returns to the same place when the answer takes long', async () => {
  const desk = await serving(await deskOfRuns());
  const page = await browser.newPage({ viewport: { width: 1280, height: 600 } });
  await page.clock.install();
  await page.goto(desk.link);
  await page.locator('table [data-row]').nth(29).waitFor();
  await page.clock.fastForward(60_000); // after it, a scrolled page is one that a person scrolled
  await page.evaluate(() => scrollTo(0, 1000));
  const kept = (): Promise<unknown> => page.evaluate(() => history.state);
  await expect.poll(kept).toEqual({ scrolled: 1000 });
  let go = (): void => undefined;
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(/\/api\/v1\/home/, async (route) => {
    await held;
    await route.continue();
  });
  await page.reload();
  await page.getByText('Loading…').waitFor();
  await page.clock.fastForward(60_000);
  go();
  await page.locator('table [data-row]').nth(29).waitFor();
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(1000);
  await page.close();
  await desk.end();
});

test('a page says that it is loading, until it has its answer', async () => {
  const desk = await serving(await deskOfRuns());
  const page = await browser.newPage();
  await page.goto(desk.link);
  await page.locator('table [data-row]').first().waitFor();
  const found: unknown[] = [];
  for (const path of [
    '/',
    '/orders',
    '/plans',
    '/playbooks',
    '/schedules',
    '/accounts',
    '/sandbox',
  ]) {
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route(/\/api\/v1\/(?!events|about)/, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(desk.url + path);
    await page.getByText('Loading…').waitFor();
    found.push([path, await page.locator('main').getAttribute('aria-busy')]);
    go();
    await settled(page);
    await page.unroute(/\/api\/v1\/(?!events|about)/);
  }
  expect(found.every((each) => Array.isArray(each) && each[1] === 'true')).toBe(true);
  await page.close();
  await desk.end();
});
