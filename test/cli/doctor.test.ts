/** Findings of `doctor`, and the fixes it suggests. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import { sha256 } from '../../src/base/json.ts';
import { run as doctor } from '../../src/cli/commands/doctor.ts';
import { run as plan } from '../../src/cli/commands/plan.ts';
import { guards as rulesOf } from '../../src/app/config/profile-guards.ts';
import { guards } from '../../src/app/doctor/account-checks.ts';
import type { Finding } from '../../src/app/doctor/finding.ts';
import { lockName } from '../../src/engine/journal/lock.ts';
import { createRun } from '../../src/engine/journal/runs.ts';
import type { Visibility } from '../../src/engine/journal/visible.ts';
import { numberGuardList } from '../../src/language/number-guards.ts';
import { noGuard } from '../../src/base/lock/guard.ts';
import { thisKernel } from '../../src/base/lock/kernel.ts';
import { started } from '../support/desk-setup.ts';
import { listedOn } from '../support/listed.ts';
import { at, type Where } from './at.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { files } from './ladder.ts';
import { startSandbox } from './sandbox.ts';

const now = '2026-11-20T04:00:00Z';

interface Diagnosis {
  readonly code: number;
  readonly findings: readonly Finding[];
}

async function diagnose(
  where: Where,
  flags: Readonly<Record<string, boolean>> = {},
): Promise<Diagnosis> {
  const { code, out } = await at(now, where, doctor, { words: [], flags, output: 'json' });
  return { code, findings: JSON.parse(out).findings };
}

const about = ({ findings }: Diagnosis, what: string): readonly Finding[] =>
  findings.filter((finding) => finding.what === what);

describe('doctor', () => {
  test('reports a working sandbox, and that only a write shows some permissions', async () => {
    const found = await diagnose({ folder: folderWith() });
    expect(found.code).toBe(0);
    expect(found.findings.filter(({ status }) => status === 'failure')).toEqual([]);
    expect(about(found, 'account family')).toMatchObject([{ status: 'ok' }]);
    expect(about(found, 'position mode')).toMatchObject([
      { message: expect.stringMatching(/^hedge_mode/) },
    ]);
    expect(about(found, 'permissions').at(-1)).toMatchObject({ status: 'unknown' });
  });

  test('checks the accounts of items, and says which playbook computes one', async () => {
    const read = 'uses: order/list-open, with: { category: USDT-FUTURES }';
    const item = "key: '{{ each.key }}'";
    const folder = folderWith({
      'deskhand.yaml': 'profiles: { a: { target: sandbox }, b: { target: sandbox } }\n',
      'matrix.yaml': `playbook: 1\nname: matrix\naccount: a\nsteps:\n  - { id: s, for-each: { matrix: { desk: [a, b], n: [1, 2] } }, ${item}, account: '{{ each.value.desk }}', ${read} }\n`,
      'wrong.yaml': `playbook: 1\nname: wrong\naccount: a\nsteps:\n  - { id: s, for-each: [a, c], ${item}, account: '{{ each.value }}', ${read} }\n`,
      'asked.yaml': `playbook: 1\nname: asked\naccount: a\ninputs: { desk: { type: string } }\nsteps:\n  - { id: s, account: '{{ inputs.desk }}', ${read} }\n`,
    });
    const validated = await deskhand(['validate', 'matrix.yaml', 'wrong.yaml'], { cwd: folder });
    expect([validated.code, validated.stdout + validated.stderr]).toEqual([
      3,
      expect.stringContaining('error[PB422] unknown profile "c" in deskhand.yaml'),
    ]);
    const ended = await deskhand(['doctor', '--offline', '-o', 'json'], { cwd: folder });
    const { findings } = JSON.parse(ended.stdout) as { findings: Finding[] };
    const saying = (what: string): readonly string[] =>
      findings.filter((each) => each.what === what).map(({ message }) => message);
    expect(saying('profile')).toEqual([
      expect.stringMatching(/^a, used by .*matrix\.yaml/),
      'b, used by matrix.yaml',
      'unknown profile c, used by wrong.yaml',
    ]);
    expect(saying('profiles')).toEqual([
      'asked.yaml computes an account: check its profile with -p NAME',
    ]);
  });

  test('names a few of many profiles, checks each, and tells how far it is', async () => {
    const names = Array.from({ length: 60 }, (_, at) => `p${at}`);
    const steps = names.map(
      (name) =>
        `  - { id: of-${name}, account: ${name}, uses: market/list-tickers, with: { category: SPOT } }`,
    );
    const profiles = names.map((name) => `  ${name}: { target: sandbox }`).join('\n');
    const folder = folderWith({
      'deskhand.yaml': `profiles:\n${profiles}\n`,
      'all.yaml': `playbook: 1\nname: all\nsteps:\n${steps.join('\n')}\n`,
    });
    const ended = await deskhand(['doctor', '--offline', '-o', 'json'], { cwd: folder });
    const { findings } = JSON.parse(ended.stdout) as { findings: Finding[] };
    const [said] = findings.filter(({ what }) => what === 'configuration');
    expect(said?.message).toMatch(/p6 \(sandbox\) and 53 more$/);
    const checked = findings.filter(({ what }) => what === 'profile').map(({ profile }) => profile);
    expect(checked.slice(1)).toEqual(names);
    expect(ended.stderr).toContain('50 of 61 profiles are checked');
  });

  test('names the invalid field of a configuration', async () => {
    const folder = folderWith({ 'deskhand.yaml': 'profils: {}\n' });
    const found = await diagnose({ folder, config: join(folder, 'deskhand.yaml') });
    expect(found.code).toBe(3);
    expect(about(found, 'configuration')).toMatchObject([
      {
        status: 'failure',
        message: expect.stringContaining('profils is not known'),
        fix: 'did you mean profile?',
      },
    ]);
  });

  test('checks the profiles that the playbooks use', async () => {
    const steps = 'steps:\n  - uses: market/list-discount-rates\n';
    const folder = folderWith({
      'deskhand.yaml': 'profiles: { main: { target: sandbox }, unused: { target: sandbox } }\n',
      'playbooks/a.yaml': `playbook: 1\nname: a\naccount: main\n${steps}`,
      'playbooks/b.yaml': `playbook: 1\nname: b\naccount: mian\n${steps}`,
    });
    const found = await diagnose({ folder, config: join(folder, 'deskhand.yaml') });
    expect(about(found, 'profile')).toEqual([
      { what: 'profile', status: 'ok', message: 'main, used by playbooks/a.yaml', profile: 'main' },
      {
        what: 'profile',
        status: 'failure',
        message: 'unknown profile mian, used by playbooks/b.yaml',
        fix: 'did you mean main?',
        exit: 3,
        profile: 'mian',
      },
    ]);
    const config = join(folder, 'deskhand.yaml');
    expect(about(found, 'configuration')).toMatchObject([
      { status: 'ok', message: `${config}; profile main (sandbox)` },
    ]);
    expect(found.code).toBe(3);
    expect(about(found, 'key').map(({ profile }) => profile)).toEqual(['main']);
  });

  test('lists skipped checks with --offline and makes no request', async () => {
    const found = await diagnose(await live({}), { offline: true });
    expect(about(found, 'exchange')).toMatchObject([{ status: 'unknown' }]);
    expect(found.code).toBe(0);
  });
});

/** A profile that is live, and whose exchange is its own sandbox. */
async function live(change: Readonly<Record<string, string>>): Promise<Where> {
  const sandbox = await startSandbox();
  const { DESKHAND_BASE_URL: _url, ...env } = sandbox.env('hedge');
  const config = `profile: main\nprofiles: { main: { target: live, base-url: "${sandbox.baseUrl}" } }\n`;
  const folder = folderWith({ 'deskhand.yaml': config });
  return { folder, config: join(folder, 'deskhand.yaml'), env: { ...env, ...change } };
}

describe('doctor on a live profile', () => {
  test.each([
    ['classic', 'unified'],
    ['unified', 'classic'],
  ])('proposes the family of a %s key, and finds a wrong one', async (family, other) => {
    const sandbox = await startSandbox();
    const post = async (path: string, body: unknown): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const sent = await fetch(`${sandbox.controlUrl}/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(await sent.text()).not.toContain('error');
    };
    await post('config', { quirks: { splitFamilies: true } });
    const { accounts } = JSON.parse(readFileSync(sandbox.readyFile, 'utf8'));
    const key = {
      apiKey: 'key-of-a-family',
      secretKey: 'secret-of-a-family',
      passphrase: 'phrase-of-a-family',
    };
    const permissions = ['account-read', 'account-write', 'trade-read', 'trade-write', 'agent'];
    await post('keys', { uid: accounts.hedge.uid, ...key, permissions, family });
    const env = {
      DESKHAND_API_KEY: key.apiKey,
      DESKHAND_API_SECRET: key.secretKey,
      DESKHAND_API_PASSPHRASE: key.passphrase,
    };
    const said = async (set: string): Promise<readonly Finding[]> => {
      const profile = `{ target: live, base-url: "${sandbox.baseUrl}"${set} }`;
      const folder = folderWith({
        'deskhand.yaml': `profile: main\nprofiles: { main: ${profile} }\n`,
      });
      const found = await diagnose({ folder, config: join(folder, 'deskhand.yaml'), env });
      expect(about(found, 'position mode')).toMatchObject(
        set.includes(other) ? [{ status: 'unknown' }] : [{ status: 'ok' }],
      );
      return about(found, 'account family');
    };
    expect(await said('')).toMatchObject([
      {
        status: 'warning',
        message: expect.stringContaining(`${family}: operations of ${other} accounts refuse`),
        fix: expect.stringContaining(`set profiles.main.family: ${family}`),
      },
    ]);
    expect(await said(`, family: ${family}`)).toMatchObject([{ status: 'ok' }]);
    expect(await said(`, family: ${other}`)).toMatchObject([
      { status: 'failure', exit: 4, fix: `set profiles.main.family: ${family}` },
    ]);
  });

  test('reports the clock offset', async () => {
    const found = await diagnose(await live({})); // it uses the machine’s clock, the test a fixed one
    expect(about(found, 'clock')).toMatchObject([{ status: 'failure', exit: 4 }]);
    expect(found.code).toBe(4);
  });

  test('distinguishes a missing key from a wrong one', async () => {
    const missing = await diagnose(await live({ DESKHAND_API_SECRET: '' }));
    expect(about(missing, 'key')).toMatchObject([
      { status: 'failure', message: 'profile main: DESKHAND_API_SECRET is not set', exit: 4 },
    ]);
    const wrong = await diagnose(await live({ DESKHAND_API_SECRET: 'f'.repeat(32) }));
    expect(about(wrong, 'key')).toMatchObject([
      { status: 'failure', message: expect.stringContaining('40009'), exit: 4 },
    ]);
    expect(JSON.stringify(wrong)).not.toContain('f'.repeat(32));
  });

  test('warns if no guard is in force', async () => {
    const [none] = about(await diagnose(await live({})), 'guards');
    expect(none).toMatchObject({ status: 'warning' });
    const keys = [...numberGuardList.map(({ profileKey }) => profileKey), 'symbols'];
    for (const key of none?.fix?.split('guards: ')[1]?.split(', ') ?? ['none']) {
      expect(keys).toContain(key);
    }
  });
});

test('guards in force have the keys of the configuration', () => {
  const given = { writes: 5, order: 100, symbols: ['BTCUSDT'], doubts: 'block' };
  const rules = rulesOf.read(given, { file: 'deskhand.yaml', path: 'profiles.main.guards' });
  const { message } = guards({ name: 'main', target: 'live', guards: rules });
  expect(message).toBe('in force on main: writes, order and symbols');
});

describe('doctor about the assumptions', () => {
  /** Writes the journal of a run that learned this about the account's lists. */
  async function after(orders: Visibility['orders'] | undefined): Promise<Where> {
    const where = await live({});
    const key = sha256(where.env?.['DESKHAND_API_KEY'] ?? '').slice(0, 8);
    const host = /127\.0\.0\.1:\d+/.exec(readFileSync(where.config ?? '', 'utf8'))?.[0] ?? '';
    const destination = { profile: 'main', target: 'live', host, keyFingerprint: key } as const;
    const clock = standingClock(Date.parse(now));
    const header = { run: 'r-1', playbook: 'desk-setup', destination, program: 'test' };
    const state = join(where.folder, 'state');
    const journal = await createRun(state, { ...header, createdAt: clock.now() }, clock);
    await journal.append(started('r-1', destination));
    for (const known of orders === undefined ? [] : listedOn(destination).values()) {
      await journal.append({ kind: 'visibility', ...known, orders: orders ?? 'unknown' });
    }
    await journal.close();
    return where;
  }

  const restsOn = async (where: Where): Promise<readonly Finding[]> =>
    about(await diagnose(where), 'assumes');

  test('reports that a sandbox satisfies them', async () => {
    const found = await restsOn({ folder: folderWith() });
    expect(found.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  test.each([
    [undefined, { status: 'unknown', message: expect.stringContaining('was looked up yet') }],
    [
      'listed',
      {
        status: 'ok',
        message: expect.stringContaining('(order 1, USDT-FUTURES) of run r-earlier'),
      },
    ],
    [
      'unlisted',
      { status: 'warning', fix: expect.stringContaining('this ends when one is found') },
    ],
  ] as const)('reports lists that are %s', async (orders, last) => {
    const found = await restsOn(await after(orders));
    expect(found[0]?.message).toMatch(
      /^A1: a request signed more than 30 s ago .* the exchange\)$/,
    );
    expect(found[3]).toMatchObject(last);
  });

  test('a plan that places orders has the same warning, also with an account-id', async () => {
    const where = await after('unlisted');
    const config = where.config ?? '';
    writeFileSync(
      config,
      readFileSync(config, 'utf8').replace('main: {', 'main: { account-id: 7, '),
    );
    writeFileSync(join(where.folder, 'ladder.yaml'), files['ladder.yaml']);
    const file = join(where.folder, 'ladder.yaml');
    const { code, out } = await at(now, where, plan, { words: [file] });
    expect([code, out]).toEqual([0, expect.stringContaining('! the lists of main do not show')]);
    const json = await at(now, where, plan, { words: [file], output: 'json' });
    expect(JSON.parse(json.out)).toMatchObject({ unlisted: ['main'] });
    const markdown = await at(now, where, plan, { words: [file], output: 'markdown' });
    expect(markdown.out).toContain('**! the lists of main do not show');
  });
});

test('doctor distinguishes locks of running, ended, unknown and damaged holders', async () => {
  const folder = folderWith();
  const state = join(folder, 'state');
  const kernel = thisKernel();
  const ended = { ...kernel, pid: 4_194_305 };
  const without = { guard: noGuard };
  const live = await lockName(state, 'a', 'r-1');
  await lockName(state, 'b', 'r-2', { ...without, kernel: ended });
  await lockName(state, 'c', 'r-3', { ...without, kernel: { ...ended, namespace: 'pid:[1]' } });
  writeFileSync(join(state, 'locks', 'd.lock'), '{');
  const found = about(await diagnose({ folder }), 'locks');
  expect(found).toMatchObject([
    { status: 'ok', message: expect.stringMatching(/^a: r-1 \(process \d+ on .+\) is running$/) },
    {
      status: 'ok',
      message: expect.stringMatching(/^b: r-2 .+ has ended; its 1 lock blocks nothing$/),
    },
    {
      status: 'warning',
      message: expect.stringMatching(/^c: r-3 .+ may be running: it is in another container$/),
      fix: 'if it is gone permanently: deskhand runs unlock c --comment "…"',
    },
    { status: 'failure', fix: expect.stringContaining(`rm ${join(state, 'locks', 'd.lock')}`) },
  ]);
  await live.release();
});

test('an unreachable exchange is one finding, in the built program too', async () => {
  const config =
    'profile: main\nprofiles: { main: { target: live, base-url: "http://127.0.0.1:9" } }\n';
  const env = {
    DESKHAND_API_KEY: 'a-key-of-nobody',
    DESKHAND_API_SECRET: 'a-secret-of-nobody',
    DESKHAND_API_PASSPHRASE: 'a-phrase-of-nobody',
  };
  const { code, stdout, stderr } = await deskhand(['doctor'], {
    cwd: folderWith({ 'deskhand.yaml': config }),
    env,
  });
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('ECONNREFUSED');
});
