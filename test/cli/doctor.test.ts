/** What a doctor finds, and the mend it names. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run as doctor } from '../../src/cli/commands/doctor.ts';
import type { Finding } from '../../src/cli/doctor/finding.ts';
import { at, type Where } from './at.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { startSandbox } from './sandbox.ts';

const now = '2026-11-20T04:00:00Z';

interface Told {
  readonly code: number;
  readonly findings: readonly Finding[];
}

async function told(where: Where, flags: Readonly<Record<string, boolean>> = {}): Promise<Told> {
  const { code, out } = await at(now, where, doctor, { words: [], flags, output: 'json' });
  return { code, findings: JSON.parse(out).findings };
}

const about = ({ findings }: Told, what: string): readonly Finding[] =>
  findings.filter((finding) => finding.what === what);

describe('a doctor', () => {
  test('finds the built-in exchange well, and says what only a write would tell', async () => {
    const found = await told({ folder: folderWith() });
    expect(found.code).toBe(0);
    expect(found.findings.filter(({ status }) => status === 'failure')).toEqual([]);
    expect(about(found, 'account family')).toMatchObject([{ status: 'ok' }]);
    expect(about(found, 'position mode')).toMatchObject([
      { says: expect.stringMatching(/^hedge_mode/) },
    ]);
    expect(about(found, 'permissions').at(-1)).toMatchObject({ status: 'unknown' });
  });

  test('names the field of a configuration that is wrong', async () => {
    const folder = folderWith({ 'deskhand.yaml': 'profils: {}\n' });
    const found = await told({ folder, config: join(folder, 'deskhand.yaml') });
    expect(found.code).toBe(3);
    expect(about(found, 'configuration')).toMatchObject([
      {
        status: 'failure',
        says: expect.stringContaining('profils is not known'),
        mend: 'did you mean profile?',
      },
    ]);
  });

  test('says offline what it did not look at, and asks nobody', async () => {
    const found = await told(await live({}), { offline: true });
    expect(about(found, 'exchange')).toMatchObject([{ status: 'unknown' }]);
    expect(found.code).toBe(0);
  });
});

/** A profile that is live, and whose exchange is a sandbox of its own. */
async function live(change: Readonly<Record<string, string>>): Promise<Where> {
  const sandbox = await startSandbox();
  const { DESKHAND_BASE_URL: _url, ...env } = sandbox.env('hedge');
  const config = `profile: main\nprofiles: { main: { target: live, base-url: "${sandbox.baseUrl}" } }\n`;
  const folder = folderWith({ 'deskhand.yaml': config });
  return { folder, config: join(folder, 'deskhand.yaml'), env: { ...env, ...change } };
}

describe('on a live profile, a doctor', () => {
  test('says how far the clock is off', async () => {
    const found = await told(await live({})); // its clock is the machine’s, ours stands
    expect(about(found, 'clock')).toMatchObject([{ status: 'failure', exit: 4 }]);
    expect(found.code).toBe(4);
  });

  test('tells a missing key from a wrong one', async () => {
    const missing = await told(await live({ DESKHAND_API_SECRET: '' }));
    expect(about(missing, 'key')).toMatchObject([
      { status: 'failure', says: 'profile main: DESKHAND_API_SECRET is not set', exit: 4 },
    ]);
    const wrong = await told(await live({ DESKHAND_API_SECRET: 'f'.repeat(32) }));
    expect(about(wrong, 'key')).toMatchObject([
      { status: 'failure', says: expect.stringContaining('40009'), exit: 4 },
    ]);
    expect(JSON.stringify(wrong)).not.toContain('f'.repeat(32));
  });

  test('warns where no guard is in force', async () => {
    expect(about(await told(await live({})), 'guards')).toMatchObject([{ status: 'warning' }]);
  });
});

test('a doctor tells locks of the living, the dead and other machines apart', async () => {
  const folder = folderWith();
  const locks = join(folder, 'state', 'locks');
  mkdirSync(locks, { recursive: true });
  const owner = { run: 'r-1', pid: 1, host: hostname(), born: 'another start' };
  writeFileSync(join(locks, 'a.lock'), JSON.stringify(owner));
  writeFileSync(join(locks, 'b.lock'), JSON.stringify({ ...owner, host: 'elsewhere' }));
  writeFileSync(join(locks, 'c.lock'), '{');
  const found = about(await told({ folder }), 'locks');
  expect(found.map(({ status, says }) => [status, says.split(' ').slice(0, 2).join(' ')])).toEqual([
    ['ok', 'left by'],
    ['warning', 'held by'],
    ['failure', expect.stringContaining('c.lock says')],
  ]);
  expect(found[1]?.mend).toContain(`rm ${join(locks, 'b.lock')}`);
});

test('an exchange that cannot be reached is one finding, in the built program too', async () => {
  const config =
    'profile: main\nprofiles: { main: { target: live, base-url: "http://127.0.0.1:9" } }\n';
  const env = { DESKHAND_API_KEY: 'a', DESKHAND_API_SECRET: 'b', DESKHAND_API_PASSPHRASE: 'c' };
  const { code, stdout, stderr } = await deskhand(['doctor'], {
    cwd: folderWith({ 'deskhand.yaml': config }),
    env,
  });
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain('ECONNREFUSED');
});
