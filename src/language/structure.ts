/** Checks a file's structure against its JSON Schema and reports each mistake once, at its location. */
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { fieldOf, isRecord } from '../base/json.ts';
import { listed, nearWord } from '../base/text.ts';
import { fieldsOf } from '../exchange/api/check.ts';
import { isOperation } from '../exchange/api/operations/index.ts';
import type { JsonSchema } from '../exchange/api/schema.ts';
import { keyHint, typeFor, typeHint } from './other-keys.ts';
import { didYouMean, type Problems } from './problems.ts';
import { playbookSchema } from './schema.ts';
import { plain } from './source.ts';
import { childOf, textOf, type SourceNode } from './text/node.ts';
import type { SourceText } from './text/positions.ts';

/** Adds structural problems of a file to `problems`. */
export type StructureCheck = (tree: SourceNode, source: SourceText, problems: Problems) => void;

/**
 * A check with a schema, compiled on first use like all validators here.
 * @param schema with only the keywords that `tell` supports; others are not reported
 */
export function structureCheck(schema: () => JsonSchema): StructureCheck {
  let compiled: ValidateFunction | undefined;
  return (tree, source, problems) => {
    compiled ??= new Ajv({
      allErrors: true, // a file of at most 256 KiB: report all problems at once
      verbose: true,
      strict: false,
      ownProperties: true,
      logger: false,
    }).compile(schema());
    if (compiled(plain(tree))) return;
    const errors = compiled.errors ?? [];
    reportMissing(errors, tree, source, problems);
    for (const error of errors) report(error, tree, source, problems);
  };
}

/** Reports the missing keys of each map, all at once. */
function reportMissing(
  errors: readonly ErrorObject[],
  tree: SourceNode,
  source: SourceText,
  problems: Problems,
): void {
  const missing = new Map<string, Set<string>>();
  for (const { keyword, instancePath, params } of errors) {
    if (keyword !== 'required') continue;
    const keys = missing.get(instancePath) ?? new Set();
    missing.set(instancePath, keys.add(String(fieldOf(params, 'missingProperty'))));
  }
  for (const [path, keys] of missing) {
    const node = nodeAt(tree, wordsOf(path)) ?? tree;
    const start = source.of({ ...node, end: node.start + 1 });
    problems.add('PB102', start, `${listed([...keys])} ${keys.size === 1 ? 'is' : 'are'} missing`);
  }
}

/** Checks the structure of a playbook; the contents of `with` are checked elsewhere, with types. */
export const checkStructure = structureCheck(() => playbookSchema({ operations: false }));

function report(
  error: ErrorObject,
  tree: SourceNode,
  source: SourceText,
  problems: Problems,
): void {
  const words = wordsOf(error.instancePath);
  const node = nodeAt(tree, words);
  const at = source.of(node ?? tree);
  const name = words.at(-1) ?? 'the file';
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(params['additionalProperty']);
      const entry = node?.kind === 'map' ? node.entries.get(key) : undefined;
      const place = entry ? source.of(entry.key) : at;
      const hint = hintForKey(key, node, error);
      return problems.add('PB101', place, `${JSON.stringify(key)} is not known here`, hint);
    }
    case 'required':
      return; // all at once
    case 'type':
      return problems.add('PB103', at, `${name} must be ${typesOf(params['type'])}`, {
        ...hintOf(error),
        ...hintForType(name, error),
      });
    case 'minItems':
      return problems.add('PB103', at, `${name} must not be empty`);
    case 'const':
      return problems.add('PB104', at, `${name} must be ${String(params['allowedValue'])}`);
    case 'enum': {
      const allowed = listOf(params['allowedValues']).map(String);
      const given = String(error.data);
      const near = typeof error.data === 'string' ? nearWord(given, allowed) : undefined;
      const isUses = name === 'uses';
      const message = isUses
        ? `unknown operation ${JSON.stringify(given)}`
        : `${name} must be ${listed(allowed, 'or')}`;
      const habit = name === 'type' ? typeHint(given, allowed) : undefined;
      const hint = habit === undefined ? didYouMean(near) : { hint: habit };
      return problems.add(isUses ? 'PB201' : 'PB104', at, message, hint);
    }
    case 'pattern':
      if (name === 'uses') return; // the allowed values explain it
      return problems.add('PB105', at, `${name} ${rightForm(error)}`, didYouMean(nearForm(error)));
    case 'minimum':
    case 'maximum':
      return problems.add('PB105', at, `${name} ${error.message ?? 'is not allowed'}`);
    default: // if and allOf repeat the problems of their parts
  }
}

/** The key to write instead of one that a map does not have. */
function hintForKey(
  key: string,
  node: SourceNode | undefined,
  { parentSchema }: ErrorObject,
): { readonly hint?: string } {
  if (isFieldOf(node, key)) return { hint: `${key} belongs under with` };
  if (key === 'playbook-test')
    return { hint: 'this is a test of a playbook: `deskhand test FILE`' };
  const known = Object.keys(Object(fieldOf(parentSchema, 'properties')));
  const habit = keyHint(key, known);
  if (habit !== undefined) return { hint: habit };
  const near = nearWord(key, known);
  if (near !== undefined) return didYouMean(near);
  return { hint: `known here: ${known.join(', ')}` };
}

/** Whether a step's operation has a field with that name. */
function isFieldOf(step: SourceNode | undefined, key: string): boolean {
  const uses = textOf(childOf(step, 'uses')) ?? '';
  return isOperation(uses) && fieldsOf(uses).includes(key);
}

/** How to write a type that was given instead of the map that has it. */
function hintForType(
  name: string,
  { data, parentSchema }: ErrorObject,
): { readonly hint?: string } {
  const types = listOf(fieldOf(fieldOf(fieldOf(parentSchema, 'properties'), 'type'), 'enum'));
  if (typeof data !== 'string' || types.length === 0) return {};
  const type = typeFor(data, types.map(String));
  return { hint: `write ${name}: { type: ${type ?? 'string'} }` };
}

/** The first example of a schema, in one line. */
function hintOf({ parentSchema }: ErrorObject): { readonly hint?: string } {
  const [example] = listOf(fieldOf(parentSchema, 'examples'));
  if (!isRecord(example)) return {};
  const entries = Object.entries(example).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return { hint: `as in { ${entries.join(', ')} }` };
}

/** The form required by a pattern, as text; editors show it, too. */
function rightForm({ parentSchema, message = 'is not allowed' }: ErrorObject): string {
  const words = fieldOf(parentSchema, 'patternErrorMessage');
  return typeof words === 'string' ? words : message;
}

/** A text in the form required by a pattern, if only case, separators and spaces differ. */
function nearForm({ data, params }: ErrorObject): string | undefined {
  if (String(data).includes('{{')) return undefined; // an expression has no near form
  const pattern = new RegExp(String(params['pattern']));
  const plainLetters = String(data).normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const dashed = plainLetters.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
  const forms = [dashed, dashed.replace(/^[^a-z]+/, ''), plainLetters.replaceAll(/\s/g, '')];
  return forms.map((form) => form.slice(0, 64)).find((form) => pattern.test(form));
}

function typesOf(type: unknown): string {
  const words: Readonly<Record<string, string>> = {
    object: 'a map',
    array: 'a list',
    string: 'a text',
    integer: 'a whole number',
    number: 'a number',
  };
  return (Array.isArray(type) ? type : [type])
    .map((word) => words[String(word)] ?? String(word))
    .join(' or ');
}

/** The node of a path, or its innermost existing parent. */
export function nodeNear(tree: SourceNode, words: readonly string[]): SourceNode {
  for (let length = words.length; length > 0; length--) {
    const node = nodeAt(tree, words.slice(0, length));
    if (node !== undefined) return node;
  }
  return tree;
}

/** The node a JSON pointer names. */
function nodeAt(tree: SourceNode, words: readonly string[]): SourceNode | undefined {
  let at: SourceNode | undefined = tree;
  for (const word of words) at = at?.kind === 'list' ? at.items[Number(word)] : childOf(at, word);
  return at;
}

/** The words of a JSON pointer. */
function wordsOf(path: string): readonly string[] {
  return path.split('/').slice(1).map(unescaped);
}

function unescaped(word: string): string {
  return word.replaceAll('~1', '/').replaceAll('~0', '~');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
}
