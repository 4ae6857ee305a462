/** A team that signs in with a public OpenID Connect issuer, in a real browser, by TLS. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Provider from 'oidc-provider';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { begin } from '../cli/deskhand.ts';
import { faultsOnScreens } from './serving.ts';
import { freePort } from '../support/free-port.ts';

const clientSecret = 'client-secret-of-the-team-0123456789';
const people: Readonly<Record<string, object>> = {
  vera: { groups: ['readers'] },
  otto: { groups: ['readers', 'desk'] },
  ann: { email: 'ann@example.com', email_verified: true },
  eve: { email: 'ann@example.com', email_verified: false, groups: ['guests'] },
};

let browser: Browser;
let issuer: Server;
let team: { readonly url: string };
let port: number;
let otherPort: number;
let issuerUrl: string;

beforeAll(async () => {
  browser = await launchBrowser();
  port = await freePort();
  otherPort = await freePort();
  const issuerPort = await freePort();
  // Another site than the server's, so that cookies behave as they do between companies.
  issuerUrl = `http://localhost:${issuerPort}`;
  issuer = startIssuer(issuerPort, `https://127.0.0.1:${port}`, `https://127.0.0.1:${otherPort}`);
  await once(issuer, 'listening');
});

beforeEach(async () => {
  team = await startTeam(port); // ends with the test
});

afterAll(async () => {
  issuer.closeAllConnections();
  issuer.close();
  await browser.close();
});

function startIssuer(port: number, ...urls: readonly string[]): Server {
  const client = {
    client_secret: clientSecret,
    redirect_uris: urls.map((url) => `${url}/api/v1/sign-in/return`),
    post_logout_redirect_uris: urls.map((url) => `${url}/`),
  };
  const provider = new Provider(issuerUrl, {
    clients: [
      { client_id: 'deskhand', ...client },
      { client_id: 'other', ...client },
    ],
    scopes: ['openid', 'email', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    cookies: { keys: ['a key of the test'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
  });
  return provider.listen(port, '127.0.0.1');
}

/** @param more settings of `auth` */
async function startTeam(on: number, more = ''): Promise<typeof team> {
  const folder = mkdtempSync(join(tmpdir(), 'team-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '2',
    ].concat(['-subj', '/CN=127.0.0.1', '-keyout', key, '-out', cert]),
    { stdio: 'ignore' },
  );
  writeFileSync(
    join(folder, 'deskhand.yaml'),
    `serve:
  hosts: ['127.0.0.1:${on}']
  tls: { cert: cert.pem, key: key.pem }
  auth:
    issuer: ${issuerUrl}
    client-id: deskhand
    client-secret: { env: TEAM_SECRET }
    scopes: [email, groups]
    roles: { viewer: [readers], operator: [desk], approver: [ann@example.com] }
    ${more}
`,
  );
  const child = begin(['serve', '--listen', `127.0.0.1:${on}`], {
    cwd: folder,
    env: { TEAM_SECRET: clientSecret },
  });
  let text = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      text += chunk.toString();
      if (text.includes('Ctrl-C')) resolve();
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new Error(text)));
  });
  return { url: `https://127.0.0.1:${on}` };
}

const newContext = (): Promise<BrowserContext> => browser.newContext({ ignoreHTTPSErrors: true });

/** Complaints of the browser about pages of the server, violations of their policy among them. */
function complaintsOf(page: Page): string[] {
  const heard: string[] = [];
  page.on('console', (message) => {
    if (message.location().url.startsWith(team.url) && !message.text().includes(' 401 '))
      heard.push(message.text());
  });
  page.on('pageerror', (error) => heard.push(error.message));
  return heard;
}

/** @returns the address that the issuer sent the browser back to */
async function signIn(page: Page, name: string): Promise<string> {
  let returned = '';
  page.on('request', (request) => {
    if (request.url().includes('/sign-in/return?')) returned = request.url();
  });
  await page.goto(`${team.url}/?state=done`);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await identify(page, name);
  return returned;
}

/** On the pages of the issuer. */
async function identify(page: Page, name: string): Promise<void> {
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: /continue/i }).click(); // its consent
  await page.waitForURL((url) => url.origin === team.url);
}

describe('a person signs in, reads what their role allows, and signs out', () => {
  test.each([
    ['vera', 'subject vera · viewer'],
    ['otto', 'subject otto · operator'],
    ['ann', 'ann@example.com · approver'],
  ])('%s', async (name, shown) => {
    const context = await newContext();
    const page = await context.newPage();
    const complaints = complaintsOf(page);
    await signIn(page, name);
    await page.getByText(shown).waitFor();
    expect(page.url()).toBe(`${team.url}/?state=done`);
    await page.reload(); // the session is a cookie of the browser, not of the page
    await page.getByText(shown).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: /yes/i }).click(); // of the issuer
    await page.getByText('You are not signed in.').waitFor();
    expect((await context.request.get(`${team.url}/api/v1/about`)).status()).toBe(401);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('eve, whose address is not verified, sees that she has no role', async () => {
    const context = await newContext();
    const page = await context.newPage();
    await signIn(page, 'eve');
    await page.getByText('Subject eve has no role on this server.').waitFor();
    await page.getByText('the groups guests').waitFor();
    expect((await context.request.get(`${team.url}/api/v1/about`)).status()).toBe(401);
    await page.getByRole('link', { name: 'Sign in as another person' }).click();
    await page.locator('input[name=login]').waitFor();
    await context.close();
  });
});

test('the way back works once, and only in the browser that began', async () => {
  const [context, other] = [await newContext(), await newContext()];
  const page = await context.newPage();
  const back = await signIn(page, 'ann');
  await page.getByText('ann@example.com').waitFor();
  for (const each of [context, other]) {
    const response = await each.request.get(back, { maxRedirects: 0 });
    expect(response.status()).toBe(403);
  }
  // In a browser that began a sign-in of its own: the state and the nonce are of another one.
  await other.request.get(`${team.url}/api/v1/sign-in`, { maxRedirects: 0 });
  const response = await other.request.get(back, { maxRedirects: 0 });
  expect(response.status()).toBe(502);
  expect((await other.request.get(`${team.url}/api/v1/about`)).status()).toBe(401);
  await Promise.all([context.close(), other.close()]);
});

test('a code for another client of the issuer is refused', async () => {
  const context = await newContext();
  const page = await context.newPage();
  const begun = await context.request.get(`${team.url}/api/v1/sign-in`, { maxRedirects: 0 });
  const url = begun.headers()['location'] ?? '';
  await page.goto(url.replace('client_id=deskhand', 'client_id=other'));
  await identify(page, 'ann');
  await page.getByText('The sign-in failed.').waitFor();
  expect((await context.request.get(`${team.url}/api/v1/about`)).status()).toBe(401);
  await context.close();
});

test('a session that expired shows the page to sign in', async () => {
  team = await startTeam(otherPort, 'expires: 2s');
  const context = await newContext();
  const page = await context.newPage();
  await signIn(page, 'vera');
  await page.getByText('subject vera').waitFor();
  const about = async (): Promise<number> =>
    (await context.request.get(`${team.url}/api/v1/about`)).status();
  await expect.poll(about).toBe(401);
  await page.reload();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  await context.close();
});

test('the pages before and after a sign-in have no fault on any screen', async () => {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, bypassCSP: true }); // for axe
  const page = await context.newPage();
  const looked = async (text: string, status?: number): Promise<readonly unknown[]> => {
    await page.getByText(text).first().waitFor();
    if (status !== undefined) expect(statuses.at(-1)).toBe(status);
    return faultsOnScreens(page, text);
  };
  const statuses: number[] = [];
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) statuses.push(response.status());
  });
  const found: unknown[] = [];
  await page.goto(team.url);
  found.push(...(await looked('You are not signed in.', 200)));

  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByRole('link', { name: /cancel/i }).click(); // of the issuer
  found.push(...(await looked('Sign-in declined', 403)));
  await page.getByRole('link', { name: 'Try again' }).click();
  await identify(page, 'eve');
  found.push(...(await looked('Subject eve has no role on this server.', 403)));

  const begun = await context.request.get(`${team.url}/api/v1/sign-in`, { maxRedirects: 0 });
  await page.goto(
    (begun.headers()['location'] ?? '').replace('client_id=deskhand', 'client_id=other'),
  );
  await page.getByRole('button', { name: /continue/i }).click(); // eve is signed in there
  found.push(...(await looked('The sign-in failed.', 502)));
  expect(found).toEqual([]);
  await context.close();
});
