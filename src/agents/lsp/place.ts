/** Where the cursor is in the YAML of a playbook that is being typed: on a key, or on a value. */
import { Problems } from '../../language/problems.ts';
import { readSource } from '../../language/source.ts';
import type { SourceNode } from '../../language/text/node.ts';
import type { TextRange } from './steps.ts';

/** A key that could be written at the cursor, or a value. */
export interface Place {
  readonly kind: 'key' | 'value';
  /** The keys and positions from the top to the value, or to the map of the key. */
  readonly path: readonly string[];
  /** The word that a completion replaces. */
  readonly at: TextRange;
  /** The playbook with a probe at the cursor. */
  readonly tree: SourceNode;
  /** Whether the word is followed by a colon already. */
  readonly hasColon: boolean;
  /** Whether the value is in quotes. */
  readonly isQuoted: boolean;
}

/** A word that is in no playbook: it is written at the cursor, and then found in the tree. */
const probe = 'zz-probe';

/**
 * The places of the cursor: an empty line below `with:` can become a key or a value.
 * @param offset in UTF-16 units
 */
export function placesAt(text: string, offset: number): readonly Place[] {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const left = /^[^\r\n]*/.exec(text.slice(offset))?.[0] ?? '';
  const quoted = openQuote(line);
  const before = quoted === undefined ? (/[\w@./*+-]*$/.exec(line)?.[0] ?? '') : quoted.inside;
  const word = quoted === undefined && before.startsWith('-') ? '' : before;
  const after = (quoted === undefined ? /^[\w@./+-]*/ : /^[^"'{}]*/).exec(left)?.[0] ?? '';
  const at = { start: offset - word.length, end: offset + after.length };
  const rest = text.slice(at.end);
  const hasColon = /^["']?:(?:\s|$)/.test(rest);
  const isOpen = quoted !== undefined && !rest.startsWith(quoted.sign);
  const close = isOpen ? quoted.sign : '';
  const written = (probed: string): string => `${text.slice(0, at.start)}${probed}${close}${rest}`;
  const texts = hasColon || quoted ? [written(probe)] : [written(probe), written(`${probe}: x`)];
  return texts.flatMap((each) => {
    const { tree } = readSource(each, '', new Problems(), { hasAliases: true });
    const found = tree && foundIn(tree, []);
    if (tree === undefined || found === undefined) return [];
    return [{ ...found, at, tree, hasColon, isQuoted: quoted !== undefined }];
  });
}

/** The quote that is open at the end of a line, and what is in it. */
function openQuote(line: string): { readonly sign: string; readonly inside: string } | undefined {
  const closed = /^(?:[^"']|"[^"]*"|'[^']*')*$/;
  if (closed.test(line)) return undefined;
  const [, sign = '"', inside = ''] = /(?:^|[\s:,[{])(["'])([^"']*)$/.exec(line) ?? [];
  return { sign, inside };
}

function foundIn(
  node: SourceNode,
  path: readonly string[],
): Pick<Place, 'kind' | 'path'> | undefined {
  if (node.kind === 'scalar') return node.text === probe ? { kind: 'value', path } : undefined;
  const children: readonly (readonly [string, SourceNode])[] =
    node.kind === 'list'
      ? node.items.map((item, index) => [String(index), item])
      : [...node.entries].map(([key, { value }]) => [key, value]);
  for (const [key, child] of children) {
    if (key === probe) return { kind: 'key', path };
    const found = foundIn(child, [...path, key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The node at a path. */
export function nodeAt(tree: SourceNode, path: readonly string[]): SourceNode | undefined {
  let at: SourceNode | undefined = tree;
  for (const word of path) {
    at =
      at?.kind === 'list'
        ? at.items[Number(word)]
        : at?.kind === 'map'
          ? at.entries.get(word)?.value
          : undefined;
  }
  return at;
}
