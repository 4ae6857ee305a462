/** The site of the documentation: complete, without dead links, readable, and alone with its server. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join, normalize } from 'node:path';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'site', 'dist');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser: Browser;
let server: Server | undefined;
let address = '';

beforeAll(async () => {
  if (!existsSync(join(root, 'site', 'node_modules'))) throw new Error('run npm ci --prefix site');
  execFileSync('npm', ['run', '--silent', '--prefix', 'site', 'build'], {
    cwd: root,
    stdio: 'pipe',
  });
  server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://site').pathname);
    const file = join(dist, normalize(path.endsWith('/') ? `${path}index.html` : path));
    const found = existsSync(file);
    response.writeHead(found ? 200 : 404, { 'content-type': types[extname(file)] ?? 'text/plain' });
    response.end(found ? readFileSync(file) : '');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const place = server.address();
  address = `http://127.0.0.1:${typeof place === 'object' ? place?.port : ''}`;
  browser = await launchBrowser();
});

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

afterAll(async () => {
  await browser.close();
  server?.close();
});

const htmlOf = (page: string): string => readFileSync(join(dist, page), 'utf8');
const builtPages = (): readonly string[] =>
  readdirSync(dist).filter((name) => name.endsWith('.html'));

test('every page of docs is on the site, in its list of pages', () => {
  const names = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  expect(names.length).toBeGreaterThan(20);
  const home = htmlOf('documentation.html');
  for (const name of names) {
    const page = name.replace(/^index\b/, 'documentation').replace(/\.md$/, '.html');
    const [, heading = ''] = /^# (.+)$/m.exec(readFileSync(join(root, 'docs', name), 'utf8')) ?? [];
    expect([page, textOf(htmlOf(page)).includes(heading)]).toEqual([page, true]);
    if (name !== 'index.md') expect([page, home.includes(`/${page}"`)]).toEqual([page, true]);
  }
});

test('the first page shows the product: a picture, three lines, two commands, and where to start', async () => {
  for (const width of [360, 1280]) {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${address}/`);
    await page.waitForLoadState('networkidle');
    expect(await page.locator('.VPFeature').count()).toBe(3);
    expect(await page.locator('pre .line').count()).toBe(2);
    expect(await page.getByRole('link', { name: 'Start' }).getAttribute('href')).toBe(
      '/readme.html',
    );
    const [pictures, wide] = await page.evaluate<[boolean[], number]>(
      "[[...document.images].filter((each) => each.offsetParent).map((each) => each.naturalWidth > 600 && each.alt !== ''), document.documentElement.scrollWidth]",
    );
    expect([pictures, wide]).toEqual([[true, true], width]);
    await context.close();
  }
});

test('each page has an icon, and what previews show of it', () => {
  for (const page of builtPages()) {
    const html = htmlOf(page);
    expect([
      page,
      html.includes('<link rel="icon" type="image/svg+xml" href="/icon.svg">'),
    ]).toEqual([page, true]);
    const meta = ['og:title', 'og:description', 'og:type', 'og:site_name'];
    const absent = meta.filter(
      (name) => !new RegExp(`property="${name}" content="[^"]+"`).test(html),
    );
    expect([page, absent]).toEqual([page, []]);
  }
  expect(existsSync(join(dist, 'icon.svg'))).toBe(true);
  expect(existsSync(join(dist, 'social.png'))).toBe(true);
});

test('each exported name of the library has its section', () => {
  for (const [entry, page] of [
    ['index', 'api-deskhand'],
    ['api', 'api-api'],
    ['client', 'api-client'],
    ['sandbox', 'api-sandbox'],
    ['playbook', 'api-playbook'],
  ]) {
    const text = readFileSync(join(root, 'api', `${entry}.d.ts`), 'utf8');
    const [, list = ''] = /^export \{ (.+) \};/m.exec(text) ?? [];
    const html = htmlOf(`${page}.html`);
    const titles = new Set(
      [...html.matchAll(/<h3 id="[^"]+"[^>]*>([\w$]+) /g)].map(([, name]) => name),
    );
    expect([entry, list.split(', ').filter((name) => !titles.has(name))]).toEqual([entry, []]);
  }
});

function textOf(html: string): string {
  return html.replaceAll(/<[^>]*>/g, '');
}

test('every link leads to a page and a heading of the site, or to another site on purpose', () => {
  const wrong: string[] = [];
  let links = 0;
  for (const page of builtPages()) {
    const html = htmlOf(page);
    const main = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
    for (const [, href = ''] of main.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      links += 1;
      if (/^https?:/.test(href)) continue;
      const [path = '', anchor] = href.split('#');
      const target = path === '' || path === '/' ? (path === '' ? page : 'index.html') : path;
      const file = join(dist, target.startsWith('/') ? target : join(dirname(page), target));
      const isThere = existsSync(file);
      const id = decodeURIComponent(anchor ?? '');
      const hasId = id === '' || (isThere && readFileSync(file, 'utf8').includes(`id="${id}"`));
      if (!isThere || !hasId) wrong.push(`${page}: ${href}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(links).toBeGreaterThan(300);
});

test('no page names a script, style, font or picture of another host', () => {
  for (const page of builtPages()) {
    const loaded = [...htmlOf(page).matchAll(/<(?:script|link|img|iframe)\b[^>]*>/g)].join('');
    expect([page, /(?:src|href)="(?:https?:)?\/\//.test(loaded)]).toEqual([page, false]);
  }
});

test('a reader finds a word, and the browser asks no other host', async () => {
  const { page, requests, context } = await opened('light');
  for (const name of ['index', 'documentation', 'commands', 'playbook', 'readme', 'figures']) {
    await page.goto(`${address}/${name}.html`);
    await page.waitForLoadState('networkidle');
  }
  await page.keyboard.press('Control+k');
  await page.getByPlaceholder('Search').fill('in doubt');
  await page.locator('.VPLocalSearchBox .result').first().waitFor();
  expect(await page.locator('.VPLocalSearchBox .result').count()).toBeGreaterThan(2);
  expect(requests.length).toBeGreaterThan(20);
  expect(
    requests.filter((url) => !url.startsWith(`${address}/`) && !url.startsWith('data:')),
  ).toEqual([]);
  await context.close();
});

test.each(['light', 'dark'] as const)('axe finds nothing serious in %s', async (scheme) => {
  const { page, context } = await opened(scheme);
  for (const name of ['index', 'documentation', 'commands', 'playbook', 'api-deskhand']) {
    await page.goto(`${address}/${name}.html`);
    await page.waitForLoadState('networkidle');
    await page.evaluate(axe);
    const found: unknown = await page.evaluate(async () => {
      const { violations } = await (globalThis as unknown as Axe).axe.run();
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200)).slice(0, 3)]);
    });
    expect([name, found]).toEqual([name, []]);
  }
  await context.close();
});

interface Axe {
  readonly axe: {
    run(): Promise<{
      violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
    }>;
  };
}

interface Opened {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Addresses that the browser asked for. */
  readonly requests: readonly string[];
}

async function opened(colorScheme: 'light' | 'dark'): Promise<Opened> {
  const context = await browser.newContext({ colorScheme });
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  return { page: await context.newPage(), context, requests };
}
