/** The commands of the sandbox act on the exchange of the profile, and name it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { controlRoutes } from '../../src/sandbox/control.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { startSandbox, startSandboxIn } from './sandbox.ts';

const scenario = `version: 1
faults:
  - { match: { operation: tax/list-p2p }, times: 1, action: { kind: status, status: 503 } }
`;

/** A folder with its own sandbox and a profile of one that listens elsewhere. */
async function twoSandboxes() {
  const other = await startSandbox();
  const cwd = folderWith({
    'deskhand.yaml': `profile: far
profiles:
  near: { target: sandbox }
  far: { base-url: "${other.baseUrl}" }
  real: { target: live, base-url: "https://exchange.example" }
  posing: { target: live, base-url: "${other.baseUrl}" }
`,
    'faults.yaml': scenario,
  });
  const run = (...words: string[]): Promise<Ended> => deskhand(['sandbox', ...words], { cwd });
  const jsonOf = async (...words: string[]) =>
    JSON.parse((await run(...words, '-o', 'json')).stdout);
  return { cwd, run, jsonOf, host: new URL(other.baseUrl).host };
}

describe('sandbox load, control, advance and reset', () => {
  test('act on the exchange of the default profile, and on that of -p, and name it', async () => {
    const { run, jsonOf, host } = await twoSandboxes();
    const far = { profile: 'far', host };
    const near = { profile: 'near' };
    expect((await run('load', 'faults.yaml')).stdout).toBe(
      `loaded faults.yaml into the sandbox at ${host} (profile far)\n`,
    );
    expect(await jsonOf('control', 'faults')).toMatchObject({ exchange: far, answer: [{}] });
    expect(await jsonOf('control', 'faults', '-p', 'near')).toMatchObject({
      exchange: near,
      answer: [],
    });
    const before = await jsonOf('control', 'clock');
    expect(await jsonOf('advance', '2d', '-p', 'near')).toMatchObject({ exchange: near });
    expect((await run('advance', '1s', '-p', 'near')).stdout).toMatch(
      /^the clock of the sandbox of this folder \(profile near\) is at /,
    );
    const later = await jsonOf('control', 'clock');
    expect(later.answer.now - before.answer.now).toBeLessThan(86_400_000);
    expect(await jsonOf('reset')).toEqual({ version: 1, exchange: far, isRunning: true });
    expect(await jsonOf('control', 'faults')).toMatchObject({ answer: [] });
    expect((await run('control', 'clock', '-p', 'near')).stderr).toBe(
      'GET clock of the sandbox of this folder (profile near)\n',
    );
  });

  test.each(['real', 'posing'])('refuse the live profile %s', async (profile) => {
    const { run } = await twoSandboxes();
    for (const words of [
      ['load', 'faults.yaml'],
      ['control', 'faults'],
      ['advance', '1h'],
      ['reset'],
    ]) {
      const { code, stdout, stderr } = await run(...words, '-p', profile);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain(
        `profile ${profile} is live: its exchange is not a sandbox, and nothing was sent`,
      );
    }
  });

  test('a damaged world is reset by the command that its error names, and no other exchange is', async () => {
    const { cwd, run, jsonOf } = await twoSandboxes();
    await run('load', 'faults.yaml');
    mkdirSync(join(cwd, '.deskhand', 'sandbox'), { recursive: true });
    writeFileSync(join(cwd, '.deskhand', 'sandbox', 'world.ndjson'), 'not a world\n');
    const { stderr } = await run('control', 'clock', '-p', 'near');
    const [command = ''] = /(?<=deskhand )sandbox reset[ \w-]*/.exec(stderr) ?? [];
    expect((await deskhand(command.split(' '), { cwd })).code).toBe(0);
    expect((await run('control', 'clock', '-p', 'near')).code).toBe(0);
    expect(await jsonOf('control', 'faults')).toMatchObject({ answer: [{}] });
  });

  test('do not take a sandbox with another world, started in this folder, for that of its files', async () => {
    const cwd = folderWith();
    const started = await startSandboxIn(cwd);
    const { stdout, stderr } = await deskhand(['sandbox', 'control', 'info', '-o', 'json'], {
      cwd,
    });
    expect(JSON.parse(stdout).exchange).toEqual({ profile: 'sandbox' });
    expect(stderr).toContain(`another world, which DESKHAND_BASE_URL=${started.baseUrl} selects`);
    const env = started.env('hedge');
    const named = await deskhand(['sandbox', 'reset', '-o', 'json'], { cwd, env });
    expect(JSON.parse(named.stdout).exchange.host).toBe(new URL(started.baseUrl).host);
  });
});

describe('sandbox control', () => {
  test('--list names every path, method and field', async () => {
    const cwd = folderWith();
    const { stdout } = await deskhand(['sandbox', 'control', '--list'], { cwd });
    for (const { method, path, fields } of controlRoutes()) {
      expect(stdout).toContain(`${method} ${path}`);
      for (const { name } of fields)
        expect(stdout).toMatch(new RegExp(`^ {2}${escaped(name)} `, 'm'));
    }
    const json = await deskhand(['sandbox', 'control', '--list', '-o', 'json'], { cwd });
    expect(JSON.parse(json.stdout)).toEqual({ version: 1, routes: controlRoutes() });
  });

  test('uses the only method of a path, and numbers where the schema has them', async () => {
    const cwd = folderWith();
    const asked = async (...words: string[]) =>
      deskhand(['sandbox', 'control', ...words, '-o', 'json'], { cwd });
    expect((await asked('wallets', 'uid=7000000002')).code).toBe(0);
    expect((await asked('clock', 'mode=accelerated', 'speed=60')).code).toBe(0);
    expect((await asked('faults', `rules=[]`)).code).toBe(0);
    expect((await asked('reset', 'seed=7')).code).toBe(0);
    expect(JSON.parse((await asked('info')).stdout).answer.seed).toBe(7);
  });
});

function escaped(name: string): string {
  return name.replaceAll(/[[\].]/g, String.raw`\$&`);
}
