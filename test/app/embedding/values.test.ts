/** Playbooks, configurations and keys that a program gives by value: a service needs no files. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { plan, resume, run, validate, type AccountKey } from '../../../src/index.ts';
import { ladder } from '../../cli/ladder.ts';
import { startSandbox } from '../../cli/sandbox.ts';
import { folder, pauseFirst } from './options.ts';

/** An empty folder, and no variables. */
const empty = (): { readonly cwd: string; readonly env: Readonly<Record<string, string>> } => ({
  cwd: mkdtempSync(join(tmpdir(), 'values-')),
  env: {},
});

const text = ladder.replace('account: main\n', '');

const reading = {
  playbook: 1,
  name: 'reading',
  inputs: { category: { type: 'string', default: 'SPOT' } },
  steps: [
    { id: 'tickers', uses: 'market/list-tickers', with: { category: '{{ inputs.category }}' } },
  ],
  outputs: { first: '{{ steps.tickers.response.[0].symbol }}' },
};

describe('a playbook by value', () => {
  test.each([
    ['text', text],
    ['object', reading],
  ])('is run: %s', async (_kind, playbook) => {
    const ended = await run({ playbook, ...empty() }).result;
    expect(ended).toMatchObject({ status: 'done', report: { playbook: { file: '<playbook>' } } });
  });

  test('is planned, stored, and run with the same content', async () => {
    const where = empty();
    const made = await plan({ playbook: text, ...where });
    const stored: typeof made = JSON.parse(JSON.stringify(made));
    const other = await run({ plan: stored, playbook: `${text}# else\n`, ...where }).result;
    expect(other).toMatchObject({
      status: 'refused',
      error: { code: 'stale-plan', message: expect.stringContaining('the given playbook is not') },
    });
    expect(await run({ plan: stored, ...where }).result).toMatchObject({
      status: 'refused',
      error: { message: expect.stringContaining('<playbook>, which is not in this checkout') },
    });
    const ended = await run({ plan: stored, playbook: text, ...where }).result;
    expect(ended).toMatchObject({ status: 'done', report: { plan: made.id } });
  });

  test('is resumed without it', async () => {
    const { cwd, env } = folder();
    const where = { cwd: join(cwd, '.'), env };
    const going = run({ playbook: pauseFirst.replace('account: main\n', ''), ...where });
    for await (const event of going) if (event.kind === 'opened' && event.step === 'pause') break;
    const first = await going.result;
    expect(first).toMatchObject({ status: 'interrupted' });
    const again = resume({
      run: first.status === 'interrupted' ? (first.run ?? '') : '',
      ...where,
    });
    for await (const event of again) if (event.kind === 'opened' && event.step === 'pause') break;
    expect(await again.result).toMatchObject({ status: 'interrupted' });
  });

  test('is validated, with the places of its problems', async () => {
    const wrong = { ...reading, steps: [{ id: 'a', uses: 'market/list-ticker' }] };
    const found = await validate({ playbooks: [wrong, text, reading], ...empty() });
    expect(found.isValid).toBe(false);
    const places = found.files.map(({ file, problems }) => [
      file,
      problems.map(({ code }) => code),
    ]);
    expect(places[0]).toEqual(['<playbook 1>', expect.arrayContaining(['PB201'])]);
    expect(places.slice(1).flatMap(([, codes]) => codes)).toEqual([]);
  });

  test('that JSON does not have is refused', async () => {
    const playbook = { ...reading, steps: new Map() };
    await expect(plan({ playbook, ...empty() })).rejects.toMatchObject({
      code: 'usage',
      message: 'the option playbook is not JSON',
    });
  });
});

describe('a configuration by value', () => {
  test.each([
    ['object', { profiles: { main: { guards: { writes: 1 } } } }],
    ['text', 'profiles:\n  main: { guards: { writes: 1 } }\n'],
  ])('has the same guards: %s', async (_kind, config) => {
    const options = { playbook: ladder, config, ...empty() };
    const ended = await run(options).result;
    expect(ended).toMatchObject({ status: 'refused', error: { code: 'guard' } });
  });

  test('replaces the file of the folder, and names its problems', async () => {
    const where = empty();
    writeFileSync(join(where.cwd, 'deskhand.yaml'), 'profiles: { main: {} }\n');
    const config = { profiles: { other: { traget: 'live' } } };
    await expect(plan({ playbook: text, config, ...where })).rejects.toMatchObject({
      code: 'config',
      message: expect.stringContaining('<config>'),
    });
    const named = { config: { profiles: { other: {} } }, profile: 'main' };
    await expect(plan({ playbook: text, ...named, ...where })).rejects.toMatchObject({
      message: expect.stringMatching(/unknown profile "main" in .*<config>/),
    });
    expect(readFileSync(join(where.cwd, 'deskhand.yaml'), 'utf8')).toContain('main');
  });
});

describe('keys by value', () => {
  test('of two tenants without secrets are two keys', async () => {
    const sandbox = await startSandbox();
    const keyOf = (account: 'hedge' | 'unified'): AccountKey => {
      const env = sandbox.env(account);
      return {
        apiKey: env['DESKHAND_API_KEY'] ?? '',
        secretKey: env['DESKHAND_API_SECRET'] ?? '',
        passphrase: env['DESKHAND_API_PASSPHRASE'] ?? '',
      };
    };
    const account = { target: 'sandbox', 'base-url': sandbox.baseUrl };
    const config = {
      profiles: {
        ann: { ...account, 'account-id': 'ann' },
        ben: { ...account, 'account-id': 'ben' },
      },
    };
    const options = { playbook: text, profile: 'ann', config, ...empty() };
    const two = { ann: keyOf('hedge'), ben: keyOf('unified') };
    const made = await plan({ ...options, credentials: two });
    expect(made.destination).toMatchObject({ profile: 'ann', accountId: 'ann' });
    const one = { ann: keyOf('hedge'), ben: keyOf('hedge') };
    await expect(plan({ ...options, credentials: one })).rejects.toMatchObject({
      code: 'config',
      message: 'credentials: profiles ann and ben have one key and two account-ids',
    });
    await expect(plan(options)).rejects.toMatchObject({
      message: expect.stringContaining('have one key and two account-ids'),
    });
  });
});
