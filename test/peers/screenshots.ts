/**
 * Makes the pictures of docs/serve.md from the pages of a desk with runs, by a clock that stands. Ids
 * and the pauses between lookups differ from one time to the next.
 *
 *   npm run build && npm ci --prefix test/peers && npx tsx test/peers/screenshots.ts [FOLDER]
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { type Browser, type Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { emptyDesk, launcher, now, pictureDesk, type PictureDesk } from './screenshots/desk.ts';

const [folder = join(import.meta.dirname, '..', '..', 'docs', 'images')] = process.argv.slice(2);
const wide = { width: 1200, height: 760 };
const telephone = { width: 360, height: 740 };

mkdirSync(folder, { recursive: true });
const browser = await launchBrowser();
try {
  await picturesOf(emptyDesk(), async (page) => {
    await settled(page, 'button.main');
    await picture(page, 'serve-empty', { height: 560 });
  });
  await picturesOf(pictureDesk(), async (page, origin, desk) => {
    const running = desk.begin('roll');
    try {
      const doubt = await pictures(page, origin, desk);
      await ended(running); // it has the lock of the account
      await settledPicture(page, doubt, desk);
    } finally {
      running.kill('SIGKILL');
    }
  });
} finally {
  await browser.close();
}

/** Starts the server of a desk, opens its page, and removes the desk at the end. */
async function picturesOf(
  desk: PictureDesk,
  work: (page: Page, origin: string, desk: PictureDesk) => Promise<void>,
): Promise<void> {
  const child = spawn(process.execPath, [launcher, 'serve', '--port', '0', '--no-schedules'], {
    cwd: desk.folder,
    env: desk.env(now, false),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const link = await linkOf(child.stdout);
    const page = await pageIn(browser);
    await page.goto(link);
    await page.locator('main .panel').first().waitFor();
    await work(page, new URL(link).origin, desk);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.context().close();
  } finally {
    await ended(child);
    rmSync(dirname(dirname(desk.folder)), { recursive: true, force: true });
  }
}

/** A page by the clock of the pictures, with an authenticator. */
async function pageIn(of: Browser): Promise<Page> {
  const context = await of.newContext({
    viewport: wide,
    timezoneId: 'UTC',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000); // where other programs run, too
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.clock.setFixedTime(now);
  // The page would follow the clock of this machine, which the server sends.
  await page.route(/\/api\/v1\/(?!events)/, async (route) => {
    const response = await route.fetch().catch(() => undefined);
    if (response === undefined) return; // the page was left
    const headers: Record<string, string> = { ...response.headers() };
    delete headers['date'];
    delete headers['content-encoding']; // it is decoded
    await route.fulfill({ response, headers });
  });
  return page;
}

async function pictures(page: Page, origin: string, desk: PictureDesk): Promise<string> {
  const open = async (path: string, part = '.panel'): Promise<void> => {
    await page.goto(new URL(path, origin).href);
    await settled(page, part);
  };
  await enrolled(page, origin, desk.folder);
  await open('/', 'table [data-row] >> nth=5');
  const [doubt = '', stopped = '', large = '', ladder = '', roll = ''] = await Promise.all(
    ['hedge', 'oversize', 'quotes', 'entry-ladder', 'roll'].map((name) => runOf(page, name)),
  );
  await page
    .locator('tr', { hasText: 'roll' })
    .getByText(/3 of \d+ orders/)
    .waitFor();
  await picture(page, 'serve-runs', { schemes: ['light', 'dark'] });
  await open(roll, '#actions');
  await picture(page, 'serve-running');
  await open(doubt, '#doubt');
  await page.getByText(/bid .* ask/).waitFor();
  await picture(page, 'serve-in-doubt');
  await picture(page, 'serve-phone-doubt', { size: telephone });
  await open(tabOf(stopped, 'outcome'));
  await picture(page, 'serve-stopped');
  await open(large, '.log > div');
  await picture(page, 'serve-thousand-orders');
  const [file = ''] = readdirSync(join(desk.folder, '.deskhand', 'plans')).filter((name) =>
    readFileSync(join(desk.folder, '.deskhand', 'plans', name), 'utf8').includes('rebalance'),
  );
  const plan = `/plans/${file.replace('.json', '')}`;
  await open(plan, '#decision');
  await picture(page, 'serve-plan', { height: 920 });
  await picture(page, 'serve-phone-approve', { size: telephone });
  await open('/orders?time=all', '.trades');
  await picture(page, 'serve-orders');
  await open(tabOf(ladder, 'compare'), '.compared');
  await picture(page, 'serve-compare', { height: 980 });
  await open('/schedules', '.occurrences');
  await picture(page, 'serve-schedules', { height: 460 });
  await open('/accounts', '.definitions');
  await picture(page, 'serve-accounts');
  return new URL(doubt, origin).href;
}

/** The run in doubt, after a person stated the outcome of its order. */
async function settledPicture(page: Page, address: string, desk: PictureDesk): Promise<void> {
  const run = /r-\w+/.exec(address)?.[0] ?? '';
  desk.at(0, 0, 'sandbox', 'load', 'market.yaml'); // the lists are read again
  desk.at(0, 0, 'resolve', run, 'orders[66300]', '--absent', '--comment', 'no fill in the app');
  await page.goto(address);
  await settled(page, '.tallies');
  await picture(page, 'serve-settled');
}

/** Makes a passkey for a person who may approve, as in the repository of the desk. */
async function enrolled(page: Page, origin: string, desk: string): Promise<void> {
  await page.goto(`${origin}/passkeys`);
  await page.getByLabel('Your address').fill('ben@desk.example');
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  const line = (await page.getByLabel('Line for passkeys.json').textContent()) ?? '';
  writeFileSync(join(desk, 'passkeys.json'), `[${line}]\n`);
}

/** The address of a tab of a run. */
function tabOf(path: string, tab: string): string {
  return `${path}${path.includes('?') ? '&' : '?'}tab=${tab}`;
}

async function runOf(page: Page, playbook: string): Promise<string> {
  const found = page.locator('tr', { hasText: playbook }).locator('a[href^="/runs/"]').first();
  return (await found.getAttribute('href')) ?? '';
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

async function ended(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL'); // it waits for no page that is still open
  await once(child, 'exit');
}

async function settled(page: Page, part: string): Promise<void> {
  await page.locator(part).first().waitFor();
  await page.locator('main[aria-busy=false]').waitFor();
}

interface How {
  readonly size?: { readonly width: number; readonly height: number };
  readonly height?: number;
  readonly schemes?: readonly ('light' | 'dark')[];
}

async function picture(page: Page, name: string, how: How = {}): Promise<void> {
  const { size = wide, height = size.height, schemes = ['light'] } = how;
  await page.setViewportSize({ ...size, height });
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    const path = join(folder, `${name}${colorScheme === 'dark' ? '-dark' : ''}.png`);
    await page.screenshot({ path, animations: 'disabled' });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(wide);
}
