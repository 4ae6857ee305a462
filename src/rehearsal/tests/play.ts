/** Reads and runs a file of tests. */
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock, Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/error.ts';
import { nearWord } from '../../base/text.ts';
import { readInside, workspaceFor } from '../../base/workspace.ts';
import { checkedFiles, type CheckedFile } from '../../language/format.ts';
import { loadPlaybook, type Loading } from '../../language/load.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { SourceRange } from '../../language/source-range.ts';
import { Problems } from '../../language/problems.ts';
import type { MapNode } from '../../language/text/node.ts';
import { compare } from './compare.ts';
import type { Mismatch } from './mismatch.ts';
import type { Observation } from './observation.ts';
import { readTests, type PlaybookTest, type TestFile } from './read.ts';
import type { TrialOptions } from '../private-run.ts';
import { tryPlaybook } from './trial.ts';
import { firstExpectation, type Revision } from './update.ts';
import { CommandRefusedError } from './world.ts';

/** A file of tests that can be run. */
export interface OpenedTests extends TestFile {
  readonly program: Playbook;
}

/** Opens a file of tests. @returns its tests, or the files with problems */
export async function openTests(
  path: string,
  bytes: Uint8Array,
  loading: Pick<Loading, 'include' | 'itemsMax'>,
): Promise<
  | { readonly opened: OpenedTests; readonly problems?: undefined }
  | { readonly opened?: undefined; readonly problems: readonly CheckedFile[] }
> {
  const text = Buffer.from(bytes).toString('utf8');
  const { file, problems } = readTests(bytes, path);
  if (file === undefined) return { problems: [{ file: path, text, problems }] };
  const playbook = join(dirname(path), file.playbook.path);
  let source: Uint8Array;
  try {
    source = readInside(workspaceFor(path), playbook);
  } catch (error) {
    const missing = await missingPlaybook(playbook, file.playbook.at, error);
    return { problems: [{ file: path, text, problems: missing.sorted() }] };
  }
  const loaded = loadPlaybook(source, playbook, loading);
  if (loaded.playbook !== undefined) return { opened: { ...file, program: loaded.playbook } };
  const checked = { file: playbook, text: Buffer.from(source).toString('utf8') };
  return { problems: checkedFiles(checked, loaded) };
}

async function missingPlaybook(path: string, at: SourceRange, error: unknown): Promise<Problems> {
  const problems = new Problems();
  const names = await readdir(dirname(path)).catch(() => []);
  const near = nearWord(
    path,
    names.map((name) => join(dirname(path), name)),
  );
  const hint = near === undefined ? messageOf(error) : `did you mean ${near}?`;
  problems.add('PB105', at, `the playbook ${path} cannot be read`, { hint });
  return problems;
}

/** A difference between an expectation and the result. */
export interface Difference {
  /** The path of the value: `orders.0.price`; it starts with `again` for the second run. */
  readonly what: string;
  readonly at: SourceRange;
  readonly expected: string;
  readonly got: string;
}

export interface TestResult {
  readonly name: string;
  readonly at: SourceRange;
  readonly tookMs: Millis;
  readonly differences: readonly Difference[];
  /** Why the test could not be completed. */
  readonly broken?: { readonly at: SourceRange; readonly message: string };
  /** Changes that make the test's expectations match. */
  readonly revisions: readonly Revision[];
}

export interface PlayOptions extends TrialOptions {
  /** Measures the duration of tests; the clock inside a test is fixed. */
  readonly clock: Clock;
}

/** Runs one test. @param place the test's position in the list */
export async function playTest(
  { program, source }: OpenedTests,
  test: PlaybookTest,
  place: number,
  { clock, ...options }: PlayOptions,
): Promise<TestResult> {
  const began = clock.monotonic();
  const named = { name: test.name, at: test.at };
  const taken = (): Millis => clock.monotonic() - began;
  try {
    const { first, again } = await tryPlaybook(program, test, options);
    const views = [
      look('expect', test.expect, first, place),
      ...(again === undefined ? [] : [look('again', test.again, again, place)]),
    ];
    const differences = views.flatMap(({ key, mismatches }) =>
      mismatches.map(({ path, node, expected, got }) => ({
        what: [...(key === 'again' ? [key] : []), ...path].join('.'),
        at: source.of(node),
        expected,
        got,
      })),
    );
    const revisions = views.flatMap(({ revision }) => (revision === undefined ? [] : [revision]));
    const broken = isSilent(test) && { at: test.at, message: 'it expects nothing' };
    return { ...named, tookMs: taken(), differences, revisions, ...(broken && { broken }) };
  } catch (error) {
    if (!(error instanceof CommandRefusedError)) throw error;
    const broken = { at: error.command.at, message: error.message };
    return { ...named, tookMs: taken(), differences: [], revisions: [], broken };
  }
}

/** Whether a test has no expectation that can fail. */
function isSilent({ expect, again }: PlaybookTest): boolean {
  return (expect?.entries.size ?? 0) + (again?.entries.size ?? 0) === 0;
}

interface View {
  readonly key: Revision['key'];
  readonly mismatches: readonly Mismatch[];
  readonly revision?: Revision;
}

function look(
  key: Revision['key'],
  expect: MapNode | undefined,
  seen: Observation,
  test: number,
): View {
  if (expect === undefined) {
    const change = { kind: 'write', value: firstExpectation(seen) } as const;
    return { key, mismatches: [], revision: { test, key, change } };
  }
  const mismatches = compare(expect, seen);
  if (mismatches.every(({ fix }) => fix === undefined)) return { key, mismatches };
  return { key, mismatches, revision: { test, key, change: { kind: 'fix', mismatches } } };
}
