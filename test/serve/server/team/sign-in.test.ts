import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hour, minute } from '../../../../src/base/clock.ts';
import { messageOf } from '../../../../src/base/error.ts';
import { roles } from '../../../../src/app/config/role.ts';
import type { Algorithms, Claims } from './issuer.ts';
import { host, people, sessionName, signInName, team, type Browser, type Team } from './team.ts';

let it: Team;
beforeEach(async () => {
  it = await team();
});
afterEach(() => it.close());

/** Who the server thinks it is, or the status of its refusal. */
async function personOf(browser: Browser): Promise<unknown> {
  const response = await browser.request('/api/v1/about');
  const data = (await response.json()) as { readonly who?: string; readonly role?: string };
  return response.status === 200 ? [data.who, data.role] : response.status;
}

const refused = [401, undefined];
const rs256: Algorithms = { alg: 'RS256' };

/** After an attempt: 401, and the session's cookie that it does not have. */
async function sessionIn(browser: Browser): Promise<unknown> {
  return [await personOf(browser), browser.cookies.get(sessionName)];
}

describe('a person of the team', () => {
  test.each(roles)('has the role of their groups or verified e-mail: %s', async (role) => {
    const browser = it.browser();
    expect(await personOf(browser)).toBe(401);
    expect((await browser.signIn(people[role])).status).toBe(302);
    const names = { viewer: 'subject v', operator: 'subject o', approver: 'ann@example.com' };
    expect(await personOf(browser)).toEqual([names[role], role]);
    expect(it.errors).toEqual([]);
  });

  test('without a role sees a page that says so, and has no session', async () => {
    const browser = it.browser();
    const response = await browser.signIn({ sub: 'x', groups: ['<b>guests</b>'] });
    const page = await response.text();
    expect(response.status).toBe(403);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(page).toContain('Subject x has no role on this server.');
    expect(page).toContain('&lt;b&gt;guests&lt;/b&gt;');
    expect(page).not.toContain('<b>guests');
    expect(await sessionIn(browser)).toEqual(refused);
  });

  test.each<readonly [string, Claims]>([
    ['an address that is not verified', { email: 'ann@example.com', email_verified: false }],
    ['an address without a statement about it', { email: 'ann@example.com' }],
    ['a statement that is text', { email: 'ann@example.com', email_verified: 'true' }],
    ['a group that looks like an address', { groups: ['ann@example.com'] }],
    ['a name that looks like a group', { name: 'desk', preferred_username: 'ann@example.com' }],
    ['groups of another form', { groups: { desk: true } }],
    ['a group with another case', { groups: ['DESK'] }],
    [
      'a Kelvin sign, which looks like a K',
      { email: '\u212Aim@example.com', email_verified: true },
    ],
  ])('has no role by %s', async (_name, claims) => {
    const browser = it.browser();
    expect((await browser.signIn(claims)).status).toBe(403);
    expect(await sessionIn(browser)).toEqual(refused);
  });

  test('has the highest of several roles, by the ID token or by userinfo of the same person', async () => {
    it.issuer.userinfo = { sub: 'o', email: 'ANN@example.com', email_verified: true };
    const browser = it.browser();
    await browser.signIn(people.operator);
    expect(await personOf(browser)).toEqual(['ann@example.com', 'approver']);
    it.issuer.userinfo = { ...it.issuer.userinfo, sub: 'somebody-else' };
    expect((await it.browser().signIn(people.operator)).status).toBe(502);
  });

  test('returns to the page they wanted, never to another server', async () => {
    const wanted: Readonly<Record<string, string>> = {
      '/runs/r-1?tab=orders': '/runs/r-1?tab=orders',
      'https://evil.example/': '/',
      '//evil.example/': '/',
      '/\\evil.example/': '/',
      '/\t/evil.example/': '/',
      '/a\r\nSet-Cookie: x=1': '/aSet-Cookie:%20x=1',
      'javascript:alert(1)': '/',
    };
    for (const [to, expected] of Object.entries(wanted)) {
      const browser = it.browser(`192.0.2.${Object.keys(wanted).indexOf(to)}`);
      it.issuer.claims = people.viewer;
      const url = await browser.begin(`?to=${encodeURIComponent(to)}`);
      const response = await browser.finish(it.issuer.authorize(url));
      expect([to, response.headers.get('location')]).toEqual([to, expected]);
    }
  });

  test('can ask to sign in as another person', async () => {
    const url = new URL(await it.browser().begin('?prompt=login'));
    expect(url.searchParams.get('prompt')).toBe('login');
  });
});

describe('the ID token is refused', () => {
  test.each<readonly [string, Claims, Algorithms]>([
    ['for another audience', { aud: 'another-client' }, rs256],
    [
      'for several audiences, with another authorized party',
      { aud: ['deskhand', 'x'], azp: 'x' },
      rs256,
    ],
    ['for several audiences, without an authorized party', { aud: ['deskhand', 'x'] }, rs256],
    ['of another issuer', { iss: 'https://evil.example' }, rs256],
    ['that expired', { exp: 1 }, rs256],
    ['of the future', { nbf: 9_999_999_999 }, rs256],
    ['with the nonce of another sign-in', { nonce: 'x'.repeat(43) }, rs256],
    ['without a nonce', { nonce: undefined }, rs256],
    ['without a subject', { sub: undefined }, rs256],
    ['without a signature', {}, { alg: 'none' }],
    ['signed with the secret of the client', {}, { alg: 'HS256' }],
    ['signed with a key that the issuer does not publish', {}, { alg: 'RS256', isForeign: true }],
  ])('%s', async (_name, claims, how) => {
    it.issuer.how = how;
    const browser = it.browser();
    const response = await browser.signIn({ ...people.approver, ...claims });
    expect(response.status).toBe(502);
    expect(await sessionIn(browser)).toEqual(refused);
    expect(await response.text()).not.toMatch(/eyJ/);
    expect(it.errors.map(messageOf).join()).toMatch(/^the issuer refused the sign-in: (?!.*eyJ)/);
  });

  test('because its issuer has the metadata of another one', async () => {
    it.issuer.metadata = { issuer: 'https://evil.example' };
    expect(await it.browser().begin()).toBe('none: 502');
  });
});

describe('a way back from the issuer is refused', () => {
  test('with a state that was changed, or is of another browser', async () => {
    it.issuer.claims = people.approver;
    const [ann, eve] = [it.browser(), it.browser()];
    const annBack = it.issuer.authorize(await ann.begin());
    const eveBack = it.issuer.authorize(await eve.begin());
    // Eve's code in Ann's browser: Ann would act as Eve.
    expect((await ann.finish(eveBack)).status).toBe(502);
    expect(await sessionIn(ann)).toEqual(refused);
    // Ann's sign-in ended with this attempt, so that her code is of no use.
    expect((await ann.finish(annBack)).status).toBe(403);
    expect(it.issuer.log).toEqual([]); // no code was redeemed
  });

  test('with a stolen code: the thief has no cookie, and not the verifier', async () => {
    it.issuer.claims = people.approver;
    const [ann, thief] = [it.browser(), it.browser()];
    const back = it.issuer.authorize(await ann.begin());
    expect((await thief.finish(back)).status).toBe(403);
    const own = new URL(it.issuer.authorize(await thief.begin()));
    own.searchParams.set('code', back.searchParams.get('code') ?? '');
    expect((await thief.finish(own)).status).toBe(502);
    expect(await sessionIn(thief)).toEqual(refused);
    expect(it.issuer.log).toEqual(['refused']); // by PKCE
  });

  test('a second time', async () => {
    it.issuer.claims = people.approver;
    const browser = it.browser();
    const back = it.issuer.authorize(await browser.begin());
    const cookie = browser.cookies.get(signInName) ?? '';
    expect((await browser.finish(back)).status).toBe(302);
    browser.cookies.set(signInName, cookie);
    expect((await browser.finish(back)).status).toBe(403);
    expect(it.issuer.log).toEqual(['redeemed']);
  });

  test('two at the same time: one session begins', async () => {
    it.issuer.claims = people.approver;
    const browser = it.browser();
    const back = it.issuer.authorize(await browser.begin());
    const answers = await Promise.all([browser.finish(back), browser.finish(back)]);
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([302, 403]));
  });

  test('after ten minutes, or under another name of the server', async () => {
    it.issuer.claims = people.approver;
    const browser = it.browser();
    const late = it.issuer.authorize(await browser.begin());
    it.clock.advance(10 * minute);
    expect((await browser.finish(late)).status).toBe(403);
    const back = it.issuer.authorize(await browser.begin());
    const { status } = await browser.request(`${back.pathname}${back.search}`, {
      headers: { host: 'other.example.com' },
    });
    expect(status).toBe(403);
  });

  test.each(['&code=other', '&state=other', '&iss=https://evil.example', '&response=eyJ'])(
    'with a parameter twice, or one that was added: %s',
    async (more) => {
      it.issuer.claims = people.approver;
      const browser = it.browser();
      const back = it.issuer.authorize(await browser.begin());
      const response = await browser.request(`${back.pathname}${back.search}${more}`);
      expect(response.status).toBe(502);
      expect(await sessionIn(browser)).toEqual(refused);
    },
  );

  test('of another issuer that mixes itself in', async () => {
    it.issuer.claims = people.approver;
    const browser = it.browser();
    const back = it.issuer.authorize(await browser.begin());
    back.searchParams.set('iss', 'https://evil.example');
    expect((await browser.finish(back)).status).toBe(502);
  });

  test.each(['server_error', 'invalid_scope', '<b>access_denied', 'access_denied_'])(
    'with an error of the issuer, whose text is not shown: %s',
    async (error) => {
      const response = await returnedWith({ error, error_description: '<b>call</b> 0800' });
      expect(response.status).toBe(502);
      expect(await response.text()).not.toMatch(/0800|<b>|server_error|invalid_scope/);
      expect(it.errors).toHaveLength(1);
    },
  );
});

describe('a sign-in that was declined at the issuer', () => {
  test('has a page that says so, with links to try again, and without words of the issuer', async () => {
    const why = '<img src=x onerror=alert(1)> call 0800\nsecond line';
    const response = await returnedWith({ error: 'access_denied', error_description: why });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      403,
      expect.stringContaining('text/html'),
    ]);
    const page = await response.text();
    expect(page).toContain('<h1>Sign-in declined</h1>');
    expect(page).toContain('<a href="/api/v1/sign-in">Try again</a>');
    expect(page).toContain('<a href="/api/v1/sign-in?prompt=login">Sign in as another person</a>');
    expect(page).not.toMatch(/0800|<img|onerror|access_denied/);
    expect(it.errors.map(messageOf)).toEqual([
      expect.stringMatching(
        /^the sign-in was declined at the issuer \(access_denied\): <img [^\n]*$/,
      ),
    ]);
  });

  test('is believed only from the issuer that was asked, for the sign-in of this browser', async () => {
    const denied = { error: 'access_denied' };
    for (const more of [{ state: 'x'.repeat(43) }, { iss: 'https://evil.example' }]) {
      expect((await returnedWith({ ...denied, ...more })).status).toBe(502);
    }
    const stranger = await it.browser().request('/api/v1/sign-in/return?error=access_denied');
    expect([stranger.status, await stranger.text()]).toEqual([
      403,
      expect.stringContaining('<h1>Not signed in</h1>'),
    ]);
  });

  test('can be begun again, and begins no session before', async () => {
    it.issuer.claims = people.viewer;
    const browser = it.browser();
    await returnedWith({ error: 'access_denied' }, browser);
    expect(await sessionIn(browser)).toEqual(refused);
    await browser.finish(it.issuer.authorize(await browser.begin()));
    expect(await personOf(browser)).toEqual(['subject v', 'viewer']);
  });
});

/** A browser that begins, and returns with an error of the issuer. */
async function returnedWith(
  query: Readonly<Record<string, string>>,
  browser = it.browser(),
): Promise<Response> {
  const { searchParams } = new URL(await browser.begin());
  const state = searchParams.get('state') ?? '';
  const all = new URLSearchParams({ state, iss: it.issuer.url, ...query });
  return browser.request(`/api/v1/sign-in/return?${all.toString()}`);
}

describe('a session of the team', () => {
  test('has cookies that neither scripts, nor other sites, nor subdomains can use', async () => {
    const browser = it.browser();
    it.issuer.claims = people.viewer;
    const url = await browser.begin();
    expect(browser.set).toEqual([
      expect.stringMatching(
        /^__Host-deskhand-sign-in=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
      ),
    ]);
    await browser.finish(it.issuer.authorize(url));
    expect(browser.set).toEqual([
      '__Host-deskhand-sign-in=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0',
      expect.stringMatching(
        /^__Host-deskhand=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=43200$/,
      ),
    ]);
  });

  test('is a new one at each sign-in: a cookie that was put there, or the earlier one, is of no use', async () => {
    const browser = it.browser();
    const planted = 'p'.repeat(43);
    browser.cookies.set(sessionName, planted);
    await browser.signIn(people.viewer);
    const first = browser.cookies.get(sessionName) ?? '';
    expect(first).not.toBe(planted);
    await browser.signIn(people.approver);
    const thief = it.browser();
    for (const old of [planted, first]) {
      thief.cookies.set(sessionName, old);
      expect(await personOf(thief)).toBe(401);
    }
  });

  test('ends when the person signs out, here and at the issuer', async () => {
    const browser = it.browser();
    await browser.signIn(people.viewer);
    const thief = it.browser();
    thief.cookies.set(sessionName, browser.cookies.get(sessionName) ?? '');
    expect(await personOf(thief)).toEqual(['subject v', 'viewer']);
    const response = await browser.post('/session/end');
    const next = new URL(((await response.json()) as { next: string }).next);
    expect(next.origin + next.pathname).toBe(`${it.issuer.url}/end`);
    expect(next.searchParams.get('post_logout_redirect_uri')).toBe(`https://${host}/`);
    expect(next.searchParams.get('client_id')).toBe('deskhand');
    expect(await personOf(thief)).toBe(401);
  });

  test('ends here although the issuer does not answer', async () => {
    const browser = it.browser();
    await browser.signIn(people.viewer);
    await it.issuer.close();
    it.clock.advance(15 * minute); // the metadata is read again
    const response = await browser.post('/session/end');
    expect([response.status, await response.json()]).toEqual([200, { isDone: true }]);
    expect(await sessionIn(browser)).toEqual(refused);
  });

  test('ends an hour after its last request, and twelve hours after it began', async () => {
    const [idle, busy] = [it.browser(), it.browser()];
    await idle.signIn(people.viewer);
    await busy.signIn(people.viewer);
    for (let minutes = 0; minutes < 11 * 60 + 30; minutes += 30) {
      it.clock.advance(30 * minute);
      expect(await personOf(busy)).toEqual(['subject v', 'viewer']);
    }
    expect(await personOf(idle)).toBe(401);
    it.clock.advance(30 * minute);
    expect(await personOf(busy)).toBe(401);
    await idle.signIn(people.viewer);
    it.clock.advance(hour - 1);
    expect(await personOf(idle)).not.toBe(401);
    it.clock.advance(hour);
    expect(await personOf(idle)).toBe(401);
  });

  test('is not begun by a link', async () => {
    expect((await it.browser().post('/session', { token: 'x' })).status).toBe(404);
  });
});

describe('attempts to sign in', () => {
  test('are limited for an address, and say when the next one is allowed', async () => {
    const browser = it.browser('203.0.113.9');
    for (let n = 0; n < 20; n++) expect(await browser.begin()).toMatch(/^http/);
    const response = await browser.request('/api/v1/sign-in');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3']);
    expect(await it.browser('203.0.113.10').begin()).toMatch(/^http/);
    it.clock.advance(3_000);
    expect(await browser.begin()).toMatch(/^http/);
    expect(await browser.begin()).toBe('none: 429');
  });
});
