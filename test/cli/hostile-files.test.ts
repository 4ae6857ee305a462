/** Every file that is read by name must be regular, within the size limit and inside the workspace. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verbs } from '../../src/cli/verbs/index.ts';
import { longFlag, type Flag, type Verb } from '../../src/cli/verbs/verb.ts';
import { deskhand, folderWith } from './deskhand.ts';

const playbook = `playbook: 1
name: prices
steps:
  - id: rates
    uses: market/list-discount-rates
`;

/** The kinds of hostile files, with the expected message. */
const hostile: Readonly<Record<string, readonly [(path: string) => void, RegExp]>> = {
  'a link to a device': [
    (path) => symlinkSync('/dev/zero', path),
    /outside|not a file|file not found/,
  ],
  'a pipe': [(path) => execFileSync('mkfifo', [path]), /is a pipe|file not found|not a file/],
  'a folder': [(path) => mkdirSync(path), /is a folder|no test found here|file not found/],
  'a large file': [sparse, /larger than 10 MB/],
};

function sparse(path: string): void {
  writeFileSync(path, playbook);
  truncateSync(path, 11 * 1024 * 1024);
}

const named: ReadonlySet<string> = new Set([
  'playbook',
  'playbook-or-plan',
  'test',
  'file',
  'plan',
]);
/** Commands that continue past an unreadable file until stopped; `run-due` reads files the same way. */
const neverEnds = 'schedule serve';
/** Exports are verified in a stream, whatever their size. */
const readsAnySize: ReadonlySet<string> = new Set(['verify']);

/** Needs an existing run, or is read as by `run`. */
const asksForRun: ReadonlySet<string> = new Set(['resume --plan <file>']);

/** Verbs that read a file argument, by the type of their first argument. */
const reading = verbs
  .filter(({ choices: [first] = [] }) => named.has(String(first)))
  .filter(({ name }) => name !== neverEnds);
const flagged: readonly (readonly [Verb, Flag])[] = verbs.flatMap((verb) =>
  verb.flags
    .filter(({ path, flags }) => path === 'read' && !asksForRun.has(`${verb.name} ${flags}`))
    .map((flag) => [verb, flag] as const),
);

/** Other required arguments of a verb. */
const before: Readonly<Record<string, readonly string[]>> = {
  approve: ['p-00000000'],
  decline: ['p-00000000'],
  rehearse: ['prices.yaml'],
  plan: ['prices.yaml'],
  run: ['prices.yaml'],
  'schedule export': ['--cron'],
  import: ['prices.yaml', 'rates', '--id', '1'],
};

/** Arguments after the file, without which a verb asks for them first. */
const behind: Readonly<Record<string, readonly string[]>> = {
  import: ['rates', '--id', '1'],
};

const folder = (): string => folderWith({ 'prices.yaml': playbook, 'event.json': event });
const event = JSON.stringify({ number: 1, pull_request: { number: 1 } });

/** Settings of a pipeline, without which nothing is read. */
const env = {
  GITHUB_ACTIONS: 'true',
  GITHUB_REPOSITORY: 'a/b',
  GITHUB_TOKEN: 'none',
  GITHUB_API_URL: 'http://127.0.0.1:9',
  GITHUB_EVENT_PATH: 'event.json',
};

async function refused(words: readonly string[], cwd: string, message: RegExp): Promise<void> {
  const { code, stdout, stderr } = await deskhand(words, { cwd, env });
  expect(code, stderr).toBeGreaterThan(0);
  expect(stdout + stderr).toMatch(message);
  expect(stdout + stderr).not.toMatch(/\n\s+at |internal/);
}

describe.each(Object.entries(hostile))('%s', (what, [put, message]) => {
  const isLarge = what === 'a large file';
  // Every verb and flag gets two of the four kinds, alternating.
  const kind = Object.keys(hostile).indexOf(what);
  const isTurn = (_: unknown, at: number): boolean => (at + kind) % 2 === 0;
  const verbsNow = reading.filter(isTurn).filter(({ name }) => !isLarge || !readsAnySize.has(name));

  test.each(verbsNow.map((verb) => [verb.name, verb] as const))(
    'is not read by %s',
    async (name, { choices }) => {
      const cwd = folder();
      const file = choices?.[0] === 'test' ? 'x.test.yaml' : 'x.yaml';
      put(join(cwd, file));
      const options = name === 'schedule export' ? ['--cron'] : [];
      await refused([...name.split(' '), ...options, file, ...(behind[name] ?? [])], cwd, message);
    },
    20_000,
  );

  const flagsNow = flagged
    .filter(isTurn)
    .filter(([, { flags }]) => !isLarge || longFlag(flags) !== '--key');
  test.each(flagsNow.map(([verb, flag]) => [verb.name, longFlag(flag.flags)] as const))(
    'is not read by %s %s',
    async (name, flag) => {
      const cwd = folder();
      put(join(cwd, 'x.yaml'));
      const isOfInputs = isLarge && flag === '--var-file'; // YAML has a lower limit than CSV and JSON
      const words = [...name.split(' '), ...(before[name] ?? []), flag, 'x.yaml'];
      await refused(words, cwd, isOfInputs ? /larger than 4 MB, the limit of YAML/ : message);
    },
    20_000,
  );

  test('is not accepted as a configuration, a nested playbook or a guards file', async () => {
    const cwd = folderWith({
      'outer.yaml': playbook.replace('market/list-discount-rates', './lib.yaml'),
      'prices.yaml': playbook,
      'x.test.yaml': 'playbook-test: 1\nplaybook: lib.yaml\ntests: [{ name: a, expect: {} }]\n',
    });
    put(join(cwd, 'lib.yaml'));
    await refused(['validate', 'outer.yaml'], cwd, /PB411/);
    await refused(['test', 'x.test.yaml'], cwd, /lib.yaml cannot be read/);
    writeFileSync(join(cwd, 'deskhand.yaml'), 'profiles: { main: { guards: ./lib.yaml } }\n');
    await refused(['plan', 'prices.yaml'], cwd, /lib.yaml, which (cannot be read|is outside)/);
    rmSync(join(cwd, 'deskhand.yaml'));
    put(join(cwd, 'deskhand.yaml'));
    await refused(['plan', 'prices.yaml'], cwd, /deskhand.yaml (cannot be read|is a link)/);
  });
});

test('a device is not read, by name or as standard input', async () => {
  const cwd = folder();
  await refused(['validate', '/dev/zero'], cwd, /is a device, not a file/);
  const { code, stderr } = await deskhand(['validate', '-'], { cwd, input: 'x'.repeat(11 << 20) });
  expect([code, stderr]).toEqual([2, expect.stringContaining('larger than 10 MB')]);
});

test('a larger file is read with a flag', async () => {
  const cwd = folder();
  const seal = '{"seal":\n'; // damage after it is known only after reading
  writeFileSync(join(cwd, 'x.json'), `${seal}${' '.repeat(10 * 1024 * 1024)}`);
  await refused(['run', 'x.json'], cwd, /larger than 10 MB[^]*--max-file-size 100/);
  await refused(['run', 'x.json', '--max-file-size', '0'], cwd, /not a number of megabytes/);
  await refused(['run', 'x.json', '--max-file-size', '11'], cwd, /changed after it was saved/);
});

describe('a link that leaves the workspace', () => {
  const secret = 'hunter2-of-the-environment';
  const places: Readonly<Record<string, string>> = {
    'the environment of the process': '/proc/self/environ',
    'a file elsewhere': '', // see below
  };

  test.each(Object.keys(places))(
    'is neither read nor quoted: %s',
    async (name) => {
      const elsewhere = folderWith({ 'secret.txt': `${secret}: [\n` });
      const place = places[name] || join(elsewhere, 'secret.txt');
      const cwd = folderWith({
        'outer.yaml': playbook.replace('market/list-discount-rates', './linked/secret.txt.yaml'),
        'playbooks/x.test.yaml': `playbook-test: 1\nplaybook: ../up.yaml\ntests: [{ name: a, expect: {} }]\n`,
        'playbooks/y.test.yaml': `playbook-test: 1\nplaybook: ../../${elsewhere.split('/').at(-1)}/secret.txt\ntests: [{ name: a, expect: {} }]\n`,
      });
      symlinkSync(place, join(cwd, 'playbooks', 'x.yaml'));
      symlinkSync(place, join(cwd, 'up.yaml'));
      symlinkSync(elsewhere, join(cwd, 'linked'));
      symlinkSync('secret.txt', join(elsewhere, 'secret.txt.yaml'));
      const tries = [
        ['validate'],
        ['validate', 'playbooks/x.yaml'],
        ['validate', join(cwd, 'playbooks', 'x.yaml')],
        ['fmt', 'playbooks/x.yaml'],
        ['plan', 'playbooks/x.yaml'],
        ['plan', 'linked/secret.txt'],
        ['validate', 'outer.yaml'],
        ['test', 'playbooks/x.test.yaml'],
        ['test', 'playbooks/y.test.yaml'],
        ['graph', 'up.yaml'],
        ['rehearse', 'up.yaml'],
        ['sandbox', 'start', '--port', '0', '--scenario', 'up.yaml'],
      ];
      for (const words of tries) {
        const { code, stdout, stderr } = await deskhand(words, { cwd, env: { PASS: secret } });
        expect(code, `${words.join(' ')}: ${stdout}`).toBeGreaterThan(0);
        expect(stdout + stderr, words.join(' ')).not.toContain(secret);
      }
      symlinkSync(place, join(cwd, 'deskhand.yaml'));
      const { code, stdout, stderr } = await deskhand(['doctor', '--offline'], { cwd });
      expect(code).toBeGreaterThan(0);
      expect(stdout + stderr).not.toContain(secret);
    },
    30_000,
  );

  test('links within the workspace are followed', async () => {
    const cwd = folderWith({ 'shared/prices.yaml': playbook, 'playbooks/.keep': '' });
    symlinkSync('../shared/prices.yaml', join(cwd, 'playbooks', 'prices.yaml'));
    expect((await deskhand(['validate', 'playbooks/prices.yaml'], { cwd })).code).toBe(0);
  });
});
