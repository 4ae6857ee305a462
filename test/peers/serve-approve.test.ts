/** Approve and decline on the page of `serve`, with the virtual authenticator of Chromium. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BrowserContext, type CDPSession, type Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { begin, deskhand, folderWith, type Ended } from '../cli/deskhand.ts';
import { ladder, resting } from '../cli/ladder.ts';
import { browser } from './open-browser.ts';
import { serving, type Serving } from './serving.ts';
import { commitByAnnForPipeline } from '../support/repository.ts';

interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly session: CDPSession;
  readonly authenticator: string;
}

/** A browser with an authenticator in it. */
async function person(options: object = {}): Promise<Person> {
  const context = await browser.newContext({ ...options, bypassCSP: true });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { context, page, session, authenticator: authenticatorId };
}

interface Repository {
  readonly cwd: string;
  readonly at: (...words: string[]) => Promise<Ended>;
  /** Makes a plan. @returns its id */
  readonly plan: () => Promise<string>;
}

/** Ann wrote the playbook; another person must approve. */
function repository(): Repository {
  const cwd = folderWith({
    'ladder.yaml': ladder,
    'deskhand.yaml':
      'profiles: { main: { approve: { by: other, signers: ./allowed_signers, passkeys: ./passkeys.json } } }\n',
    allowed_signers: '',
    'passkeys.json': '[]\n',
  });
  commitByAnnForPipeline(cwd);
  const at = (...words: string[]): Promise<Ended> => deskhand(words, { cwd });
  return {
    cwd,
    at,
    plan: async () => {
      const { stdout } = await at('plan', 'ladder.yaml', '-o', 'json');
      return (JSON.parse(stdout) as { id: string }).id;
    },
  };
}

/** Opens the link, which works once. */
async function signedIn(page: Page, desk: Serving): Promise<void> {
  await page.goto(desk.link);
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
}

/** Makes a passkey on the page and commits its line. */
async function enrolled({ page }: Person, desk: Serving, cwd: string, who: string): Promise<void> {
  await page.goto(`${desk.url}/passkeys`);
  await page.getByLabel('Your address').fill(who);
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  const line = await page.getByLabel('Line for passkeys.json').textContent();
  const file = join(cwd, 'passkeys.json');
  const entries = JSON.parse(readFileSync(file, 'utf8')) as unknown[];
  writeFileSync(file, JSON.stringify([...entries, JSON.parse(line ?? '')]));
}

const open = async ({ page }: Person, desk: Serving, plan: string): Promise<void> => {
  await page.goto(`${desk.url}/plans/${plan}`);
  await page.getByRole('heading', { name: 'ladder' }).waitFor();
};

test('on a telephone a plan is approved and declined at the lower edge of the screen', async () => {
  const { cwd, plan } = repository();
  const [first, second] = [await plan(), await plan()];
  const desk = await serving(cwd);
  const ben = await person({ viewport: { width: 360, height: 740 } });
  const { page } = ben;
  await signedIn(page, desk);
  await enrolled(ben, desk, cwd, 'ben@desk.example');
  const press = async (id: string, name: RegExp | string): Promise<void> => {
    await page.goto(`${desk.url}/plans/${id}`);
    const button = page.getByRole('button', { name });
    await button.waitFor();
    for (const place of [100_000, 0]) {
      await page.evaluate((to) => scrollTo(0, to), place);
      const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
      expect(height).toBeGreaterThanOrEqual(44);
      expect([y > 740 / 2, y + height <= 740]).toEqual([true, true]);
    }
    await button.click();
  };
  await press(first, /^Approve 3 orders, /);
  await page.getByText('approved by ben@desk.example', { exact: false }).waitFor();
  await press(second, 'Decline');
  await page.getByText('declined by ben@desk.example', { exact: false }).waitFor();
  await ben.context.close();
  await desk.end();
});

test('a plan is approved with a passkey, and its run needs no server', async () => {
  const { cwd, at, plan } = repository();
  const id = await plan();
  const desk = await serving(cwd);
  expect(desk.url).toMatch(/^http:\/\/localhost:/);
  const ben = await person();
  const { page } = ben;
  await signedIn(page, desk);
  await enrolled(ben, desk, cwd, 'ben@desk.example');

  await page.goto(`${desk.url}/plans`);
  await page.getByText('waits for approval').waitFor();
  await page.getByRole('link', { name: 'ladder' }).click();
  await page.getByText('BTCUSDT open long 0.010 @ 40,000.0', { exact: false }).waitFor();
  await page.getByLabel('Comment').fill('looks right');
  await page.getByRole('button', { name: /^Approve 3 orders, / }).click();
  await page.getByText('approved by ben@desk.example', { exact: false }).waitFor();
  await page.getByText('approved', { exact: true }).waitFor();

  const folder = join(cwd, '.deskhand', 'approvals');
  const [file = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, file), 'utf8')).toContain('-----BEGIN PASSKEY ASSERTION-----');
  await desk.end();
  const run = await at('run', id, '-o', 'ndjson');
  expect([run.code, await resting(cwd)]).toEqual([0, 3]);
  const [started = ''] = run.stdout.split('\n');
  expect(JSON.parse(started).approvals).toEqual([
    {
      who: 'ben@desk.example',
      key: expect.stringMatching(/^passkey SHA256:/),
      at: expect.any(Number),
    },
  ]);
  await ben.context.close();
});

test('a plan is declined with a passkey, and cannot run', async () => {
  const { cwd, at, plan } = repository();
  const id = await plan();
  const desk = await serving(cwd);
  const ann = await person();
  await signedIn(ann.page, desk);
  await enrolled(ann, desk, cwd, 'ann@desk.example');
  await open(ann, desk, id);
  await ann.page.getByRole('button', { name: /^Approve/ }).click();
  await ann.page.getByText('ann@desk.example wrote it', { exact: false }).waitFor();
  await ann.page.getByLabel('Comment').fill('too near');
  await ann.page.getByRole('button', { name: 'Decline' }).click();
  await ann.page.getByText('declined by ann@desk.example', { exact: false }).waitFor();
  await desk.end();
  const { code, stderr } = await at('run', id);
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining('was declined by ann@desk.example: too near'),
  ]);
  await ann.context.close();
});

test('what was signed is of no use for anything else', async () => {
  const { cwd, at, plan } = repository();
  const [id, next] = [await plan(), await plan()];
  const desk = await serving(cwd);
  const ben = await person();
  const { page } = ben;
  await signedIn(page, desk);
  await enrolled(ben, desk, cwd, 'ben@desk.example');
  await open(ben, desk, id);
  const sent = page.waitForRequest((request) => request.method() === 'POST');
  await page.getByRole('button', { name: /^Approve/ }).click();
  const body = (await sent).postDataJSON() as {
    record: string;
    assertion: Record<string, string>;
  };
  await page.getByText('approved by ben@desk.example', { exact: false }).waitFor();

  const submit = (plan_: string, changed: object): Promise<{ status: number; text: string }> =>
    page.evaluate(
      async ([path, text]) => {
        const answer = await fetch(path ?? '', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: text ?? null,
        });
        return { status: answer.status, text: await answer.text() };
      },
      [`/api/v1/plans/${plan_}/decision`, JSON.stringify({ ...body, ...changed })],
    );
  const folder = join(cwd, '.deskhand', 'approvals');
  expect(await submit(id, {})).toMatchObject({ status: 200 }); // the same record again
  expect(readdirSync(folder)).toHaveLength(1);
  expect(await submit(next, {})).toMatchObject({
    status: 409,
    text: expect.stringContaining('is about plan'),
  });
  const more = body.record.replace('"expiresAt": ', '"expiresAt": 9');
  expect(await submit(id, { record: more })).toMatchObject({
    status: 409,
    text: expect.stringContaining('challenge is not the digest'),
  });
  const signature = `${body.assertion['signature']?.slice(0, -4)}AAAA`;
  expect(await submit(id, { assertion: { ...body.assertion, signature } })).toMatchObject({
    status: 409,
  });
  expect(readdirSync(folder)).toHaveLength(1);
  expect((await at('run', next)).code).toBe(5);

  // A person who was not verified, and one whose key is not listed any more.
  await ben.session.send('WebAuthn.setUserVerified', {
    authenticatorId: ben.authenticator,
    isUserVerified: false,
  });
  await open(ben, desk, next);
  await page.getByRole('button', { name: /^Approve/ }).click();
  await page.getByText('nothing was signed', { exact: false }).waitFor();
  writeFileSync(join(cwd, 'passkeys.json'), '[]');
  const { code, stderr } = await at('run', id);
  expect([code, stderr]).toEqual([5, expect.stringContaining('an unknown passkey')]);
  await desk.end();
  await ben.context.close();
});

test('a plan whose file was changed is refused on its page', async () => {
  const { cwd, plan } = repository();
  const id = await plan();
  const file = join(cwd, '.deskhand', 'plans', `${id}.json`);
  writeFileSync(file, readFileSync(file, 'utf8').replace('40000.0', '60000.0'));
  const desk = await serving(cwd);
  const { page, context } = await person();
  await signedIn(page, desk);
  await page.goto(`${desk.url}/plans/${id}`);
  await page.getByRole('alert').waitFor();
  expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  await desk.end();
  await context.close();
});

test('without passkeys the page shows the command', async () => {
  const { cwd, plan } = repository();
  const id = await plan();
  const desk = await serving(cwd);
  const { page, context } = await person();
  await signedIn(page, desk);
  await page.goto(`${desk.url}/plans/${id}`);
  await page.getByText(`deskhand approve ${id}`).waitFor();
  expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0);
  await desk.end();
  await context.close();
});

test('--enroll prints the line of a passkey, writes nothing, and ends', async () => {
  const { cwd } = repository();
  const child = begin(['approve', '--enroll', '--port', '0'], { cwd });
  const ended = once(child, 'exit');
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const link = await new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
      const [, found] = /open (\S+)\n/.exec(err) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  expect(link).toMatch(/^http:\/\/localhost:\d+\/passkeys#token=/);
  const { page, context } = await person();
  await page.goto(link);
  await page.getByLabel('Your address').fill('ben@desk.example');
  await page.getByRole('button', { name: 'Make a passkey' }).click();
  await page.getByLabel('Line for passkeys.json').waitFor();
  expect((await ended)[0]).toBe(0);
  expect(JSON.parse(out)).toMatchObject({
    who: 'ben@desk.example',
    alg: 'ES256',
    rpId: 'localhost',
    origins: [new URL(link).origin],
  });
  expect(readFileSync(join(cwd, 'passkeys.json'), 'utf8')).toBe('[]\n');
  expect(existsSync(join(cwd, '.deskhand', 'approvals'))).toBe(false);
  await context.close();
});
