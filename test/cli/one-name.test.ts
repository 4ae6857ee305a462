/** Two exports to one file at the same time: one writes it, the other is refused before reading rows. */
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyFile } from '../../src/engine/export/verify.ts';
import { begin, deskhand, folderWith, type Ended } from './deskhand.ts';
import { startSandbox, type Started } from './sandbox.ts';

const operation = 'market/list-tickers';
const exporting = ['export', operation, 'category=SPOT', '--file', 'out/rows.csv'];
const playbook = `playbook: 1
name: rates
steps:
  - id: rates
    uses: ${operation}
    with: { category: SPOT }
    write: { file: out/rows.csv }
`;

/** Drops the next `times` responses to this read. */
async function silence({ controlUrl }: Started, times: number): Promise<void> {
  const rule = {
    match: { operation },
    when: 'before',
    times,
    action: { kind: 'never', ms: 60_000 },
  };
  await fetch(`${controlUrl}/faults`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ rules: times === 0 ? [] : [rule] }),
  });
}

/** An export that has locked its file and waits for a page. */
async function underWay(sandbox: Started, cwd: string, words: readonly string[]) {
  await silence(sandbox, 100); // however long the others take, it waits
  const child = begin(words, { cwd, env: sandbox.env('hedge') });
  child.stdout.resume();
  child.stderr.resume();
  const asked = async (): Promise<string> => (await fetch(`${sandbox.controlUrl}/faults`)).text();
  while (!/"struck":[1-9]/.test(await asked())) expect(child.exitCode).toBe(null);
  return child;
}

const requestsOf = async ({ controlUrl }: Started): Promise<number> =>
  (await (await fetch(`${controlUrl}/requests`)).text()).split(operation).length - 1;

describe('an export to a file that another export is writing', () => {
  test('is refused with that run, from any folder and state, and reads nothing', async () => {
    const sandbox = await startSandbox();
    const cwd = folderWith({ 'rates.yaml': playbook, 'out/.keep': '' });
    const linked = folderWith();
    symlinkSync(join(cwd, 'out'), join(linked, 'elsewhere'));
    const first = await underWay(sandbox, cwd, exporting);
    const [run = ''] = readdirSync(join(cwd, '.deskhand', 'runs'));
    const asked = await requestsOf(sandbox);
    const env = sandbox.env('hedge');
    const others: readonly Promise<Ended>[] = [
      deskhand(exporting, { cwd, env }),
      deskhand([...exporting, '--overwrite'], { cwd, env }),
      deskhand(exporting, { cwd, env: { ...env, DESKHAND_STATE_DIR: join(linked, 'state') } }),
      deskhand(['export', operation, 'category=SPOT', '--file', 'rows.csv'], {
        cwd: join(linked, 'elsewhere'),
        env: { ...env, DESKHAND_STATE_DIR: join(linked, 'other') },
      }),
    ];
    for (const { code, stderr } of await Promise.all(others)) {
      expect([code, stderr]).toEqual([5, expect.stringContaining(`run ${run} (process`)]);
      expect(stderr).toContain('is writing it');
    }
    const ran = await deskhand(['run', 'rates.yaml'], { cwd, env });
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining('is writing it')]);
    expect(await requestsOf(sandbox)).toBe(asked);
    first.kill('SIGKILL');
    await once(first, 'exit');
    expect(existsSync(join(cwd, 'out', '.rows.csv.lock'))).toBe(true);
    await silence(sandbox, 0);
    const next = await deskhand(exporting, { cwd, env });
    expect([next.code, next.stderr]).toEqual([0, expect.any(String)]);
    expect(await verifyFile(join(cwd, 'out', 'rows.csv'))).toMatchObject({ kind: 'whole' });
    // The killed export resumes: a file that another run wrote meanwhile is kept.
    const text = readFileSync(join(cwd, 'out', 'rows.csv'), 'utf8');
    const resumed = await deskhand(['resume', run], { cwd, env });
    const isSame = readFileSync(join(cwd, 'out', 'rows.csv'), 'utf8') === text;
    expect(resumed.code === 0 || isSame).toBe(true);
    expect(await verifyFile(join(cwd, 'out', 'rows.csv'))).toMatchObject({ kind: 'whole' });
    expect(readdirSync(join(cwd, 'out')).filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  test('of twelve concurrent exports, those that are not refused leave a file with its own manifest', async () => {
    const cwd = folderWith();
    const ended = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        deskhand([...exporting, '--overwrite', ...(at % 2 === 0 ? ['--columns', 'symbol'] : [])], {
          cwd,
        }),
      ),
    );
    const codes = new Set(ended.map(({ code }) => code));
    expect(codes).toEqual(new Set(codes.size === 1 ? [0] : [0, 5]));
    expect(await verifyFile(join(cwd, 'out', 'rows.csv'))).toMatchObject({ kind: 'whole' });
    expect(readdirSync(join(cwd, 'out')).toSorted()).toEqual([
      'rows.csv',
      'rows.csv.manifest.json',
    ]);
  });
});
