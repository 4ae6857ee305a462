/** Every flag and step that writes a file keeps files of others unchanged, byte for byte. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { globalFlags } from '../../src/cli/verbs/flags.ts';
import { verbs } from '../../src/cli/verbs/index.ts';
import { longFlag, type Flag } from '../../src/cli/verbs/verb.ts';
import { readableJson, sha256 } from '../../src/base/json.ts';
import { begin, deskhand, folderWith, type Ended } from './deskhand.ts';

const reading = `playbook: 1
name: prices
schedule: [{ cron: "15 2 * * *", timezone: UTC }]
steps:
  - id: rates
    uses: market/list-discount-rates
`;
const paged = `${reading.replace('name: prices', 'name: paged')}  - id: page
    uses: report/page
    with: { file: out/page.html }
`;
const tested = `playbook-test: 1
playbook: prices.yaml
world: { time: 2026-01-31T08:00:00Z }
tests:
  - name: reads
    expect: { outcome: done }
`;
const note = paged.replaceAll(/paged|page\.html/g, (word) =>
  word === 'paged' ? 'note' : 'page.md',
);
const drawn = `${reading.replace('name: prices', 'name: drawn')}  - id: chart
    uses: report/chart
    with:
      from: rates
      file: out/chart.svg
      title: Rates
      description: Every coin by its rate.
      spec:
        mark: bar
        encoding: { x: { field: coin }, y: { aggregate: count } }
`;
const files = {
  'prices.yaml': reading,
  'paged.yaml': paged,
  'note.yaml': note,
  'drawn.yaml': drawn,
  'prices.test.yaml': tested,
};

interface Case {
  /** The written file. */
  readonly file: string;
  readonly words: readonly string[];
  /** Exit code of the refusal. */
  readonly exit: number;
  /** Whether an empty file must be kept. */
  readonly keepsEmpty?: true;
  /** Whether an absolute path is allowed, such as a device. */
  readonly isAnywhere?: true;
  /** Whether the target is a folder, whose content may be anything. */
  readonly isFolder?: true;
}

const place = 'out/file';
/** By verb and flag; files of steps come last. */
const cases: Readonly<Record<string, Case>> = {
  '--json-into': flag(['validate', 'prices.yaml', '--json-into', place]),
  'test --junit': flag(['test', 'prices.test.yaml', '--junit', place]),
  'plan --out': flag(['plan', 'prices.yaml', '--offline', '--out', place]),
  'approve --out': flag(['approve', 'p-00000000', '--out', place]),
  'decline --out': flag(['decline', 'p-00000000', '--out', place]),
  'sandbox start --ready-file': flag(['sandbox', 'start', '--port', '0', '--ready-file', place]),
  'sandbox start --state': {
    ...flag(['sandbox', 'start', '--port', '0', '--state', place]),
    keepsEmpty: true,
  },
  'plan --out-dir': {
    file: 'out/prices.json',
    words: ['plan', '--changed-since', 'HEAD', '--offline', '--out-dir', 'out'],
    exit: 2,
  },
  'schedule export --out': {
    file: 'out/deskhand.cron',
    words: ['schedule', 'export', 'prices.yaml', '--cron', '--out', 'out'],
    exit: 2,
  },
  'export --file': { ...exported('out/rows.csv'), keepsEmpty: true },
  'the manifest of export --file': exported('out/rows.csv.manifest.json'),
  'run --report': reported('run', 'prices.yaml'),
  'resume --report': reported('resume', 'r-000000000000'),
  'schedule run-due --report': reported('schedule', 'run-due', 'prices.yaml'),
  'export --report': reported('export', 'market/list-discount-rates', '--file', 'rows.csv'),
  'report/page as Markdown': {
    file: 'out/page.md',
    words: ['run', 'note.yaml'],
    exit: 1,
  },
  'report/chart': { file: 'out/chart.svg', words: ['run', 'drawn.yaml'], exit: 1 },
  'report/page': { file: 'out/page.html', words: ['run', 'paged.yaml'], exit: 1 },
  init: { file: 'out/.gitignore', words: ['init', 'out'], exit: 2, keepsEmpty: true },
  new: made('playbooks/tickers.yaml'),
  'the test of new': made('playbooks/tickers.test.yaml'),
};

function flag(words: readonly string[]): Case {
  return { file: place, words, exit: 2, isAnywhere: true };
}

function made(file: string): Case {
  const fields = ['--operation', 'market/list-tickers', '--with', 'category=SPOT'];
  return { file, words: ['new', 'tickers', ...fields], exit: 2, keepsEmpty: true };
}

function exported(file: string): Case {
  const words = ['export', 'market/list-discount-rates', '--file', 'out/rows.csv'];
  return { file, words, exit: 1 };
}

/** A file exists at the path of its folder. */
function reported(...words: readonly string[]): Case {
  return { file: 'out', words: [...words, '--report', 'out'], exit: 2, isFolder: true };
}

describe('the table of output flags', () => {
  /** A folder to work in, and one whose files are never replaced. */
  const elsewhere: readonly string[] = ['--dir', 'runs files --into'];
  const named = (prefix: string, flags: readonly Flag[]): readonly string[] =>
    flags
      .filter(({ flags: words, path }) => /<(?:file|dir|folder)>/.test(words) && path !== 'read')
      .map(({ flags: words }) => `${prefix}${longFlag(words)}`);

  test('lists every flag that names an output file', () => {
    const all = [
      ...named('', globalFlags),
      ...verbs.flatMap(({ name, flags }) => named(`${name} `, flags)),
    ];
    expect(all.filter((name) => !(name in cases) && !elsewhere.includes(name))).toEqual([]);
    expect(all.length).toBeGreaterThan(10);
  });
});

type Put = (path: string) => void;
const foreign: Readonly<Record<string, Put>> = {
  'a text': (path) => writeFileSync(path, 'buy milk\n'),
  'other JSON': (path) => writeFileSync(path, readableJson({ version: 1, mine: true })),
  bytes: (path) => writeFileSync(path, Buffer.from([0, 159, 146, 150, 10])),
  'an empty file': (path) => writeFileSync(path, ''),
  'a folder': (path) => mkdirSync(path),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a link to a text': (path) => {
    writeFileSync(`${path}.target`, 'buy milk\n');
    symlinkSync(`${basename(path)}.target`, path);
  },
  'a link to nothing': (path) => symlinkSync('nothing', path),
};

/** Everything below a folder, except the state folder. */
function seen(folder: string): readonly unknown[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.deskhand|\.git\b/.test(path))
    .map((path) => {
      const { mode, size, mtimeMs, ino } = lstatSync(path);
      const isFile = lstatSync(path).isFile();
      const isFolder = lstatSync(path).isDirectory(); // hidden files in it may change
      return [path, mode, ino, ...(isFolder ? [] : [size, mtimeMs])].concat(
        isFile ? [sha256(readFileSync(path))] : [],
      );
    });
}

/** A folder in which every command works, created once. */
function folderFor({ file, words }: Case): string {
  const folder = folderWith(files);
  if (words[0] !== 'init') mkdirSync(dirname(join(folder, file)), { recursive: true });
  if (words.includes('--changed-since')) committed(folder);
  return folder;
}

/** A repository in which one playbook is touched. */
function committed(folder: string): void {
  const git = (...args: string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  writeFileSync(join(folder, 'prices.yaml'), `${reading}# touched\n`);
}

/** Runs to its end; a sandbox that started is stopped. */
async function ended(words: readonly string[], cwd: string): Promise<Ended> {
  if (words[0] !== 'sandbox') return deskhand(words, { cwd });
  const child = begin(words, { cwd });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (text) => (stdout += text));
  child.stdout.once('data', () => child.kill('SIGTERM'));
  child.stderr.on('data', (text) => (stderr += text));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, stdout, stderr };
}

describe.each(Object.entries(cases).map(([name, one], at) => [name, one, at] as const))(
  '%s',
  (_name, one, at) => {
    const { file, words, exit, keepsEmpty = false } = one;
    // The first gets all of them; the others a text, a link to one, and another kind in turn.
    const refused = Object.entries(foreign)
      .filter(([name], turn) => at === 0 || name.endsWith(' text') || (turn + at) % 3 === 0)
      .filter(
        ([name]) =>
          (keepsEmpty || !/empty/.test(name)) && (!one.isFolder || !/folder|link/.test(name)),
      );

    test.each(refused)('does not change %s', async (_what, put) => {
      const cwd = folderFor(one);
      const path = join(cwd, file);
      mkdirSync(dirname(path), { recursive: true });
      put(path);
      if (lstatSync(path).isFile()) utimesSync(path, 1, 1);
      const before = seen(cwd);
      const { code, stdout, stderr } = await ended(words, cwd);
      expect([code, stderr + stdout]).toEqual([exit, expect.stringContaining(basename(file))]);
      expect(seen(cwd)).toEqual(before);
    });

    test('replaces only an empty file or its own earlier output', async () => {
      if (
        one.isFolder ||
        /approve|decline|new/.test(String(words[0])) ||
        /manifest|gitignore/.test(file)
      )
        return;
      const cwd = folderFor(one);
      const path = join(cwd, file);
      if (!keepsEmpty) writeFileSync(path, '');
      const more = words[0] === 'export' ? ['--overwrite'] : [];
      for (let time = 0; time < 2; time++) {
        const result = await ended([...words, ...more], cwd);
        expect([result.code, result.stderr], `${time}`).toEqual([0, expect.any(String)]);
        expect(lstatSync(path).size).toBeGreaterThan(0);
      }
      chmodSync(path, 0o400);
      const before = seen(cwd);
      const result = await ended(words, cwd);
      if (words[0] === 'init' || words[0] === 'export' || words[0] === 'run') return;
      expect(result.code).toBe(2);
      expect(seen(cwd)).toEqual(before);
    });

    const devices = one.isAnywhere ? ['/dev/null', '/dev/full', '/dev/stdout'] : [];

    test('does not change devices', async () => {
      const cwd = folderFor(one);
      for (const device of devices) {
        const { code, stderr } = await ended(
          words.map((word) => (word === place ? device : word)),
          cwd,
        );
        expect([code, stderr]).toEqual([2, expect.stringContaining(device)]);
      }
      expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
    });
  },
);

describe('init --force', () => {
  test('replaces only regular files and follows no link', async () => {
    const cwd = folderWith({ '.gitlab-ci.yml': 'mine\n', 'elsewhere/.keep': '' });
    expect((await deskhand(['init', '--gitlab', '--force'], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, '.gitlab-ci.yml'), 'utf8')).not.toContain('mine');
    rmSync(join(cwd, 'schemas'), { recursive: true });
    symlinkSync('elsewhere', join(cwd, 'schemas'));
    for (const put of [foreign['a link to a text'], foreign['a pipe'], foreign['a folder']]) {
      const path = join(cwd, '.gitignore');
      rmSync(path, { recursive: true, force: true });
      put?.(path);
      const before = seen(cwd);
      const result = await deskhand(['init', '--gitlab', '--force'], { cwd });
      expect([result.code, result.stderr]).toEqual([2, expect.stringContaining('is in the way')]);
      expect(seen(cwd)).toEqual(before);
    }
  });
});

test('two flags with one file are refused before anything is done', async () => {
  const cwd = folderWith(files);
  const words = ['test', 'prices.test.yaml', '--junit', 'a.xml', '--json-into', './a.xml'];
  const { code, stderr } = await deskhand(words, { cwd });
  expect([code, stderr]).toEqual([2, expect.stringContaining('name one file')]);
  expect(readdirSync(cwd).toSorted()).toEqual(Object.keys(files).toSorted());
});

test.each(['a folder', 'a pipe', 'a link to a text', 'a link to nothing'])(
  'the page of a pipeline’s job is not written if it is %s, and the command continues',
  async (what) => {
    const cwd = folderWith(files);
    foreign[what]?.(join(cwd, 'page'));
    const before = seen(cwd);
    const env = { GITHUB_STEP_SUMMARY: 'page' };
    const { code, stderr } = await deskhand(['validate', 'prices.yaml'], { cwd, env });
    expect([code, stderr]).toEqual([0, expect.stringContaining('GITHUB_STEP_SUMMARY is not')]);
    expect(seen(cwd)).toEqual(before);
  },
);

describe('links that leave the folder', () => {
  const untouched = (folder: string): void => expect(readdirSync(folder)).toEqual(['.keep']);

  test.each(['.deskhand', '.deskhand/runs', '.deskhand/plans', '.deskhand/sandbox', 'demo'])(
    'are not written through: %s',
    async (name) => {
      const elsewhere = folderWith({ '.keep': '' });
      const cwd = folderWith(files);
      mkdirSync(dirname(join(cwd, name)), { recursive: true });
      symlinkSync(elsewhere, join(cwd, name));
      const verbsOf = [['demo'], ['run', 'prices.yaml'], ['plan', 'prices.yaml']];
      for (const words of name === 'demo' ? verbsOf.slice(0, 1) : verbsOf) {
        const { code, stderr } = await deskhand(words, { cwd });
        expect([[2, 3].includes(code ?? 0), stderr]).toEqual([
          true,
          expect.stringMatching(/is a link/),
        ]);
        untouched(elsewhere);
      }
    },
  );

  test('are not written through by the sandbox world, test --update or fmt', async () => {
    const elsewhere = folderWith({
      world: 'mine\n',
      'x.yaml': `${reading}\n\n# mine\n`,
      't.yaml': tested,
    });
    const cwd = folderWith({ ...files, '.deskhand/sandbox/.keep': '' });
    symlinkSync(join(elsewhere, 'world'), join(cwd, '.deskhand/sandbox/world.ndjson'));
    symlinkSync(join(elsewhere, 'x.yaml'), join(cwd, 'x.yaml'));
    symlinkSync(join(elsewhere, 't.yaml'), join(cwd, 't.test.yaml'));
    const before = seen(elsewhere);
    for (const words of [
      ['run', 'prices.yaml'],
      ['fmt', 'x.yaml'],
      ['test', 't.test.yaml', '--update'],
    ]) {
      const { code, stderr } = await deskhand(words, { cwd });
      expect(code, stderr).toBeGreaterThan(0);
    }
    expect(seen(elsewhere)).toEqual(before);
  });
});

test('names with another meaning on other systems are refused in playbooks', async () => {
  const writing = (...names: readonly string[]): string =>
    `playbook: 1\nname: names\nsteps:\n${names
      .map(
        (name, at) =>
          `  - id: s${at}\n    uses: market/list-discount-rates\n    write: { file: "${name}" }\n`,
      )
      .join('')}`;
  const wrong: Readonly<Record<string, readonly string[]>> = {
    PB404: ['out/A.csv', 'out/a.csv'],
    PB407: ['out/con.csv'],
  };
  const cwd = folderWith({
    ...Object.fromEntries(
      Object.entries(wrong).map(([rule, names]) => [`${rule}.yaml`, writing(...names)]),
    ),
    ...Object.fromEntries(
      ['NUL.csv', 'com1/a.csv', 'lpt9.csv', 'aux.csv.gz', 'out./a.csv'].map((name, at) => [
        `PB407-${at}.yaml`,
        writing(name),
      ]),
    ),
    'fine.yaml': writing('out/console.csv', 'out/comma.csv', 'out/nul1.csv', 'a.csv'),
  });
  for (const name of readdirSync(cwd)) {
    const { code, stdout, stderr } = await deskhand(['validate', name], { cwd });
    const rule = /^PB\d+/.exec(name)?.[0];
    expect([code, stdout + stderr]).toEqual([rule ? 3 : 0, expect.stringContaining(rule ?? '')]);
  }
  const exporting = ['export', 'market/list-discount-rates', '--file'];
  const { code, stderr } = await deskhand([...exporting, 'nul.csv'], { cwd });
  expect([code, stderr]).toEqual([3, expect.stringMatching(/device on Windows/)]);
});
