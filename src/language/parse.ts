/** Converts a validated tree to a playbook: the last stage. */
import { sha256 } from '../base/json.ts';
import {
  readGuards,
  readInputs,
  readSchedule,
  retryIn,
  spanIn,
  templatesIn,
  textsIn,
  type Reading,
} from './parts.ts';
import { effortOf } from './expression/effort.ts';
import { isPlaybookPath } from './includes.ts';
import { localOf } from './locals.ts';
import {
  onErrorWords,
  type Action,
  type Expectation,
  type Named,
  type Playbook,
  type Step,
  type Template,
} from './playbook.ts';
import { actionOf, nearAction } from './uses.ts';
import { writeIn } from './write.ts';
import { childOf, textOf, type SourceNode } from './text/node.ts';

/** Everything that could be parsed; the rest is in the problems. */
export function parsePlaybook(tree: SourceNode, reading: Reading): Playbook {
  const { source } = reading;
  const description = textOf(childOf(tree, 'description'));
  const account = textOf(childOf(tree, 'account'));
  const named = letIn(childOf(tree, 'let'), reading, false);
  const inner = withNamed(named, reading);
  return {
    name: textOf(childOf(tree, 'name')) ?? '',
    ...(description !== undefined && { description }),
    file: source.file,
    text: source.text,
    digest: sha256(source.text),
    includes: [],
    inputs: readInputs(childOf(tree, 'inputs'), reading),
    let: named,
    ...(account !== undefined && { account }),
    itemsMax: effortOf(reading.problems).itemsMax,
    guards: readGuards(childOf(tree, 'guards'), reading),
    schedule: readSchedule(childOf(tree, 'schedule')),
    defaults: {
      ...spanIn(childOf(tree, 'defaults'), 'timeout', 'timeoutMs'),
      ...retryIn(childOf(tree, 'defaults')),
    },
    parallel: countIn(tree, 'parallel'),
    steps: stepsIn(childOf(tree, 'steps'), 'step', tree, inner),
    onFailure: stepsIn(childOf(tree, 'on-failure'), 'on-failure', tree, inner),
    finally: stepsIn(childOf(tree, 'finally'), 'finally', tree, inner),
    outputs: templatesIn(childOf(tree, 'outputs'), inner) ?? new Map(),
  };
}

function stepsIn(
  node: SourceNode | undefined,
  role: string,
  tree: SourceNode,
  reading: Reading,
): readonly Step[] {
  if (node?.kind !== 'list') return [];
  return node.items
    .map((item, index) => stepOf(item, `${role}-${index + 1}`, tree, reading))
    .filter((step) => step !== undefined);
}

function stepOf(
  node: SourceNode,
  unnamed: string,
  tree: SourceNode,
  outer: Reading,
): Step | undefined {
  if (node.kind !== 'map') return undefined;
  const named = letIn(childOf(node, 'let'), outer, true);
  const reading = withNamed(named, outer);
  const uses = textOf(childOf(node, 'uses')) ?? '';
  // A misspelled operation is read as the most similar one, so that mistakes in what uses its response
  // are reported as well.
  const { source } = reading;
  const action = actionOf(uses) ??
    includedAction(uses, node, reading) ??
    nearAction(uses) ?? { kind: 'none' };
  const id = textOf(childOf(node, 'id')) ?? unnamed;
  const defaults = childOf(tree, 'defaults');
  const name = textOf(childOf(node, 'name'));
  const poll = childOf(node, 'poll');
  return {
    id,
    path: id,
    ...(name !== undefined && { name }),
    at: source.of(node),
    uses,
    usesAt: source.of(childOf(node, 'uses') ?? node),
    action,
    needs: textsIn(childOf(node, 'needs')),
    let: named,
    with: templatesIn(childOf(node, 'with'), reading, uses) ?? new Map(),
    ...templateIn(node, 'account', 'account', reading),
    ...templateIn(node, 'for-each', 'forEach', outer),
    ...(childOf(childOf(node, 'for-each'), 'matrix') && { isMatrix: true }),
    ...templateIn(node, 'key', 'key', reading),
    ...conditionIn(node, 'if', 'condition', reading),
    ...conditionIn(node, 'until', 'until', reading),
    ...outputsIn(node, reading),
    expect: expectationsIn(childOf(node, 'expect'), reading),
    ...(poll && { poll: { everyMs: spanOf(poll, 'every'), forMs: spanOf(poll, 'for') } }),
    ...writeIn(childOf(node, 'write'), reading),
    oncePer: textOf(childOf(node, 'once-per')) === 'playbook' ? 'playbook' : 'run',
    ...onErrorIn(node),
    ...spanIn(defaults, 'timeout', 'timeoutMs'),
    ...retryIn(defaults),
    ...spanIn(node, 'timeout', 'timeoutMs'),
    ...retryIn(node),
    parallel: countIn(node, 'parallel'),
  };
}

/** The values of `let`: each may name those above it. */
function letIn(
  node: SourceNode | undefined,
  reading: Reading,
  isOfStep: boolean,
): ReadonlyMap<string, Named> {
  const named = new Map<string, Named>();
  if (node?.kind !== 'map') return named;
  let inner = reading;
  for (const [name, { key, value }] of node.entries) {
    const at = reading.source.of(key);
    // An unreadable value was reported; its name is kept.
    const template = inner.templates.read(value) ?? {
      kind: 'literal',
      value: null,
      source: '',
      at,
    };
    named.set(name, { template, local: localOf(name, template, isOfStep), at });
    inner = withNamed(named, reading);
  }
  return named;
}

function withNamed(named: ReadonlyMap<string, Named>, reading: Reading): Reading {
  if (named.size === 0) return reading;
  const locals = new Map([...named].map(([name, { local }]) => [name, local]));
  return { ...reading, templates: reading.templates.with(locals) };
}

/** A nested playbook, if `uses` is a path to a readable one. */
function includedAction(
  uses: string,
  node: SourceNode,
  { source, includes }: Reading,
): Action | undefined {
  if (!isPlaybookPath(uses)) return undefined;
  const read = includes.read(uses, source.of(childOf(node, 'uses') ?? node));
  return read && { kind: 'playbook', ...read };
}

/** Reads what a failure of the step means for later ones. */
function onErrorIn(node: SourceNode): Pick<Step, 'onError' | 'maxFailures'> {
  const word = textOf(childOf(node, 'on-error'));
  const count = childOf(node, 'max-failures');
  const isCount = count?.kind === 'scalar' && typeof count.value === 'number';
  return {
    onError: onErrorWords.find((known) => known === word) ?? 'stop',
    ...(isCount && { maxFailures: Number(count.value) }),
  };
}

/** A whole number; 1 by default. */
function countIn(node: SourceNode, key: string): number {
  const count = childOf(node, key);
  return count?.kind === 'scalar' && typeof count.value === 'number' ? count.value : 1;
}

function spanOf(node: SourceNode, key: string): number {
  return spanIn(node, key, 'ms').ms ?? 0;
}

function templateIn<K extends string>(
  node: SourceNode,
  key: string,
  name: K,
  { templates }: Reading,
): { readonly [P in K]?: Template } {
  const value = childOf(node, key);
  const template = value && templates.read(value);
  return template === undefined ? {} : only(name, template);
}

function conditionIn<K extends string>(
  node: SourceNode,
  key: string,
  name: K,
  { templates }: Reading,
): { readonly [P in K]?: NonNullable<Step['condition']> } {
  const value = childOf(node, key);
  const condition = value && templates.condition(value, key);
  return condition === undefined ? {} : only(name, condition);
}

/** `{ [name]: value }` with a key known to the compiler. */
function only<K extends string, V>(name: K, value: V): { readonly [P in K]?: V } {
  const result: { [P in K]?: V } = {};
  result[name] = value;
  return result;
}

function outputsIn(node: SourceNode, reading: Reading): Pick<Step, 'outputs'> {
  const outputs = templatesIn(childOf(node, 'outputs'), reading);
  return outputs === undefined ? {} : { outputs };
}

function expectationsIn(node: SourceNode | undefined, reading: Reading): readonly Expectation[] {
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item) => {
    const value = childOf(item, 'that');
    const that = value && reading.templates.condition(value, 'that');
    if (that === undefined) return [];
    const message = templateIn(item, 'message', 'message', reading);
    const level = textOf(childOf(item, 'level')) === 'warn' ? 'warn' : 'error';
    return [{ that, level, at: reading.source.of(item), ...message }];
  });
}
