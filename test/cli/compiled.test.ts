/** What V8 compiles at the first start of a command is found by the next one, and only what nobody else can have written. */
import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
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
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { afterEachTest } from '../support/cleanup.ts';

const pause = `playbook: 1
name: pause
steps: [{ id: pause, uses: wait, with: { for: 1ms } }]
`;

/** Prints whether V8 accepted what is kept of each part: `none` is kept, it was `accepted` or `refused`. */
const watch = `
  const vm = require('node:vm');
  const { Script } = vm;
  const found = new Set();
  vm.Script = class extends Script {
    constructor(text, options) {
      super(text, options);
      const given = options.cachedData !== undefined;
      found.add(given ? (this.cachedDataRejected ? 'refused' : 'accepted') : 'none');
    }
  };
  process.on('exit', () => console.error([...found].join()));
`;

let folder = '';
let home = '';
let kept = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compiled-'));
  afterEachTest(() => rmSync(folder, { recursive: true, force: true }));
  home = join(folder, 'home');
  kept = join(home, '.cache', 'deskhand', 'compiled');
  mkdirSync(home);
  cpSync(join(import.meta.dirname, '..', '..', 'bin'), join(folder, 'bin'), { recursive: true });
  symlinkSync(dirname(inject('launcher')), join(folder, 'dist'));
  writeFileSync(join(folder, 'watch.cjs'), watch);
  writeFileSync(join(folder, 'pause.yaml'), pause);
});

/** Starts the installed program. */
function started(
  words: readonly string[],
  env: Readonly<Record<string, string>> = { HOME: home },
  around: readonly string[] = [],
): SpawnSyncReturns<string> {
  const own = [process.execPath, '--require', './watch.cjs', join('bin', 'deskhand.js'), ...words];
  const [program = '', ...args] = [...around, ...own];
  return spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
}

const validate = ['validate', 'pause.yaml'];
const found = (...words: readonly string[]): string => started(words).stderr;
/** The only file that is kept. */
const file = (): string => join(kept, readdirSync(kept)[0] ?? 'none');

test.each([
  [['--version']],
  [validate],
  [['plan', '--offline', 'pause.yaml']],
  [['plan', 'pause.yaml']],
  [['run', 'pause.yaml']],
  [['runs', 'list']],
  [['explain', 'PB101']],
  [['plan', '--help']],
])('the second start of %j compiles nothing', (words) => {
  const first = started(words);
  expect(first.stderr).toContain('none');
  const second = started(words);
  expect([first.status, second.status]).toEqual([0, 0]);
  expect(last(second.stderr)).toBe('accepted');
});

test('it is private to its user, in one file for each command', () => {
  started(validate);
  started(['plan', '--offline', 'pause.yaml']);
  started(['validate', '--help']);
  for (const path of [join(home, '.cache'), dirname(kept), kept]) {
    expect(statSync(path).mode & 0o777).toBe(0o700);
  }
  const names = readdirSync(kept);
  expect(new Set(names.map((name) => name.split('-')[0]))).toEqual(
    new Set(['help', 'plan', 'validate']),
  );
  for (const name of names) {
    expect(name).toContain(`-${process.version}-${process.platform}-${process.arch}-`);
    expect(statSync(join(kept, name)).mode & 0o777).toBe(0o600);
  }
});

test('it has no value of a playbook, a variable or an argument', () => {
  writeFileSync(join(folder, 'pause.yaml'), pause.replace('name: pause', 'name: plum-of-the-file'));
  const env = { HOME: home, DESKHAND_API_SECRET: 'plum-of-the-variable' };
  expect(started(['run', 'pause.yaml', '--new', '--reason', 'plum-of-the-flag'], env).status).toBe(
    0,
  );
  expect(readFileSync(file()).includes('plum-of')).toBe(false);
});

test('a start that fails keeps nothing, because it compiled less', () => {
  expect(started(['validate', 'missing.yaml']).status).not.toBe(0);
  expect(existsSync(kept)).toBe(false);
});

test.each([
  [{ XDG_CACHE_HOME: 'cache' }, 'home/.cache'],
  [{ XDG_CACHE_HOME: '' }, 'home/.cache'],
  [{ XDG_CACHE_HOME: '/own' }, 'own'],
])('it is where programs keep what can be made again: %j', (env, where) => {
  const { XDG_CACHE_HOME: own } = env;
  started(validate, { HOME: home, XDG_CACHE_HOME: own.replace(/^\//, `${folder}/`) });
  expect(readdirSync(join(folder, where))).toEqual(['deskhand']);
});

describe('the program starts without it', () => {
  const works = (ended: SpawnSyncReturns<string>, stderr: string): void => {
    expect([ended.status, ended.stderr]).toEqual([0, stderr]);
    expect(ended.stdout).toContain('no problems');
  };

  test('when Node is asked to keep none', () => {
    works(started(validate, { HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' }), 'none\n');
    expect(existsSync(kept)).toBe(false);
  });

  test('when the user has no home', () => {
    works(started(validate, { HOME: '' }), 'none\n');
    const gone = "require('node:os').homedir = () => { throw new Error('ENOENT') };";
    writeFileSync(join(folder, 'watch.cjs'), gone + watch);
    works(started(validate, {}), 'none\n');
    expect(started(['run', 'pause.yaml'], {}).status).toBe(0);
    expect(existsSync(join(folder, 'deskhand'))).toBe(false);
  });

  test('when the folder cannot be created', () => {
    works(started(validate, { HOME: home, XDG_CACHE_HOME: '/proc' }), 'none\n');
    writeFileSync(join(home, '.cache'), '');
    works(started(validate), 'none\n');
  });

  test('when the disk is full', () => {
    works(started(validate, undefined, ['bash', '-c', 'ulimit -f 1; exec "$@"', 'bash']), 'none\n');
    expect(readdirSync(kept)).toEqual([]);
  });

  test.each([
    ['changed', (path: string) => writeFileSync(path, flipped(readFileSync(path)))],
    ['cut off', (path: string) => truncateSync(path, statSync(path).size - 100)],
    ['empty', (path: string) => truncateSync(path)],
    ['a folder', (path: string) => (rmSync(path), mkdirSync(path))],
    [
      'a link',
      (path: string) => (renameSync(path, `${folder}/x`), symlinkSync(`${folder}/x`, path)),
    ],
    ['writable by the group', (path: string) => chmodSync(path, 0o660)],
    ['in a folder that others can write', () => chmodSync(kept, 0o777)],
  ])('when its file is %s', (_, change) => {
    expect(found(...validate)).toBe('none\n');
    expect(found(...validate)).toBe('accepted\n');
    change(file());
    works(started(validate), 'none\n');
  });

  test.runIf(process.getuid?.() === 0)('when it belongs to another user', () => {
    started(validate);
    chownSync(file(), 1234, 1234);
    works(started(validate), 'none\n');
    chownSync(kept, 1234, 1234);
    works(started(validate), 'none\n');
    rmSync(join(home, '.cache'), { recursive: true });
    chownSync(home, 1234, 1234);
    works(started(validate), 'none\n');
    expect(readdirSync(home)).toEqual([]); // root leaves no folder in the home of a user
  });
});

test('a damaged file is made again', () => {
  started(validate);
  writeFileSync(file(), flipped(readFileSync(file())));
  expect([found(...validate), found(...validate)]).toEqual(['none\n', 'accepted\n']);
});

test('what other versions of Node and of the program kept is not read, and removed after a month', () => {
  started(validate);
  const own = file();
  const old = own.replace(process.version, 'v20.0.0');
  const recent = own.replace(/validate-[0-9a-f]{16}/, 'validate-0');
  for (const path of [old, recent]) cpSync(own, path);
  rmSync(own);
  utimesSync(old, 0, 0);
  expect(found(...validate)).toBe('none\n');
  expect([existsSync(old), existsSync(recent)]).toEqual([false, true]);
});

test('several first starts at once leave one whole file', async () => {
  const words = ['--require', './watch.cjs', join('bin', 'deskhand.js'), ...validate];
  const all = Array.from({ length: 4 }, () =>
    spawn(process.execPath, words, { cwd: folder, env: { HOME: home }, stdio: 'ignore' }),
  );
  const codes = await Promise.all(all.map(async (child) => (await once(child, 'exit'))[0]));
  expect(codes).toEqual([0, 0, 0, 0]);
  expect(readdirSync(kept)).toHaveLength(1);
  expect(found(...validate)).toBe('accepted\n');
});

test('a command that later loads another part adds it', () => {
  const offline = ['plan', '--offline', 'pause.yaml'];
  const online = ['plan', 'pause.yaml'];
  expect([found(...offline), found(...offline)].map(last)).toEqual(['none', 'accepted']);
  expect([found(...online), found(...online)].map(last)).toEqual(['accepted,none', 'accepted']);
  expect(last(found(...offline))).toBe('accepted');
});

function last(lines: string): string | undefined {
  return lines.split('\n').at(-2);
}

function flipped(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte, at) => (at === 2_000 ? byte ^ 1 : byte));
}
