/** The library's nodes converted to ours, without unsupported features. */
import { Composer, isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { CST, Node, Pair, Scalar } from 'yaml';
import type { Problems } from '../problems.ts';
import { forbiddenAfterEscapes, forbiddenInName } from './characters.ts';
import type { MapEntry, ScalarNode, ScalarStyle, SourceNode } from './node.ts';
import type { SourceText } from './positions.ts';

const nodesMax = 50_000;
const keysMax = 1_000;
const prototypeNames = new Set(['__proto__', 'constructor', 'prototype']); // not allowed as keys

/**
 * Composes a text with a safe depth from its tokens, which are read only once.
 * @param quoted the start of scalars that were quoted by us; their original text is used
 */
export function treeOf(
  { text, tokens }: { readonly text: string; readonly tokens: Iterable<CST.Token> },
  source: SourceText,
  problems: Problems,
  quoted: ReadonlySet<number>,
): SourceNode | undefined {
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    merge: false,
    keepSourceTokens: true,
    logLevel: 'silent',
    prettyErrors: false,
  });
  const [document, second] = [...composer.compose(tokens)];
  if (second?.contents?.range) {
    problems.add(
      'PB005',
      source.range(second.contents.range[0], second.contents.range[1]),
      'a second document begins here',
      { hint: 'one playbook in one file' },
    );
  }
  if (/^%/m.test(text)) {
    const at = text.search(/^%/m);
    problems.add('PB005', source.range(at, at + 1), 'YAML directives are not supported');
  }
  for (const { pos, message } of document?.errors ?? []) {
    problems.add('PB001', source.range(pos[0], pos[1]), sentence(message));
  }
  if (!document?.contents) {
    if (!problems.hasErrors) problems.add('PB007', source.range(0, 0), 'the file is empty');
    return undefined;
  }
  return new Converter(source, problems, quoted).convert(document.contents);
}

/** The library's first sentence; the rest quotes the file, which the excerpt shows better. */
function sentence(message: string): string {
  const [first = message] = message.split(/\n| at line /);
  return first.slice(0, 160);
}

const styles: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

/** Converts the library's nodes to ours, and refuses unsupported features. */
class Converter {
  #nodes = 0;
  readonly #source: SourceText;
  readonly #problems: Problems;
  readonly #quoted: ReadonlySet<number>;

  constructor(source: SourceText, problems: Problems, quoted: ReadonlySet<number>) {
    this.#source = source;
    this.#problems = problems;
    this.#quoted = quoted;
  }

  convert(node: Node | null): SourceNode {
    const [start = 0, end = start] = node?.range ?? [];
    const at = this.#source.range(start, end);
    this.#nodes += 1;
    if (this.#nodes === nodesMax) this.#problems.add('PB002', at, 'more than 50,000 nodes');
    if (this.#nodes >= nodesMax) return empty(start);
    if (isAlias(node)) {
      this.#problems.add('PB005', at, `the alias *${node.source} is not supported`, {
        hint: 'write the value out',
      });
      return empty(start);
    }
    if (node && 'anchor' in node && node.anchor) {
      this.#problems.add('PB005', at, `the anchor &${node.anchor} is not supported`);
    }
    if (node?.tag) {
      this.#problems.add('PB005', at, `the tag ${node.tag} is not supported`);
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.convert(isPair(item) ? null : asNode(item)));
      return { kind: 'list', items, start, end };
    }
    if (isMap(node)) return this.#map(node.items, start, end);
    return isScalar(node) ? this.#scalar(node, start, end) : empty(start);
  }

  #map(items: readonly Pair[], start: number, end: number): SourceNode {
    const entries = new Map<string, MapEntry>();
    if (items.length > keysMax) {
      this.#problems.add(
        'PB002',
        this.#source.range(start, start + 1),
        `more than ${keysMax} keys in one map`,
      );
    }
    for (const pair of items.slice(0, keysMax)) {
      const key = this.#key(pair);
      if (key === undefined) continue;
      const earlier = entries.get(key.text);
      const value = this.convert(asNode(pair.value));
      if (earlier === undefined) {
        entries.set(key.text, {
          key,
          value: isEmptyAt(value) ? { ...value, start: key.end, end: key.end } : value,
        });
        continue;
      }
      const { line, column } = this.#source.position(earlier.key.start);
      this.#problems.add(
        'PB004',
        this.#source.of(key),
        `duplicate key ${JSON.stringify(key.text)} (first at ${line}:${column})`,
        { hint: 'remove one of the two' },
      );
    }
    return { kind: 'map', entries, start, end };
  }

  #key(pair: Pair): ScalarNode | undefined {
    const node = asNode(pair.key);
    const [start = 0, end = start] = node?.range ?? [];
    const at = this.#source.range(start, end);
    if (!isScalar(node)) {
      this.#problems.add('PB103', at, 'a key must be a text');
      return undefined;
    }
    const key = this.#scalar(node, start, end);
    if (key.text === '<<') {
      this.#problems.add('PB005', at, 'merge keys are not supported', {
        hint: 'write the keys out',
      });
      return undefined;
    }
    for (const { name } of forbiddenInName(key.text)) {
      this.#problems.add('PB003', at, `${name} is not allowed in a name`);
    }
    if (prototypeNames.has(key.text)) {
      this.#problems.add('PB101', at, `${JSON.stringify(key.text)} is not known here`);
      return undefined;
    }
    return key;
  }

  #scalar(node: Scalar, start: number, end: number): ScalarNode {
    const style = styles[node.type ?? 'PLAIN'] ?? 'plain';
    const { value } = node;
    const isWord = typeof value === 'string' || typeof value === 'boolean' || value === null;
    const text = this.#quoted.has(start)
      ? this.#source.text.slice(start, end)
      : typeof value === 'string'
        ? value
        : (node.source ?? '');
    for (const { name } of forbiddenAfterEscapes(text)) {
      this.#problems.add('PB003', this.#source.range(start, end), `${name} is not allowed here`);
    }
    return {
      kind: 'scalar',
      value: this.#quoted.has(start)
        ? text
        : isWord
          ? value
          : typeof value === 'number'
            ? value
            : text,
      text,
      style: this.#quoted.has(start) ? 'unquoted' : style,
      start,
      end,
    };
  }
}

function asNode(value: unknown): Node | null {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
}

function isEmptyAt(node: SourceNode): boolean {
  return node.kind === 'scalar' && node.value === null && node.start === 0;
}

function empty(at: number): ScalarNode {
  return { kind: 'scalar', value: null, text: '', style: 'plain', start: at, end: at };
}
