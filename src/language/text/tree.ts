/** The library's nodes converted to ours, without unsupported features. */
import { Composer, isAlias, isMap, isPair, isScalar, isSeq } from 'yaml';
import type { Alias, CST, Node, Pair, Scalar } from 'yaml';
import type { Problems } from '../problems.ts';
import type { SourceRange } from '../source-range.ts';
import { targetsIn } from './aliases.ts';
import { forbiddenAfterEscapes, forbiddenInName } from './characters.ts';
import {
  empty,
  type MapEntry,
  type ScalarNode,
  styles,
  type SourceNode,
  type Via,
} from './node.ts';
import type { SourceText } from './positions.ts';

const nodesMax = 50_000;
const keysMax = 1_000;
export const bytesMax = 256 * 1024;
export const depthMax = 64;
const prototypeNames = new Set(['__proto__', 'constructor', 'prototype']); // not allowed as keys

interface TreeReading {
  /** The start of scalars that were quoted by us; their original text is used. */
  readonly quoted: ReadonlySet<number>;
  /** Whether anchors, aliases and merge keys are allowed. */
  readonly hasAliases: boolean;
  /** Whether any number of nodes and keys is allowed, as in values of inputs. */
  readonly isOfValues: boolean;
}

/** Composes a text with a safe depth from its tokens, which are read only once. */
export function treeOf(
  { text, tokens }: { readonly text: string; readonly tokens: Iterable<CST.Token> },
  source: SourceText,
  problems: Problems,
  reading: TreeReading,
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
    const [from, to] = second.contents.range;
    const hint = 'one playbook in one file';
    problems.add('PB005', source.range(from, to), 'a second document begins here', { hint });
  }
  if (/^%/m.test(text)) {
    const at = text.search(/^%/m);
    const hint = 'leave the line out: each file is YAML 1.2';
    problems.add('PB005', source.range(at, at + 1), 'YAML directives are not supported', { hint });
  }
  for (const { pos, message } of document?.errors ?? []) {
    problems.add('PB001', source.range(pos[0], pos[1]), sentence(message));
  }
  if (!document?.contents) {
    if (!problems.hasErrors) problems.add('PB007', source.range(0, 0), 'the file is empty');
    return undefined;
  }
  const targets = reading.hasAliases ? targetsIn(document.contents, source, problems) : undefined;
  return new Converter(source, problems, reading, targets).convert(document.contents);
}

/** The library's first sentence; the rest quotes the file, which the excerpt shows better. */
function sentence(message: string): string {
  const [first = message] = message.split(/\n| at line /);
  return first.slice(0, 160);
}

/**
 * Converts the library's nodes to ours, and refuses unsupported features. An alias becomes a copy of its
 * value, which counts like written text: its nodes, its bytes and its depth.
 */
class Converter {
  #nodes = 0;
  #bytes: number;
  #depth = 0;
  /** The outermost alias that is being expanded. */
  #via: Via | undefined;
  readonly #source: SourceText;
  readonly #problems: Problems;
  readonly #quoted: ReadonlySet<number>;
  readonly #targets: ReadonlyMap<Alias, Node> | undefined;
  readonly #nodesMax: number;
  readonly #keysMax: number;

  /** @param targets the values of aliases; absent where they are not supported */
  constructor(
    source: SourceText,
    problems: Problems,
    { quoted, isOfValues }: TreeReading,
    targets: ReadonlyMap<Alias, Node> | undefined,
  ) {
    this.#source = source;
    this.#problems = problems;
    this.#quoted = quoted;
    this.#targets = targets;
    this.#nodesMax = isOfValues ? Infinity : nodesMax;
    this.#keysMax = isOfValues ? Infinity : keysMax;
    this.#bytes = Buffer.byteLength(source.text);
  }

  convert(node: Node | null): SourceNode {
    const [start = 0, end = start] = node?.range ?? [];
    const at = this.#source.range(start, end);
    this.#nodes += 1;
    if (this.#nodes === this.#nodesMax) this.#tooLarge(at, 'more than 50,000 nodes');
    if (this.#nodes >= this.#nodesMax) return empty(start);
    if (isAlias(node)) return this.#expanded(node, at);
    if (node && 'anchor' in node && node.anchor && this.#targets === undefined) {
      this.#problems.add('PB005', at, `the anchor &${node.anchor} is not supported here`, {
        hint: 'only playbooks share values: leave it out, and write the value wherever it is needed',
      });
    }
    if (node?.tag) {
      const tag = node.tag.replace(/^tag:yaml\.org,2002:/, '!!');
      const hint = 'leave it out; quotes make a text of a number';
      this.#problems.add('PB005', at, `the tag ${tag} is not supported`, { hint });
    }
    if (isScalar(node)) return this.#scalar(node, start, end);
    this.#depth += 1;
    const converted = this.#collection(node, start, end);
    this.#depth -= 1;
    return converted;
  }

  #collection(node: Node | null, start: number, end: number): SourceNode {
    if (this.#via !== undefined && this.#depth > depthMax) {
      this.#tooLarge(this.#source.of(this.#via), `nested deeper than ${depthMax} levels`);
      return empty(start);
    }
    if (isSeq(node)) {
      const items = node.items.map((item) => this.convert(isPair(item) ? null : asNode(item)));
      return { kind: 'list', items, ...this.#place(start, end) };
    }
    return isMap(node) ? this.#map(node.items, start, end) : empty(start);
  }

  /** A copy of the value of an alias. */
  #expanded(alias: Alias, at: SourceRange): SourceNode {
    const start = at.start.offset;
    if (this.#targets === undefined) {
      this.#problems.add('PB005', at, `the alias *${alias.source} is not supported here`, {
        hint: 'only playbooks share values: write the value here',
      });
      return empty(start);
    }
    const target = this.#targets.get(alias);
    if (target === undefined) return empty(start); // reported
    const [from = 0, to = from] = target.range ?? [];
    this.#bytes += Buffer.byteLength(this.#source.text.slice(from, to));
    if (this.#bytes > bytesMax) {
      this.#tooLarge(at, 'the file is larger than 256 KiB with its aliases written out');
      return empty(start);
    }
    const outer = this.#via;
    this.#via ??= { name: alias.source, start, end: at.end.offset };
    const value = this.convert(target);
    this.#via = outer;
    return value;
  }

  #tooLarge(at: SourceRange, message: string): void {
    this.#problems.add('PB002', this.#via === undefined ? at : this.#source.of(this.#via), message);
  }

  #place(start: number, end: number): { start: number; end: number; via?: Via } {
    return this.#via === undefined ? { start, end } : { start, end, via: this.#via };
  }

  #map(items: readonly Pair[], start: number, end: number): SourceNode {
    const entries = new Map<string, MapEntry>();
    const merged = new Set<string>();
    const tooMany = (): void =>
      this.#tooLarge(this.#source.range(start, start + 1), `more than ${keysMax} keys in one map`);
    if (items.length > this.#keysMax) tooMany();
    let mergeKey: ScalarNode | undefined;
    for (const pair of items.slice(0, this.#keysMax)) {
      const key = this.#key(pair);
      if (key === undefined) continue;
      const isMerge = key.text === '<<';
      const earlier = isMerge ? mergeKey : entries.get(key.text)?.key;
      const value = this.convert(asNode(pair.value));
      if (earlier !== undefined && !merged.has(key.text)) {
        this.#duplicate(key, earlier);
      } else if (isMerge) {
        mergeKey = key;
        if (!this.#isUnknown(pair.value)) this.#merge(value, entries, merged);
      } else {
        merged.delete(key.text);
        entries.set(key.text, {
          key,
          value: isEmptyAt(value) ? { ...value, start: key.end, end: key.end } : value,
        });
      }
    }
    if (entries.size > this.#keysMax) tooMany();
    return { kind: 'map', entries, ...this.#place(start, end) };
  }

  #duplicate(key: ScalarNode, earlier: ScalarNode): void {
    const { line, column } = this.#source.position(earlier.start);
    const message = `duplicate key ${JSON.stringify(key.text)} (first at ${line}:${column})`;
    const hint = key.text === '<<' ? 'write a list: <<: [*a, *b]' : 'remove one of the two';
    this.#problems.add('PB004', this.#source.of(key), message, { hint });
  }

  /** Whether a value is an alias without a value, which is reported. */
  #isUnknown(value: unknown): boolean {
    return isAlias(value) && this.#targets?.has(value) !== true;
  }

  /** Adds the keys of a map, or of maps in a list, that the map does not have yet. */
  #merge(value: SourceNode, entries: Map<string, MapEntry>, merged: Set<string>): void {
    for (const map of value.kind === 'list' ? value.items : [value]) {
      if (map.kind !== 'map') {
        const message = '<< takes a map, or a list of maps';
        this.#problems.add('PB103', this.#source.of(map), message, { hint: 'as in <<: *order' });
        continue;
      }
      for (const [name, entry] of map.entries) {
        if (entries.has(name)) continue;
        entries.set(name, entry);
        merged.add(name);
      }
    }
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
      if (this.#targets !== undefined && key.style === 'plain') return key;
      const isQuoted = this.#targets !== undefined;
      this.#problems.add(
        'PB005',
        at,
        isQuoted ? 'a merge key is written without quotes' : 'merge keys are not supported here',
        { hint: isQuoted ? 'write <<:' : 'write the keys out' },
      );
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
      ...this.#place(start, end),
    };
  }
}

function asNode(value: unknown): Node | null {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
}

function isEmptyAt(node: SourceNode): boolean {
  return node.kind === 'scalar' && node.value === null && node.start === 0;
}
