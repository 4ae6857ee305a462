/** Fast startup depends on this: V8 accepts the compile cache of the build, and only for this program. */
import { isAscii } from 'node:buffer';
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  cpSync,
  existsSync,
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
import { version } from '../../src/base/version.ts';

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

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function started(...args: readonly string[]): Ended {
  return startedWith({}, ...args);
}

function startedWith(env: Readonly<Record<string, string>>, ...args: readonly string[]): Ended {
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

test.each(['plan', 'run', 'resume'])('%s loads a script without the other commands', (verb) => {
  expect(scriptsOf(verb, '--help')).toEqual(['plan']);
  const [own = ''] = readdirSync(folder).filter((file) => /^plan-[A-Z0-9]{8}\.cjs$/.test(file));
  expect(statSync(join(folder, own)).size).toBeLessThan(statSync(program).size * 0.75);
});

test.each([
  ['validate', 'pause.yaml', 'broken.yaml'],
  ['validate', 'broken.yaml', '-o', 'sarif'],
  ['validate', 'pause.yaml', '--no-such-flag'],
  ['validate', 'missing.yaml'],
  ['validate', '--changed-since', 'main'],
  ['validate', '--help'],
  ['plan', '--offline', 'broken.yaml'],
  ['plan', 'pause.yaml', '--no-such-flag'],
  ['plan', '--changed-since', 'main'],
  ['run', 'missing.yaml'],
  ['run', '--help'],
  ['resume', 'r-none'],
])('such a script prints what the whole program prints: %s %s %s', (...words) => {
  writeFileSync(join(folder, 'watch.cjs'), '');
  writeFileSync(join(folder, 'pause.yaml'), pause);
  writeFileSync(join(folder, 'broken.yaml'), pause.replace('wait', 'wiat'));
  const own = started(...words);
  const whole = started('--no-input', ...words); // a flag comes first
  expect({ out: own.stdout, err: own.stderr }).toEqual({ out: whole.stdout, err: whole.stderr });
  expect(own.stdout + own.stderr).not.toBe('');
});

// Each takes 1 to 3 ms of CPU: who imports one where these commands start, does it by `import()`.
test.each([
  { words: ['validate'], without: ['zlib'] },
  { words: ['plan', '--offline'], without: ['http2', 'perf_hooks', 'readline', 'tls'] },
])('$words loads no module of Node that it does not use', ({ words, without }) => {
  writeFileSync(
    join(folder, 'watch.cjs'),
    "process.on('exit', () => console.error(JSON.stringify(process.moduleLoadList)));",
  );
  writeFileSync(join(folder, 'pause.yaml'), pause);
  const { stdout, stderr } = started(...words, 'pause.yaml');
  expect(stdout).toMatch(/no problems|pause/);
  const loaded = (JSON.parse(stderr) as readonly string[]).map((name) => name.split(' ').at(-1));
  expect(loaded).toContain('crypto');
  for (const name of ['child_process', 'dgram', 'http', 'https', 'worker_threads', ...without]) {
    expect(loaded).not.toContain(name);
  }
});

const ownFlags = '["--opt","--semi-space-growth-factor=2"]';

// With other flags, V8 rejects what Node has compiled of its own modules: each costs 1 to 4 ms more.
test.each([
  ['validate', 'pause.yaml'],
  ['plan', '--offline', 'pause.yaml'],
  ['plan', 'pause.yaml'],
])('V8 has its own flags again when these commands load more modules: %s %s %s', (...words) => {
  const spy = `
    const v8 = require('node:v8');
    const changed = new Map();
    const { setFlagsFromString } = v8;
    v8.setFlagsFromString = (flag) => {
      setFlagsFromString(flag);
      const name = flag.replace(/^--(no-)?/, '').replace(/=.*/, '');
      changed.set(name, flag);
    };
    process.on('exit', () => console.error(JSON.stringify([...changed.values()].sort())));
  `;
  writeFileSync(join(folder, 'watch.cjs'), spy);
  writeFileSync(join(folder, 'pause.yaml'), pause);
  expect(started(...words)).toMatchObject({ status: 0, stderr: `${ownFlags}\n` });
});

test('these are the default flags of this version of Node', () => {
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' });
  for (const flag of ownFlags.match(/--[^"]+/g) ?? [])
    expect(stdout).toContain(`default: ${flag}\n`);
});

test('outside a repository, a plan starts one program: Git, for the name of who plans', () => {
  const spy = `
    const programs = require('node:child_process');
    const { spawn } = programs;
    programs.spawn = (program, words, options) => {
      console.error(program, words.filter((word, at) => word !== '-c' && words[at - 1] !== '-c').join(' '));
      return spawn(program, words, options);
    };
  `;
  writeFileSync(join(folder, 'watch.cjs'), spy);
  writeFileSync(join(folder, 'pause.yaml'), pause);
  expect(started('plan', 'pause.yaml').stderr).toBe('git config user.email\n');
  mkdirSync(join(folder, '.git'));
  // Four that read the repository, and one that tells why there is no commit.
  expect(started('plan', 'pause.yaml').stderr.split('\n')).toHaveLength(5 + 1);
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
  [{ HOME: '/home/ann' }, '/home/ann/.cache/deskhand/compiled\n'],
  [{ HOME: '/home/ann', XDG_CACHE_HOME: '/var/ann' }, '/var/ann/deskhand/compiled\n'],
  [{ HOME: '/home/ann', XDG_CACHE_HOME: 'cache' }, '/home/ann/.cache/deskhand/compiled\n'],
  [{ HOME: '' }, ''],
])(
  'what Node compiles is kept in a folder of the user, never in the shared one: %j',
  (env, kept) => {
    const { stderr } = installedWith(printsCacheFolder, env, '--version');
    expect(stderr).toBe(kept);
  },
);

test('a user without HOME and without an entry in the system plans and runs', () => {
  const none = "require('node:os').homedir = () => { throw new Error('ENOENT') };";
  writeFileSync(join(folder, 'pause.yaml'), pause);
  for (const verb of ['validate', 'run']) {
    const ended = installedWith(none + printsCacheFolder, {}, verb, 'pause.yaml');
    expect([ended.status, ended.stderr]).toEqual([0, expect.not.stringContaining('error')]);
  }
});

// esbuild escapes texts; what it leaves is in html`…` and in patterns: ${'…'} and \u2026 there.
test('the scripts are ASCII, so each character is read as one byte', () => {
  const scripts = readdirSync(folder).filter((file) =>
    /^(?:program|validate|plan)-.*\.cjs$/.test(file),
  );
  expect(scripts).toHaveLength(3);
  for (const file of scripts) expect(isAscii(readFileSync(join(folder, file)))).toBe(true);
});

const printsCacheFolder =
  "require('node:module').enableCompileCache = (where) => console.error(where);";

/** Starts the launcher next to the bundle, after a script. */
function installedWith(
  script: string,
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): SpawnSyncReturns<string> {
  writeFileSync(join(folder, 'before.cjs'), script);
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const bin = join(import.meta.dirname, '..', '..', 'bin');
  cpSync(bin, join(folder, 'bin'), { recursive: true });
  if (!existsSync(join(folder, 'dist'))) symlinkSync(folder, join(folder, 'dist'));
  const all = ['--require', './before.cjs', join('bin', 'deskhand.js'), ...words];
  return spawnSync(process.execPath, all, { cwd: folder, env, encoding: 'utf8' });
}
