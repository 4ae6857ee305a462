/** Fast startup depends on this: V8 accepts the compile cache of the build, and only for this program. */
import { isAscii } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import { version } from '../../src/cli/version.ts';

const pause = `playbook: 1
name: pause
steps: [{ id: pause, uses: wait, with: { for: 1s } }]
`;

const node = `${process.version}-${process.platform}-${process.arch}`;

/** Reports what V8 did with each script that was given a cache. */
const watch = `
  const vm = require('node:vm');
  const { Script } = vm;
  vm.Script = class extends Script {
    constructor(text, options) {
      super(text, options);
      console.error('rejected: ' + this.cachedDataRejected);
      if (process.env.NAMES) console.error(require('node:path').basename(options.filename));
    }
  };
`;

let folder = '';
let cache = '';
let program = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  cpSync(dirname(inject('launcher')), folder, { recursive: true });
  const files = readdirSync(folder);
  program = join(
    folder,
    files.find((file) => /^program-[A-Z0-9]{8}\.cjs$/.test(file)) ?? 'missing',
  );
  cache = `${program}-validate-${node}.cache`;
  writeFileSync(join(folder, 'watch.cjs'), watch);
});

function started(...args: readonly string[]): { stdout: string; stderr: string } {
  return startedWith({}, ...args);
}

function startedWith(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): { stdout: string; stderr: string } {
  const words = ['--require', './watch.cjs', 'deskhand.cjs', ...args];
  return spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' });
}

test.each([
  [['--version']],
  [['validate', '--help']],
  [['plan', '--help']],
  [['run', '--help']],
  [['resume', '--help']],
])('V8 accepts the code that the build compiled: %s', (words) => {
  expect(started(...words)).toMatchObject({ stderr: 'rejected: false\n' });
});

/** The scripts that a command loads. */
function scriptsOf(...args: readonly string[]): readonly string[] {
  const lines = startedWith({ NAMES: '1' }, ...args).stderr.split('\n');
  return lines.filter((line) => line.endsWith('.cjs')).map((name) => name.split('-')[0] ?? '');
}

test('validating loads a script without the other commands, and half as long', () => {
  expect(scriptsOf('validate', '--help')).toEqual(['validate']);
  const [own = ''] = readdirSync(folder).filter((file) => /^validate-[A-Z0-9]{8}\.cjs$/.test(file));
  expect(statSync(join(folder, own)).size).toBeLessThan(statSync(program).size / 2);
  for (const words of [['--version'], ['help', 'validate'], ['-q', 'validate', '--help'], []]) {
    expect(scriptsOf(...words)).toEqual(['program']);
  }
});

test.each([
  ['validate', 'pause.yaml', 'broken.yaml'],
  ['validate', 'broken.yaml', '-o', 'sarif'],
  ['validate', 'pause.yaml', '--no-such-flag'],
  ['validate', 'missing.yaml'],
  ['validate', '--changed-since', 'main'],
  ['validate', '--help'],
])('that script prints what the whole program prints: %s %s %s', (...words) => {
  writeFileSync(join(folder, 'watch.cjs'), '');
  writeFileSync(join(folder, 'pause.yaml'), pause);
  writeFileSync(join(folder, 'broken.yaml'), pause.replace('wait', 'wiat'));
  const own = started(...words);
  const whole = started('--no-input', ...words); // a flag comes first
  expect({ out: own.stdout, err: own.stderr }).toEqual({ out: whole.stdout, err: whole.stderr });
  expect(own.stdout + own.stderr).not.toBe('');
});

// Each takes 1 to 3 ms of CPU: who imports one where `validate` starts, does it by `import()`.
test('validating loads no module of Node for programs, sockets or compression', () => {
  writeFileSync(
    join(folder, 'watch.cjs'),
    "process.on('exit', () => console.error(JSON.stringify(process.moduleLoadList)));",
  );
  writeFileSync(join(folder, 'pause.yaml'), pause);
  const { stdout, stderr } = started('validate', 'pause.yaml');
  expect(stdout).toContain('no problems');
  const loaded = (JSON.parse(stderr) as readonly string[]).map((name) => name.split(' ').at(-1));
  expect(loaded).toContain('crypto');
  for (const name of ['child_process', 'dgram', 'http', 'https', 'worker_threads', 'zlib']) {
    expect(loaded).not.toContain(name);
  }
});

test('a command that plans uses the cache of plan', () => {
  rmSync(cache);
  expect(started('runs', '--help').stderr).toBe('');
  expect(started('plan', '--help').stderr).toBe('rejected: false\n');
});

test('a stale cache is rejected, and the program starts without it', () => {
  const bytes = readFileSync(cache);
  bytes[8] = ~(bytes[8] ?? 0); // where V8 stores the hash of the source
  writeFileSync(cache, bytes);
  expect(started('--version')).toMatchObject({
    stdout: `${version}\n`,
    stderr: 'rejected: true\n',
  });
});

test('the cache of another version of Node is not read', () => {
  renameSync(cache, cache.replace(process.version, 'v20.0.0'));
  expect(started('--version')).toMatchObject({ stdout: `${version}\n`, stderr: '' });
});

test.each([
  [{ HOME: '/home/ann' }, '/home/ann/.cache/deskhand/compiled'],
  [{ HOME: '/home/ann', XDG_CACHE_HOME: '/var/ann' }, '/var/ann/deskhand/compiled'],
  [{ HOME: '/home/ann', XDG_CACHE_HOME: 'cache' }, '/home/ann/.cache/deskhand/compiled'],
])(
  'what Node compiles is kept in a folder of the user, never in the shared one: %j',
  (env, kept) => {
    const spy = "require('node:module').enableCompileCache = (where) => console.error(where);";
    writeFileSync(join(folder, 'spy.cjs'), spy);
    mkdirSync(join(folder, 'bin'));
    const bin = join(import.meta.dirname, '..', '..', 'bin');
    cpSync(bin, join(folder, 'bin'), { recursive: true });
    symlinkSync(folder, join(folder, 'dist'));
    const words = ['--require', './spy.cjs', join('bin', 'deskhand.js'), '--version'];
    const { stderr } = spawnSync(process.execPath, words, { cwd: folder, env, encoding: 'utf8' });
    expect(stderr).toBe(`${kept}\n`);
  },
);

// esbuild escapes texts; what it leaves is in html`…` and in patterns: ${'…'} and \u2026 there.
test('the scripts are ASCII, so each character is read as one byte', () => {
  const scripts = readdirSync(folder).filter((file) => /^(?:program|validate)-.*\.cjs$/.test(file));
  expect(scripts).toHaveLength(2);
  for (const file of scripts) expect(isAscii(readFileSync(join(folder, file)))).toBe(true);
});
