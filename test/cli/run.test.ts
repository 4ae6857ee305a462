import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { entrySchema } from '../../src/engine/journal/entry-schema.ts';
import { begin, deskhand, folderWith } from './deskhand.ts';
import { files, resting } from './ladder.ts';
import { startSandbox } from './sandbox.ts';

const ajv = new Ajv({ strict: false, logger: false });

describe('run', () => {
  test('runs on the sandbox without a prompt, and a second run sends nothing', async () => {
    const cwd = folderWith(files);
    const first = await deskhand(['run', 'ladder.yaml'], { cwd });
    expect([first.code, await resting(cwd)]).toEqual([0, 3]);
    expect(first.stdout).toMatch(/In doubt +none/);
    const second = await deskhand(['run', 'ladder.yaml', '-o', 'json'], { cwd });
    expect(JSON.parse(second.stdout)).toMatchObject({ version: 1, status: 'done', exit: 0 });
    expect([second.code, await resting(cwd)]).toEqual([0, 3]);
    expect(readFileSync(join(cwd, 'out', 'tickers.csv'), 'utf8')).toContain('BTCUSDT');
  });

  test('-o ndjson prints one entry per line that fits its schema', async () => {
    const cwd = folderWith(files);
    const { stdout } = await deskhand(['run', 'ladder.yaml', '-o', 'ndjson'], { cwd });
    const isEntry = ajv.compile(entrySchema.json);
    const entries = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries.at(-1)).toMatchObject({ version: 1, kind: 'finished', exit: 0 });
    expect(entries.filter((entry) => !isEntry(entry))).toEqual([]);
  });

  test('--json-into and --report write files in addition to the screen', async () => {
    const cwd = folderWith(files);
    const words = ['run', 'ladder.yaml', '-q', '--json-into', 'result.json', '--report', 'papers'];
    await deskhand(words, { cwd });
    const { run } = JSON.parse(readFileSync(join(cwd, 'result.json'), 'utf8'));
    expect(readFileSync(join(cwd, 'papers', `${run}.html`), 'utf8')).toContain('<!doctype html>');
  });

  test('-o markdown is for a pull request, and GitHub shows it on the job page', async () => {
    const cwd = folderWith(files);
    const env = { GITHUB_STEP_SUMMARY: join(cwd, 'page.md'), GITHUB_ACTIONS: 'true' };
    await deskhand(['plan', 'ladder.yaml', '-o', 'markdown'], { cwd, env });
    const { stdout } = await deskhand(['run', 'ladder.yaml', '-o', 'markdown'], { cwd, env });
    expect(stdout.startsWith('<!-- deskhand:run:ladder')).toBe(true);
    const page = readFileSync(join(cwd, 'page.md'), 'utf8');
    expect(page).toContain('<!-- deskhand:plan:ladder');
    expect(page).toContain(stdout);
  });

  test('a closed pipe does not affect it', async () => {
    const cwd = folderWith(files);
    const child = begin(['run', 'ladder.yaml', '-o', 'ndjson'], { cwd });
    child.stdout.destroy();
    const [code] = await once(child, 'close');
    expect([code, await resting(cwd)]).toEqual([0, 3]);
  });

  test('--only also runs the steps that the step needs', async () => {
    const steps = [
      '  - { id: a, uses: market/list-tickers, with: { category: SPOT } }',
      '  - { id: b, uses: market/list-tickers, with: { category: SPOT } }',
      '  - { id: c, needs: [a], uses: market/list-tickers, with: { category: SPOT } }',
    ];
    const cwd = folderWith({ 'p.yaml': `playbook: 1\nname: p\nsteps:\n${steps.join('\n')}\n` });
    const { stdout } = await deskhand(['run', 'p.yaml', '--only', 'c', '-o', 'json'], { cwd });
    expect(JSON.parse(stdout).tally).toMatchObject({ done: 2, notSent: 0 });
  });

  test('--only runs one step', async () => {
    const cwd = folderWith(files);
    await deskhand(['run', 'ladder.yaml', '--only', 'tickers'], { cwd });
    expect([existsSync(join(cwd, 'out', 'tickers.csv')), await resting(cwd)]).toEqual([true, 0]);
  });

  test('no key or secret is written anywhere', async () => {
    const sandbox = await startSandbox();
    const cwd = folderWith(files);
    const env = sandbox.env('hedge');
    const { stdout, stderr } = await deskhand(['run', 'ladder.yaml', '-v'], { cwd, env });
    const written = readdirSync(cwd, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'));
    for (const name of ['KEY', 'SECRET', 'PASSPHRASE']) {
      const secret = env[`DESKHAND_API_${name}`] ?? '';
      for (const text of [stdout, stderr, ...written]) expect(text).not.toContain(secret);
    }
  });
});

describe('demo', () => {
  test('shows everything once, and a second demo places no order again', async () => {
    const cwd = folderWith();
    const first = await deskhand(['demo'], { cwd });
    expect([first.code, first.stdout.includes('Nothing was placed twice')]).toEqual([0, false]);
    for (const file of ['playbook.yaml', 'report.html', 'bills.csv', 'volume.csv']) {
      expect(existsSync(join(cwd, 'demo', file))).toBe(true);
    }
    // The built program is stored with one byte per character: non-ASCII characters are escaped.
    expect(readFileSync(join(cwd, 'demo', 'report.html'), 'utf8')).toMatch(/>[0-9a-f]{12}…</);
    const second = await deskhand(['demo'], { cwd });
    expect([second.code, second.stdout.includes('Nothing was placed twice')]).toEqual([0, true]);
    expect(await resting(cwd)).toBe(3);
  });
});
