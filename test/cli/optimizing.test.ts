/** V8 optimizes nothing while a short command reads its playbook, and does where it pays. */
import { spawnSync } from 'node:child_process';
import { expect, inject, test } from 'vitest';
import { playbookOf } from '../../bench/commands/files.ts';
import { withoutOptimizing } from '../../src/app/machine/optimizing.ts';
import { folderWith } from './deskhand.ts';

/** Node's own functions on paths, which Node 22 calls often while it loads its modules. */
const ofNode = /<JSFunction (?:normalizeString|isPosixPathSeparator) /;

/** What V8 reports of each function that it optimized. */
function optimized(
  files: Readonly<Record<string, string>>,
  { flags = [], verb = ['validate'] }: Readonly<Record<string, readonly string[]>> = {},
  starts = 2, // with Node 22, the first start changes no flags
): string[] {
  const words = ['--trace-opt', ...flags, inject('launcher'), ...verb, ...Object.keys(files)];
  const started = {
    cwd: folderWith(files),
    env: {},
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  } as const;
  const ended = Array.from({ length: starts }, () => spawnSync(process.execPath, words, started));
  expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 0));
  return (ended.at(-1)?.stdout ?? '')
    .split('\n')
    .filter((line) => line.includes('completed optimizing') && !ofNode.test(line));
}

const text = playbookOf(1_000);

test.each([{ verb: ['validate'] }, { verb: ['graph', '-o', 'json'] }])(
  'no code is optimized while one playbook is read: $verb',
  (of) => {
    expect(optimized({ 'a.yaml': playbookOf(100) }, of)).toEqual([]);
  },
);

test('the young generation does not grow while one playbook is read', () => {
  const cwd = folderWith({
    'a.yaml': text,
    'at-exit.cjs': `
      const { getHeapSpaceStatistics } = require('node:v8');
      const young = () => getHeapSpaceStatistics().find((each) => each.space_name === 'new_space');
      process.on('exit', () => console.error(young().space_size / 2 ** 20));
    `,
  });
  const words = ['--require', './at-exit.cjs', inject('launcher'), 'validate', 'a.yaml'];
  const start = () => spawnSync(process.execPath, words, { cwd, env: {}, encoding: 'utf8' });
  start();
  expect(Number(start().stderr)).toBeLessThanOrEqual(8); // MiB; it would grow to 32 or 64
});

test('code is optimized once more than 512 KiB are read', () => {
  expect(text.length * 3).toBeGreaterThan(512 * 1024);
  const files = { 'a.yaml': text, 'b.yaml': text, 'c.yaml': text };
  expect(optimized(files).length).toBeGreaterThan(0);
});

test('where V8 may not compile, it is not allowed to', () => {
  expect(optimized({ 'a.yaml': playbookOf(100) }, { flags: ['--jitless'] })).toEqual([]);
});

test('the result is that of the work, and so is the error', () => {
  expect(withoutOptimizing(1, () => 'done')).toBe('done');
  const fail = (): never => {
    throw new Error('failed');
  };
  expect(() => withoutOptimizing(1, fail)).toThrow('failed');
});

test('an export optimizes the code that its rows pass from its first row', () => {
  const startTime = `startTime=${Date.now() - 6 * 86_400_000}`;
  const of = ['market/list-fills', 'symbol=BTCUSDT', 'productType=USDT-FUTURES', startTime];
  const lines = optimized({}, { verb: ['export', ...of, '--file', 'fills.csv'] }, 1);
  expect(lines.filter((line) => /<JSFunction (?:addField|copyPlain)\b/.test(line))).not.toEqual([]);
});
