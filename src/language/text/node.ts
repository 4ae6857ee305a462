/** A YAML text as a tree with locations. */

/** The notation of a scalar; `unquoted` is a text with missing quotes. */
export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded' | 'unquoted';

/** Styles by their names in the YAML library. */
export const styles: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

/** An alias in place of a value, by its offsets. */
export interface Via {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Offsets in the source, quotes included: of an anchored value, where it is defined. */
export interface NodePlace {
  readonly start: number;
  readonly end: number;
  /** The alias through which this part of the file is used, if it is not used where it is written. */
  readonly via?: Via;
}

export interface ScalarNode extends NodePlace {
  readonly kind: 'scalar';
  /** The value by YAML 1.2's core schema. A number may have lost digits, which `text` has. */
  readonly value: string | number | boolean | null;
  /** The characters of the scalar after folding and escapes; for a plain scalar exactly as written. */
  readonly text: string;
  readonly style: ScalarStyle;
}

export interface ListNode extends NodePlace {
  readonly kind: 'list';
  readonly items: readonly SourceNode[];
}

export interface MapEntry {
  readonly key: ScalarNode;
  readonly value: SourceNode;
}

export interface MapNode extends NodePlace {
  readonly kind: 'map';
  /** The entries in the order of the file; a duplicate key is listed once, with its first value. Keys of a merge
   * key are among them, where the merge key is. */
  readonly entries: ReadonlyMap<string, MapEntry>;
}

export type SourceNode = ScalarNode | ListNode | MapNode;

/** The value of a map's key, or undefined. */
export function childOf(node: SourceNode | undefined, key: string): SourceNode | undefined {
  return node?.kind === 'map' ? node.entries.get(key)?.value : undefined;
}

/** A scalar that is text: not a number, boolean or null. */
export function textOf(node: SourceNode | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

/** A value that is left out, at an offset of the text. */
export function empty(at: number): ScalarNode {
  return { kind: 'scalar', value: null, text: '', style: 'plain', start: at, end: at };
}
