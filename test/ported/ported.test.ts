/**
 * Ten jobs that others publish as examples of their tools, written as playbooks in own words and with
 * own numbers: each is at most as long as its origin, and writes the expected files, byte by byte.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadPlaybook } from '../../src/language/load.ts';
import { compare } from '../../src/rehearsal/tests/compare.ts';
import { openTests, type OpenedTests } from '../../src/rehearsal/tests/play.ts';
import type { Observation } from '../../src/rehearsal/tests/observation.ts';
import { tryPlaybook, type Trial } from '../../src/rehearsal/tests/trial.ts';
import { documentRenderer } from '../../src/report/renderer.ts';
import { folderWith } from '../cli/deskhand.ts';
import { inside } from '../cli/inside.ts';

const folder = import.meta.dirname;
const program = 'deskhand test';
const options = { documents: documentRenderer(program), program };

/** The jobs of the README, with their length and that of their origin. */
const readme = readFileSync(join(folder, 'README.md'), 'utf8');
const jobs = [...readme.matchAll(/^\| \[([\w-]+)\]\S* \| (\d+) \|.*\| (\d+) \|[^|]*\|$/gm)].map(
  ([, job = '', lines, origin]) => ({ job, lines: Number(lines), origin: Number(origin) }),
);

test('ten jobs have a playbook, its tests and an origin', () => {
  const files = readdirSync(folder).filter((name) => /(?<!\.test)\.yaml$/.test(name));
  expect(files.map((name) => name.replace('.yaml', ''))).toEqual(jobs.map(({ job }) => job));
  expect(jobs).toHaveLength(10);
});

describe.each(jobs)('$job', ({ job, lines, origin }) => {
  const text = readFileSync(join(folder, `${job}.yaml`), 'utf8');
  let opened: OpenedTests;
  let trials: readonly Trial[];

  beforeAll(async () => {
    const file = relative(process.cwd(), join(folder, `${job}.test.yaml`)); // a page names its playbook
    const { opened: found, problems } = await openTests(file, readFileSync(file), {});
    if (found === undefined) throw new Error(JSON.stringify(problems, undefined, 2));
    opened = found;
    const made: Trial[] = [];
    for (const each of opened.tests) made.push(await tryPlaybook(opened.program, each, options));
    trials = made;
  });

  test('it has no problems and no warnings, and is not longer than its origin', () => {
    expect(loadPlaybook(text, `${job}.yaml`).problems).toEqual([]);
    expect(text.trimEnd().split('\n')).toHaveLength(lines);
    expect(lines).toBeLessThanOrEqual(origin);
  });

  test('plan and run are as its tests say', () => {
    for (const [place, { expect: wanted, again, name }] of opened.tests.entries()) {
      const seen = trials[place];
      if (seen === undefined) throw new Error(name);
      if (wanted === undefined) throw new Error(`${name} expects nothing`);
      expect([name, compare(wanted, seen.first)]).toEqual([name, []]);
      if (again && seen.again) expect([name, compare(again, seen.again)]).toEqual([name, []]);
    }
  });

  test('its files are the expected ones, byte by byte', async () => {
    const [first] = trials;
    const files = filesOf(first?.again ?? first?.first);
    const expected = join(folder, 'expected', job);
    if (process.env['UPDATE'] === '1') await write(expected, files);
    expect(Object.fromEntries(files)).toEqual(Object.fromEntries(read(expected)));
  });
});

test('mistakes of a client list are shown with row and column, and nothing is sent', async () => {
  const names = ['client-list.yaml', 'clients-with-mistakes.csv'];
  const cwd = folderWith(
    Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')])),
  );
  const words = ['client-list.yaml', '--var-file', 'clients=clients-with-mistakes.csv'];
  for (const verb of ['plan', 'run']) {
    const { code, stdout, stderr } = await inside([verb, ...words], { cwd });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatchInlineSnapshot(`
      "no deskhand.yaml: account main is the profile sandbox
      ✖ clients-with-mistakes.csv:3:1: name: "Birch" does not match ^[a-z]{3,20}$
      ✖ clients-with-mistakes.csv:3:12: since: "2026-02-30" is not a time  (write 2026-01-31, 2026-01-31T08:00:00+08:00 or Unix milliseconds)
      ✖ clients-with-mistakes.csv:4:7: desk: "bonds" is not rates, spot or options
      ✖ clients-with-mistakes.csv:4:24: limit: "1e6" is not a decimal number
      ✖ clients-with-mistakes.csv:6:25: limit: 2000000 is above 1000000
      error[invalid] 1 input of client-list cannot be used; nothing was sent
        help  correct the file, and repeat the command
      "
    `);
  }
  expect(existsSync(join(cwd, '.deskhand', 'runs'))).toBe(false);
});

/** The files of a run without manifests, which name the version of the API. Styles of pages are left out. */
function filesOf(seen: Observation | undefined): ReadonlyMap<string, string> {
  const files = [...(seen?.files ?? [])].filter(([name]) => !name.endsWith('.manifest.json'));
  return new Map(files.map(([name, bytes]) => [name.replace(/^out\//, ''), textOf(bytes, name)]));
}

/** A workbook as its bytes in hexadecimal. */
function textOf(bytes: Buffer, name: string): string {
  if (name.endsWith('.xlsx')) return bytes.toString('hex');
  return bytes.toString('utf8').replace(/<style>[^]*?<\/style>/g, '<style></style>');
}

function read(expected: string): ReadonlyMap<string, string> {
  if (!existsSync(expected)) return new Map();
  const found = readdirSync(expected, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
  return new Map(
    found.sort().map((file) => {
      const name = relative(expected, file).replaceAll('\\', '/');
      return [name, textOf(readFileSync(file), name)];
    }),
  );
}

async function write(expected: string, files: ReadonlyMap<string, string>): Promise<void> {
  await rm(expected, { recursive: true, force: true });
  for (const [name, text] of files) {
    await mkdir(dirname(join(expected, name)), { recursive: true });
    await writeFile(join(expected, name), text, name.endsWith('.xlsx') ? 'hex' : 'utf8');
  }
}
