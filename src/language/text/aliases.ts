/** Anchors of a file, and the value of each alias. */
import { isAlias, isMap, isPair, isScalar, isSeq, type Alias, type Node } from 'yaml';
import { type Problems } from '../problems.ts';
import type { SourceText } from './positions.ts';

/**
 * Finds the anchored value of each alias in the order of the file. An alias of an unknown anchor, or
 * inside its own anchor, is reported and has no value; so is a second anchor of one name.
 */
export function targetsIn(
  contents: Node,
  source: SourceText,
  problems: Problems,
): ReadonlyMap<Alias, Node> {
  const finder = new Finder(source, problems);
  finder.visit(contents);
  return finder.targets;
}

class Finder {
  readonly targets = new Map<Alias, Node>();
  readonly #anchors = new Map<string, Node>();
  readonly #open = new Set<Node>();
  readonly #source: SourceText;
  readonly #problems: Problems;

  constructor(source: SourceText, problems: Problems) {
    this.#source = source;
    this.#problems = problems;
  }

  visit(node: unknown): void {
    if (isAlias(node)) return this.#resolve(node);
    if (isPair(node)) {
      this.#refuseAtKey(node.key);
      return this.visit(node.value);
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return;
    if (node.anchor !== undefined) this.#define(node.anchor, node);
    if (isScalar(node)) return;
    this.#open.add(node);
    for (const item of node.items) this.visit(item);
    this.#open.delete(node);
  }

  #define(name: string, node: Node): void {
    const earlier = this.#anchors.get(name);
    if (earlier === undefined) {
      this.#anchors.set(name, node);
      return;
    }
    const { line, column } = this.#source.position(earlier.range?.[0] ?? 0);
    const message = `duplicate anchor &${name} (first at ${line}:${column})`;
    this.#problems.add('PB004', this.#at(node), message, { hint: 'give one of them another name' });
  }

  #resolve(alias: Alias): void {
    const name = alias.source;
    const target = this.#anchors.get(name);
    if (target === undefined) {
      const near = this.#problems.suggest(name, this.#anchors.keys());
      const hint = { hint: 'an anchor comes before its aliases', ...near };
      this.#problems.add('PB005', this.#at(alias), `unknown anchor &${name}`, hint);
    } else if (this.#open.has(target)) {
      this.#problems.add('PB005', this.#at(alias), `the alias *${name} is inside its own anchor`);
    } else {
      this.targets.set(alias, target);
    }
  }

  #refuseAtKey(key: unknown): void {
    if (!isScalar(key) || key.anchor === undefined) return;
    this.#problems.add('PB005', this.#at(key), `the anchor &${key.anchor} belongs to a key`, {
      hint: `for the whole map, write &${key.anchor} alone in the line before it`,
    });
  }

  #at({ range }: Node) {
    const [start = 0, end = start] = range ?? [];
    return this.#source.range(start, end);
  }
}
