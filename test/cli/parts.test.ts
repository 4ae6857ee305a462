/** Fast startup depends on this: a command loads only its parts of the program and of Node, with V8's own flags. */
import { isAscii } from 'node:buffer';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { expect, inject, test } from 'vitest';
import { folderWith } from './deskhand.ts';

const pause = `playbook: 1
name: pause
steps: [{ id: pause, uses: wait, with: { for: 1ms } }]
`;

const parts = join(dirname(inject('launcher')), 'program');

/** The text of a part, which is compressed if few commands load it. */
function textOf(file: string): Buffer {
  const bytes = readFileSync(join(parts, file));
  return file.endsWith('.br') ? brotliDecompressSync(bytes) : bytes;
}

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a command after a script, in a folder with `pause.yaml`. */
function started(before: string, ...args: readonly string[]): Ended {
  return startedIn(folderWith({ 'pause.yaml': pause }), before, ...args);
}

function startedIn(cwd: string, before: string, ...args: readonly string[]): Ended {
  writeFileSync(join(cwd, 'before.cjs'), before);
  const words = ['--require', './before.cjs', inject('launcher'), ...args];
  return spawnSync(process.execPath, words, { cwd, env: {}, encoding: 'utf8' });
}

/** Prints the part of each script. */
const watchParts = `
  const vm = require('node:vm');
  const { Script } = vm;
  vm.Script = class extends Script {
    constructor(text, options) {
      super(text, options);
      console.error(require('node:path').basename(options.filename).replace(/-[A-Z0-9]{8}[.]cjs([.]br)?$/, ''));
    }
  };
`;

const partsOf = (...args: readonly string[]): readonly string[] =>
  started(watchParts, ...args)
    .stderr.split('\n')
    .filter((line) => /^[a-z-]+$/.test(line));

test('a command loads its part of the program', () => {
  expect(partsOf('completion', 'bash')).toEqual(['start']);
  expect(partsOf('validate', 'pause.yaml')).toEqual(['start', 'validate']);
  expect(partsOf('plan', '--offline', 'pause.yaml')).toEqual(['start', 'plan', 'validate']);
  expect(partsOf('--version')).toEqual(['start']);
  expect(partsOf('runs', 'list')).toEqual(['start', 'often', 'plan', 'validate']);
  const compressed = ['http', 'sandbox', 'validators-journal', 'core', 'other'];
  const loaded = partsOf('run', 'pause.yaml');
  expect(loaded.filter((part) => !compressed.includes(part))).toEqual([
    'start',
    'plan',
    'validate',
  ]);
  expect(loaded).not.toContain('other');
});

test('validating reads less than a quarter of the program, and printing the version a thirtieth', () => {
  const sizes = readdirSync(parts).map((file) => ({ file, bytes: textOf(file).length }));
  const bytesOf = (part: string): number =>
    sizes.find(({ file }) => file.startsWith(`${part}-`))?.bytes ?? Infinity;
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(bytesOf('start') + bytesOf('validate')).toBeLessThan(all / 4);
  expect(bytesOf('start')).toBeLessThan(all / 30);
});

test('no part has code of another one', () => {
  const texts = readdirSync(parts).map((file) => textOf(file).toString());
  for (const name of ['class RE2JS', 'too many arguments', 'YAMLParseError']) {
    expect([name, texts.filter((text) => text.includes(name)).length]).toEqual([name, 1]);
  }
});

// esbuild escapes texts; what it leaves is in html`…` and in patterns: ${'…'} and \u2026 there.
test('the parts are ASCII, so each character is read as one byte', () => {
  for (const file of readdirSync(parts)) {
    expect([file, isAscii(textOf(file))]).toEqual([file, true]);
  }
});

// Each takes up to 3 ms of CPU: who imports one where these commands start, does it by `import()`.
test.each([
  { words: ['validate'], without: ['zlib'] },
  { words: ['plan', '--offline'], without: ['readline'] },
])('$words loads no module of Node that it does not use', ({ words, without }) => {
  const list = "process.on('exit', () => console.error(JSON.stringify(process.moduleLoadList)));";
  const { stdout, stderr } = started(list, ...words, 'pause.yaml');
  expect(stdout).toMatch(/no problems|pause/);
  const loaded = (JSON.parse(stderr) as readonly string[]).map((name) => name.split(' ').at(-1));
  expect(loaded).toContain('crypto');
  for (const name of ['http', 'https', 'http2', 'tls', 'worker_threads', ...without]) {
    expect(loaded).not.toContain(name);
  }
});

// Node 20 and 22 then call a function of theirs for each promise, and a run makes dozens for each call.
test('a command follows no promises', () => {
  const spy = `
    const { AsyncLocalStorage } = require('node:async_hooks');
    for (const name of ['run', 'enterWith']) AsyncLocalStorage.prototype[name] = () => { throw new Error(name); };
  `;
  expect(started(spy, 'run', 'pause.yaml')).toMatchObject({ status: 0 });
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
  const flags = process.versions.v8.startsWith('12.') ? '[]' : ownFlags; // see optimizing.ts
  expect(started(spy, ...words)).toMatchObject({ status: 0, stderr: `${flags}\n` });
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
  const cwd = folderWith({ 'pause.yaml': pause });
  expect(startedIn(cwd, spy, 'plan', 'pause.yaml').stderr).toBe('git config user.email\n');
  mkdirSync(join(cwd, '.git'));
  // Four that read the repository, and one that tells why there is no commit.
  expect(startedIn(cwd, spy, 'plan', 'pause.yaml').stderr.split('\n')).toHaveLength(5 + 1);
});
