/** Tests of a playbook, and the result of their last run from the page. */
import { dirname, join, normalize, relative } from 'node:path';
import {
  choice,
  list,
  optional,
  record,
  text,
  truth,
  type Infer,
} from '../../../exchange/api/schema.ts';
import { isCode } from '../../../base/error.ts';
import { fieldOf, isRecord, sha256 } from '../../../base/json.ts';
import { readRegular } from '../../../base/read-file.ts';
import { plainText } from '../../../base/text.ts';
import { testsBelow } from '../../../app/config/playbook-files.ts';
import { makeFolder, replaceFile } from '../../../engine/journal/file.ts';
import { readYaml } from '../../../language/source.ts';
import { printedIn, type Ended } from '../../../app/machine/start-process.ts';
import type { Desk } from '../desk.ts';
import { moment } from '../shapes.ts';

const result = record({
  file: text(),
  name: text(),
  verdict: choice(['passed', 'failed', 'broken']),
  because: list(text()),
});

export const testsView = record({
  files: list(text()),
  last: optional(
    record({
      at: moment('When they ended'),
      who: text(),
      isOlder: truth,
      results: list(result),
    }),
  ),
});

export type TestsView = Infer<typeof testsView>;
type Results = NonNullable<TestsView['last']>['results'];

interface LastTests {
  readonly version: 1;
  readonly at: number;
  readonly who: string;
  /** The SHA-256 of the playbook and the test files. */
  readonly of: string;
  readonly results: Results;
}

/** Test files that name the playbook, relative to the desk. */
export async function testFilesOf({ folder }: Desk, file: string): Promise<readonly string[]> {
  const all = (await testsBelow(join(folder, dirname(file)))) ?? [];
  const found = await Promise.all(
    all.map(async (path) => ((await playbookIn(path)) === join(folder, file) ? [path] : [])),
  );
  return found.flat().map((path) => relative(folder, path));
}

async function playbookIn(path: string): Promise<string | undefined> {
  try {
    const named = fieldOf(readYaml(await readRegular(path), path), 'playbook');
    return typeof named === 'string' ? normalize(join(dirname(path), named)) : undefined;
  } catch {
    return undefined; // `test` shows what is wrong with it
  }
}

export async function testsViewOf(desk: Desk, file: string): Promise<TestsView> {
  const files = await testFilesOf(desk, file);
  const last = await lastOf(desk, file);
  if (last === undefined) return { files };
  const { at, who, of, results } = last;
  return { files, last: { at, who, results, isOlder: of !== (await digestOf(desk, file, files)) } };
}

/** Keeps the output of `test -o json`. @returns false if it has no results */
export async function keepTests(
  desk: Desk,
  file: string,
  { ended, who, at }: { readonly ended: Ended; readonly who: string; readonly at: number },
): Promise<boolean> {
  const printed = fieldOf(printedIn(ended), 'files');
  if (!Array.isArray(printed)) return false;
  const files = await testFilesOf(desk, file);
  const last: LastTests = {
    version: 1,
    at,
    who: plainText(who, 100),
    of: await digestOf(desk, file, files),
    results: printed.flatMap(resultsIn).slice(0, resultsMax),
  };
  const path = pathOf(desk, file);
  await makeFolder(dirname(path));
  await replaceFile(path, JSON.stringify(last));
  return true;
}

const resultsMax = 500;

function resultsIn(printed: unknown): Results {
  const file = plainText(textAt(printed, 'file'), 200);
  const tests = fieldOf(printed, 'tests');
  if (!Array.isArray(tests)) return [];
  const all: Results = tests.map((test: unknown) => {
    const differences = fieldOf(test, 'differences');
    const broken = textAt(fieldOf(test, 'broken'), 'message');
    const different = (Array.isArray(differences) ? differences : []).map(
      (each: unknown) =>
        `${textAt(each, 'what')}: expected ${textAt(each, 'expected')}, found ${textAt(each, 'got')}`,
    );
    return {
      file,
      name: plainText(textAt(test, 'name'), 200),
      verdict: verdictIn(test),
      because: [...(broken === '' ? [] : [broken]), ...different]
        .slice(0, 20)
        .map((line) => plainText(line, 300)),
    };
  });
  const hasProblems = fieldOf(printed, 'problems') !== undefined;
  if (!hasProblems) return all;
  return [...all, { file, name: 'the file is not valid', verdict: 'broken', because: [] }];
}

function textAt(value: unknown, key: string): string {
  const found = fieldOf(value, key);
  return typeof found === 'string' ? found : '';
}

async function digestOf({ folder }: Desk, file: string, tests: readonly string[]): Promise<string> {
  const texts = await Promise.all(
    [file, ...tests].map(async (each) => {
      const bytes = await readRegular(join(folder, each)).catch(() => Buffer.from(''));
      return sha256(bytes.toString('utf8'));
    }),
  );
  return sha256(texts.join('\n'));
}

function pathOf({ config: { stateDir } }: Desk, file: string): string {
  return join(stateDir, 'serve', 'tests', `${sha256(file)}.json`);
}

async function lastOf(desk: Desk, file: string): Promise<LastTests | undefined> {
  let value: unknown;
  try {
    value = JSON.parse((await readRegular(pathOf(desk, file))).toString('utf8'));
  } catch (error) {
    if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isRecord(value) || value['version'] !== 1) return undefined;
  const { at, who, of, results } = value;
  if (typeof at !== 'number' || typeof who !== 'string' || typeof of !== 'string') return undefined;
  return Array.isArray(results)
    ? { version: 1, at, who, of, results: results.map(resultIn) }
    : undefined;
}

/** The test result of a file as it was kept; a damaged one is shown as broken. */
function resultIn(kept: unknown): Results[number] {
  const because = fieldOf(kept, 'because');
  return {
    file: textAt(kept, 'file'),
    name: textAt(kept, 'name'),
    verdict: verdictIn(kept),
    because: Array.isArray(because) ? because.map(String) : [],
  };
}

function verdictIn(value: unknown): Results[number]['verdict'] {
  const said = textAt(value, 'verdict');
  return said === 'passed' || said === 'failed' ? said : 'broken';
}
