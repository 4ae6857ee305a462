/** YAML text as a tree with locations: the only importer of `yaml`, with a narrow interface. */
import { Parser, type CST } from 'yaml';
import { isDecimalText } from '../base/decimal.ts';
import { ConfigError } from '../base/error.ts';
import { decodeUtf8, JsonError, type Json } from '../base/json.ts';
import { Problems } from './problems.ts';
import { forbiddenCharacters, withoutForbidden } from './text/characters.ts';
import { otherQuotes } from './text/masked.ts';
import type { ScalarNode, SourceNode } from './text/node.ts';
import { SourceText } from './text/positions.ts';
import { bytesMax, depthMax, treeOf } from './text/tree.ts';
import { quoteTemplates } from './text/unquoted.ts';

export interface Source {
  readonly source: SourceText;
  /** The parsed tree; absent if the text is empty or not YAML. */
  readonly tree?: SourceNode;
}

/**
 * Parses a text and adds its problems to `problems`.
 * @param options `hasAliases`: anchors, aliases and merge keys are allowed, as in playbooks; other files
 * say everything where it applies. `isOfValues`: it contains values of inputs, whose size only the file's limit
 * bounds
 */
export function readSource(
  given: string | Uint8Array,
  file: string,
  problems: Problems,
  { hasAliases = false, isOfValues = false } = {},
): Source {
  const text = textOf(given);
  const source = new SourceText(file, text ?? '');
  const start = source.range(0, 0);
  if (text === undefined) problems.add('PB002', start, 'the file is not UTF-8 text');
  if (!isOfValues && Buffer.byteLength(text ?? '') > bytesMax) {
    problems.add('PB002', start, 'the file is larger than 256 KiB', {
      hint: hasAliases
        ? 'split it into playbooks that use one another (uses: ./part.yaml), or read rows with a step'
        : 'split it into several files',
    });
  }
  if (text === undefined || problems.hasErrors) return { source };
  for (const { offset, name } of forbiddenCharacters(text)) {
    problems.add('PB003', source.range(offset, offset + 1), `${name} is not allowed here`);
  }
  const { masked, templates, colons, inner } = quoteTemplates(
    withoutForbidden(text).replace(/^\ufeff/, ' '),
  );
  for (const { start: from, end } of templates) {
    problems.add('PB006', source.range(from, end), 'a template must be quoted', {
      hint: `write ${inQuotes(text.slice(from, end).replace(/^\$(?=\{\{)/, ''))}`,
    });
  }
  for (const { start: from, end } of colons) {
    problems.add(
      'PB001',
      source.range(from, end),
      'a text with a colon and a blank in it must be quoted',
      {
        hint: `write ${inQuotes(text.slice(from, end))}`,
      },
    );
  }
  for (const { start: from, end } of inner) {
    const hint = `write ${otherQuotes(text.slice(from, end))}`;
    const message = 'these quotes end the value inside its template';
    problems.add('PB001', source.range(from, end), message, { hint });
  }
  const tokens = [...new Parser().parse(masked)];
  if (isTooDeep(masked, tokens)) {
    problems.add('PB002', start, `nested deeper than ${depthMax} levels`);
    return { source };
  }
  const quoted = new Set([...templates, ...colons].map(({ start: from }) => from));
  const reading = { quoted, hasAliases, isOfValues };
  const tree = treeOf({ text: masked, tokens }, source, problems, reading);
  return tree === undefined ? { source } : { source, tree };
}

function inQuotes(text: string): string {
  return JSON.stringify(text.replace(/\s*\n\s*/g, ' '));
}

/**
 * A small YAML file of our own, such as the configuration, as plain JSON.
 * @param texts keys whose numbers are names: they stay as written, such as `0123`
 * @param options those of `readSource`
 * @throws ConfigError
 */
export function readYaml(
  text: string | Uint8Array,
  file: string,
  texts: readonly string[] = [],
  options: { readonly hasAliases?: boolean } = {},
): Json {
  const problems = new Problems();
  const { tree } = readSource(text, file, problems, options);
  refuseProblems(problems, file);
  return tree === undefined ? {} : plain(tree, texts);
}

/** The values of inputs as JSON, and their tree. @throws ConfigError */
export function readValueTree(
  text: string,
  file: string,
): { readonly value: Json; readonly tree: SourceNode | undefined } {
  const problems = new Problems();
  const { tree } = readSource(text, file, problems, { isOfValues: true });
  refuseProblems(problems, file);
  return { value: tree === undefined ? {} : plain(tree), tree };
}

function refuseProblems(problems: Problems, file: string): void {
  const [first] = problems.sorted();
  if (first === undefined) return;
  const { line, column } = first.at.start;
  throw new ConfigError(`${file}:${line}:${column}: ${first.message}`, first.hint);
}

/** A node as JSON; numbers that JSON cannot represent exactly stay texts. */
export function plain(node: SourceNode, texts: readonly string[] = [], isText = false): Json {
  switch (node.kind) {
    case 'scalar':
      return isRounded(node) || (isText && typeof node.value === 'number') ? node.text : node.value;
    case 'list':
      return node.items.map((item) => plain(item, texts, isText));
    case 'map':
      return Object.fromEntries(
        [...node.entries].map(([key, { value }]) => [
          key,
          plain(value, texts, texts.includes(key)),
        ]),
      );
  }
}

function isRounded({ value, text }: ScalarNode): boolean {
  return typeof value === 'number' && isDecimalText(text) && String(value) !== text;
}

function textOf(given: string | Uint8Array): string | undefined {
  if (typeof given === 'string') return given;
  try {
    return decodeUtf8(given);
  } catch (error) {
    if (error instanceof JsonError) return undefined;
    throw error;
  }
}

/**
 * Whether a text is nested too deep. It walks the concrete syntax before composing: the composer is
 * recursive.
 */
function isTooDeep(text: string, tokens: readonly CST.Token[]): boolean {
  let level: readonly unknown[] = tokens;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax * 2) return true;
    const next: unknown[] = [];
    for (const token of level) addChildren(token, next);
    level = next;
  }
  return flowDepth(text) > depthMax;
}

function addChildren(token: unknown, children: unknown[]): void {
  if (token === null || typeof token !== 'object') return;
  if ('value' in token && typeof token.value === 'object') children.push(token.value);
  if (!('items' in token) || !Array.isArray(token.items)) return;
  for (const item of token.items) {
    if (item === null || typeof item !== 'object') continue;
    if ('key' in item) children.push(item.key);
    if ('value' in item) children.push(item.value);
  }
}

function flowDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    if (bracket === '[' || bracket === '{') deepest = Math.max(deepest, ++depth);
    else depth = Math.max(0, depth - 1);
  }
  return deepest;
}
