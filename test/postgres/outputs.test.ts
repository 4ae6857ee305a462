/** Files of runs in the store: whoever continues the run, and whoever looks at it, has them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { files } from '../cli/ladder.ts';
import { login } from './server.ts';
import { brief, desk, expectOrders, type } from './desk.ts';
import { checkout, continuesWithFiles, takenOver } from './files-of-runs.ts';

test('a run continues with the files of the worker that failed, and anybody can fetch them', async () => {
  const all = await desk(brief);
  const { cwd, run } = await continuesWithFiles(all);
  // A file that is there is kept, and a copy that was changed in the database is refused.
  writeFileSync(join(cwd, 'got', 'out', 'symbols.csv'), 'mine');
  await all.server.sql(
    `update deskhand.output set data = '\\x00' where path = 'out/page.html'`,
    login.database,
  );
  const again = await type(all, cwd, ['runs', 'files', run, '--into', 'got']);
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('already exists')]);
  expect(readFileSync(join(cwd, 'got', 'out', 'symbols.csv'), 'utf8')).toBe('mine');
  const fresh = await type(all, cwd, ['runs', 'files', run, '--into', 'fresh']);
  expect([fresh.code, fresh.stderr]).toEqual([1, expect.stringContaining('not the file that')]);
  expect(existsSync(join(cwd, 'fresh', 'out', 'page.html'))).toBe(false);
  expect(existsSync(join(cwd, 'fresh', 'out', 'symbols.csv'))).toBe(true);
});

test('a file that is only on the first machine is never replaced by another one of its name', async () => {
  const all = await desk(brief);
  const alone = 'outputs: { keep: workspace }\n';
  const [first, second] = [checkout(all, alone), checkout(all, alone)];
  const words = ['export', 'market/list-tickers', 'category=SPOT', 'symbol=BTCUSDT'];
  expect((await type(all, second, [...words, '--file', 'out/tickers.csv'])).code).toBe(0);
  const before = readFileSync(join(second, 'out', 'tickers.csv'), 'utf8');
  const { cwd, run, ended } = await takenOver(all, first, second);
  expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining('is not here')]);
  await expectOrders(all, 3);
  expect(readFileSync(join(second, 'out', 'tickers.csv'), 'utf8')).toBe(before);
  expect(existsSync(join(second, 'out', 'symbols.csv'))).toBe(false);
  const list = await type(all, cwd, ['runs', 'files', run]);
  expect(list.stdout).toMatch(new RegExp(`^out/tickers.csv .* on \\S+ in ${first}`, 'm'));
  const fetched = await type(all, cwd, ['runs', 'files', run, '--into', 'got']);
  expect([fetched.code, fetched.stderr]).toEqual([1, expect.stringContaining('is only on')]);
});

test('a file above the limit does not fail the run, and the run says where it is', async () => {
  const all = await desk();
  const cwd = checkout(all, 'outputs: { keep: store, max: 1KiB }\n');
  const ran = await type(all, cwd, ['run', 'ladder.yaml']);
  expect([ran.code, ran.stderr]).toEqual([
    0,
    expect.stringMatching(/page .*wrote .*page.html .*, only on \S+: it is larger than 1KiB/),
  ]);
  const list = await type(all, checkout(all), ['runs', 'files', 'last']);
  expect(list.stdout).toContain(`in ${cwd}: it is larger than 1KiB`);
  expect(list.stdout).toMatch(/^out\/tickers.csv .* in the store/m);
});

test('a run that is started here keeps its files here, unless it is configured', async () => {
  const all = await desk();
  for (const [more, where, name] of [
    ['', 'here', 'a'],
    ['outputs: { keep: store }\n', 'store', 'b'],
  ] as const) {
    const cwd = checkout(all, more);
    const text = files['ladder.yaml'].replace('name: ladder', `name: ladder-${name}`);
    writeFileSync(join(cwd, 'ladder.yaml'), text);
    expect((await type(all, cwd, ['run', 'ladder.yaml'])).code).toBe(0);
    const { stdout } = await type(all, cwd, ['runs', 'files', 'last', '-o', 'json']);
    expect(JSON.parse(stdout).files).toMatchObject([{ path: 'out/tickers.csv', where }]);
  }
});
