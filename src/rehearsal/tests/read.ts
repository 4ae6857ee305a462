/** Reads a `*.test.yaml` file: its tests, or all its problems. */
import { momentIn, type Millis } from '../../base/clock.ts';
import { isJsonRecord, type Json } from '../../base/json.ts';
import type { Problem } from '../../language/problem.ts';
import type { SourceRange } from '../../language/source-range.ts';
import { Problems } from '../../language/problems.ts';
import { plain, readSource } from '../../language/source.ts';
import { structureCheck } from '../../language/structure.ts';
import { childOf, textOf, type MapNode, type SourceNode } from '../../language/text/node.ts';
import type { SourceText } from '../../language/text/positions.ts';
import type { OnDoubt } from '../../engine/effects/effect-context.ts';
import { playbookTestSchema } from './schema.ts';
import { checkScenario } from './scenario.ts';
import { answerWords, type ScriptedAnswer } from '../scripted-answers.ts';
import { sandboxRoles, type SandboxRole } from '../../sandbox/world/initial-accounts.ts';

/** A request to the control interface of the sandbox. */
export interface Command {
  /** The path of the request, below `/_sandbox/`. */
  readonly path: string;
  readonly fields: Json;
  readonly at: SourceRange;
}

export interface WorldPlan {
  readonly seed: number;
  /** The time at which the world starts. */
  readonly time: Millis;
  readonly account: SandboxRole;
  /** The profile of that account. Default: its role. */
  readonly profile?: string;
  /** The keys for the other profiles that steps name. */
  readonly accounts: ReadonlyMap<string, SandboxRole>;
  /** Whether other profiles get new accounts like that of the playbook. Default: they are refused. */
  readonly opensAccounts?: true;
  readonly onDoubt: OnDoubt;
  /** The output of programs, by their name; none is started. Default: no output. */
  readonly programs: ReadonlyMap<string, string>;
  /** How `approve` steps are answered, by address. Default: they are approved. */
  readonly answers: ReadonlyMap<string, ScriptedAnswer>;
  readonly commands: readonly Command[];
}

export interface PlaybookTest {
  readonly name: string;
  readonly at: SourceRange;
  readonly world: WorldPlan;
  /** The inputs of the playbook; numbers keep their digits. */
  readonly inputs: ReadonlyMap<string, Json>;
  readonly faults: readonly Command[];
  /** Expected results of the run, as the test states them. Default: none. */
  readonly expect?: MapNode;
  /** Expectations for a second run in the same world. */
  readonly again?: MapNode;
}

export interface TestFile {
  readonly source: SourceText;
  /** The path of the playbook as written, relative to the test file. */
  readonly playbook: { readonly path: string; readonly at: SourceRange };
  readonly tests: readonly PlaybookTest[];
}

export interface ReadTests {
  /** The file of tests; absent if a problem is an error. */
  readonly file?: TestFile;
  readonly problems: readonly Problem[];
}

const checkTests = structureCheck(() => playbookTestSchema({ details: false }));

/** Reads a file of tests. @param name the file's name in problems */
export function readTests(given: Uint8Array | string, name: string): ReadTests {
  const problems = new Problems();
  const { source, tree } = readSource(given, name, problems);
  if (tree !== undefined) checkTests(tree, source, problems);
  if (tree === undefined || problems.hasErrors) return { problems: problems.sorted() };
  const reading = { source, problems };
  const playbook = childOf(tree, 'playbook');
  const tests = itemsOf(childOf(tree, 'tests')).map((node) => testOf(node, tree, reading));
  if (problems.hasErrors) return { problems: problems.sorted() };
  const path = { path: textOf(playbook) ?? '', at: source.of(playbook ?? tree) };
  return { file: { source, playbook: path, tests }, problems: problems.sorted() };
}

interface Reading {
  readonly source: SourceText;
  readonly problems: Problems;
}

function testOf(node: SourceNode, file: SourceNode, reading: Reading): PlaybookTest {
  const name = childOf(node, 'name');
  const expect = childOf(node, 'expect');
  const again = childOf(node, 'again');
  return {
    name: textOf(name) ?? '',
    at: reading.source.of(name ?? node),
    world: worldOf([childOf(file, 'world'), childOf(node, 'world')], reading),
    inputs: new Map([...inputsOf(childOf(file, 'inputs')), ...inputsOf(childOf(node, 'inputs'))]),
    faults: itemsOf(childOf(node, 'faults')).map((fault) => ({
      path: 'faults',
      fields: plain(fault),
      at: reading.source.of(fault),
    })),
    ...(expect?.kind === 'map' && { expect }),
    ...(again?.kind === 'map' && { again }),
  };
}

const usualTime = Date.UTC(2026, 0, 31, 8); // arbitrary, but not close to a new year

/** Merges the file's world with the test's own, which takes precedence and is applied later. */
function worldOf(nodes: readonly (SourceNode | undefined)[], reading: Reading): WorldPlan {
  const last = (key: string): SourceNode | undefined =>
    nodes.map((node) => childOf(node, key)).findLast((child) => child !== undefined);
  const seed = last('seed');
  const time = textOf(last('time'));
  const account = textOf(last('account'));
  return {
    seed: seed?.kind === 'scalar' && typeof seed.value === 'number' ? seed.value : 1,
    time: time === undefined ? usualTime : momentOf(time, last('time'), reading),
    account: sandboxRoles.find((known) => known === account) ?? 'hedge',
    accounts: new Map(nodes.flatMap((node) => accountsIn(childOf(node, 'accounts')))),
    programs: new Map(nodes.flatMap((node) => programsIn(childOf(node, 'programs')))),
    answers: new Map(nodes.flatMap((node) => answersIn(childOf(node, 'answers')))),
    onDoubt: textOf(last('on-doubt')) === 'ask' ? 'ask' : 'resend',
    commands: nodes.flatMap((node) => [
      ...scenarioOf(childOf(node, 'scenario'), reading),
      ...itemsOf(childOf(node, 'commands')).flatMap((command) => commandOf(command, reading)),
    ]),
  };
}

function programsIn(node: SourceNode | undefined): [string, string][] {
  if (node?.kind !== 'map') return [];
  return [...node.entries].map(([name, { value }]) => [name, textOf(value) ?? '']);
}

function answersIn(node: SourceNode | undefined): [string, ScriptedAnswer][] {
  if (node?.kind !== 'map') return [];
  return [...node.entries].flatMap(([address, { value }]) =>
    answerWords
      .filter((known) => known === textOf(value))
      .map((known): [string, ScriptedAnswer] => [address, known]),
  );
}

function accountsIn(node: SourceNode | undefined): [string, SandboxRole][] {
  if (node?.kind !== 'map') return [];
  return [...node.entries].flatMap(([name, { value }]) =>
    sandboxRoles
      .filter((known) => known === textOf(value))
      .map((known): [string, SandboxRole] => [name, known]),
  );
}

function momentOf(text: string, node: SourceNode | undefined, reading: Reading): Millis {
  const time = momentIn(text);
  if (time !== undefined) return time;
  const at = reading.source.of(node ?? { start: 0, end: 0 });
  reading.problems.add('PB105', at, `invalid time: ${text}`);
  return usualTime;
}

/** Reads a scenario, which may also be a single command. */
function scenarioOf(node: SourceNode | undefined, reading: Reading): Command[] {
  if (node?.kind !== 'map') return [];
  const parts = plain(node);
  const fields = { version: 1, ...(isJsonRecord(parts) && parts) };
  checkScenario(node, fields, reading);
  return [{ path: 'scenario', fields, at: reading.source.of(node) }];
}

function commandOf(node: SourceNode, { source, problems }: Reading): Command[] {
  const entries = node.kind === 'map' ? [...node.entries] : [];
  const [first, second] = entries;
  if (first === undefined || second !== undefined) {
    problems.add('PB103', source.of(node), 'a command is one path with its fields', {
      hint: 'start every command with its own dash',
    });
    return [];
  }
  const [path, { key, value }] = first;
  return [{ path, fields: plain(value), at: source.of(key) }];
}

/** Reads the inputs of a test; a number keeps its digits. */
function inputsOf(node: SourceNode | undefined): [string, Json][] {
  if (node?.kind !== 'map') return [];
  return [...node.entries].map(([name, { value }]) => [
    name,
    value.kind === 'scalar' && typeof value.value === 'number' ? value.text : plain(value),
  ]);
}

function itemsOf(node: SourceNode | undefined): readonly SourceNode[] {
  return node?.kind === 'list' ? node.items : [];
}
