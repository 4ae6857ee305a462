/** Files of runs in a store: what every machine sees of them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { ladder } from '../cli/ladder.ts';
import { hurried, loseSecondAnswer } from '../cli/under-way.ts';
import { expectOrders, folder, follow, isLost, type, worker, type Desk } from './desk.ts';

const [head = '', orders = ''] = ladder.split('steps:\n');
/** An export, the orders, and what is made of the export after them. */
const playbook = `${head}steps:
  - id: tickers
    uses: market/list-tickers
    with: { category: SPOT }
    write: { file: out/tickers.csv }
${orders.slice(0, orders.indexOf('  - id: tickers'))}  - id: symbols
    uses: report/table
    needs: [orders]
    with: { from: tickers, columns: { symbol: "{{ row.symbol }}" } }
    write: { file: out/symbols.csv }
  - id: page
    uses: report/page
    needs: [symbols]
    with: { file: out/page.html }
`;

export function checkout(all: Desk, more = ''): string {
  const cwd = folder(all);
  writeFileSync(join(cwd, 'ladder.yaml'), playbook);
  const path = join(cwd, 'deskhand.yaml');
  writeFileSync(path, readFileSync(path, 'utf8') + more);
  return cwd;
}

async function planOf(all: Desk, cwd: string): Promise<{ file: string; run: string }> {
  const made = await type(all, cwd, ['plan', 'ladder.yaml', '--out', 'plan.json']);
  expect([made.code, made.stderr]).toEqual([0, expect.any(String)]);
  const file = join(cwd, 'plan.json');
  const text = readFileSync(file, 'utf8');
  return { file, run: JSON.parse(text).run };
}

/** The first worker is killed while it waits for the response to the second order. */
export async function takenOver(all: Desk, first: string, second: string) {
  const cwd = checkout(all);
  const { file, run } = await planOf(all, cwd);
  await loseSecondAnswer(all.exchange);
  const { child } = await worker(all, {}, first);
  const followed = follow(all, cwd, file);
  while (!(await isLost(all))) expect(child.exitCode).toBe(null);
  child.kill('SIGKILL');
  await worker(all, hurried(all.exchange), second);
  return { cwd, run, ended: await followed };
}

/**
 * The first of two workers is killed in a run; the other continues it with its files, and anybody
 * can fetch them.
 * @param all with a brief lease
 * @returns the folder in which they were fetched, into `got`
 */
export async function continuesWithFiles(all: Desk): Promise<{ cwd: string; run: string }> {
  const [first, second] = [checkout(all), checkout(all)];
  // The second machine has an export of that name already, of another day.
  const words = ['export', 'market/list-tickers', 'category=SPOT', 'symbol=BTCUSDT'];
  expect((await type(all, second, [...words, '--file', 'out/tickers.csv'])).code).toBe(0);
  const { cwd, run, ended } = await takenOver(all, first, second);
  expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
  await expectOrders(all, 3);
  const tickers = readFileSync(join(first, 'out', 'tickers.csv'), 'utf8');
  expect(readFileSync(join(second, 'out', 'tickers.csv'), 'utf8')).toBe(tickers);
  const symbols = readFileSync(join(second, 'out', 'symbols.csv'), 'utf8');
  expect(symbols.split('\r\n')).toHaveLength(tickers.split('\r\n').length);

  const list = await type(all, cwd, ['runs', 'files', run, '-o', 'json']);
  const found = JSON.parse(list.stdout).files;
  expect(found.map(({ path, where }: { path: string; where: string }) => [path, where])).toEqual([
    ['out/tickers.csv', 'store'],
    ['out/symbols.csv', 'store'],
    ['out/page.html', 'store'],
  ]);
  const fetched = await type(all, cwd, ['runs', 'files', run, '--into', 'got']);
  expect([fetched.code, fetched.stderr]).toEqual([0, '']);
  for (const path of ['out/tickers.csv', 'out/symbols.csv', 'out/page.html']) {
    const got = readFileSync(join(cwd, 'got', path), 'utf8');
    expect(got).toBe(readFileSync(join(second, path), 'utf8'));
  }
  expect((await type(all, cwd, ['verify', 'got/out/tickers.csv'])).code).toBe(0);
  expect((await type(all, cwd, ['runs', 'files', run, '--into', 'got'])).stdout).toContain(
    'already',
  );
  return { cwd, run };
}
