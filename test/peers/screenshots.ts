/**
 * Makes the pictures of docs/serve.md from the pages of a desk with runs, by a clock that stands. Ids
 * and the pauses between lookups differ from one time to the next.
 *
 *   npm run build && npm ci --prefix test/peers && npx tsx test/peers/screenshots.ts [FOLDER]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { chromium, type Page } from 'playwright-core';
import { executablePath } from './browser.ts';
import { launcher, now, pictureDesk } from './screenshots/desk.ts';

const [folder = join(import.meta.dirname, '..', '..', 'docs', 'images')] = process.argv.slice(2);
const size = { width: 1200, height: 760 };

if (executablePath === undefined) throw new Error('no Chromium: apt-get install chromium');
const desk = pictureDesk();
const child = spawn(process.execPath, [launcher, 'serve', '--port', '0', '--no-schedules'], {
  cwd: desk.folder,
  env: desk.env(now, false),
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  mkdirSync(folder, { recursive: true });
  const link = await linkOf(child.stdout);
  const { origin } = new URL(link);
  const context = await browser.newContext({
    viewport: size,
    timezoneId: 'UTC',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.clock.setFixedTime(now);
  await page.goto(link);
  await page.locator('table [data-row]').nth(4).waitFor();
  await picture(page, 'serve-runs', ['light', 'dark']);
  const runOf = async (playbook: string): Promise<string> => {
    const found = page.locator('tr', { hasText: playbook }).locator('a[href^="/runs/"]').first();
    return (await found.getAttribute('href')) ?? '';
  };
  const [doubt, stopped, large] = [
    await runOf('hedge'),
    await runOf('oversize'),
    await runOf('quotes'),
  ];
  await open(
    page,
    origin + doubt,
    '#actions button, [aria-labelledby=actions] button, .action button',
  );
  await picture(page, 'serve-in-doubt');
  const outcome = new URL(stopped, origin);
  outcome.searchParams.set('tab', 'outcome');
  await open(page, outcome.href, '.panel');
  await picture(page, 'serve-stopped');
  await open(page, origin + large, '.log > div');
  await picture(page, 'serve-thousand-orders');
  const [plan = ''] = readdirSync(join(desk.folder, '.deskhand', 'plans')).filter((name) =>
    name.startsWith('p-'),
  );
  await open(page, `${origin}/plans/${plan.replace('.json', '')}`, '.panel');
  await picture(page, 'serve-plan');
} finally {
  await browser.close();
  child.kill('SIGINT');
  await once(child, 'exit');
  rmSync(dirname(dirname(desk.folder)), { recursive: true, force: true });
}

async function linkOf(stdout: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stdout) {
    text += String(chunk);
    const [, link] = /open (\S+)\n/.exec(text) ?? [];
    if (link !== undefined) return link;
  }
  throw new Error(text);
}

async function open(page: Page, url: string, part: string): Promise<void> {
  await page.goto(url);
  await page.locator(part).first().waitFor();
}

async function picture(
  page: Page,
  name: string,
  schemes: readonly ('light' | 'dark')[] = ['light'],
): Promise<void> {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const path = join(folder, `${name}${colorScheme === 'dark' ? '-dark' : ''}.png`);
    await page.screenshot({ path, animations: 'disabled' });
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
