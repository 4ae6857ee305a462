/** Maps each character of a folded, escaped or quoted scalar to its source offset. */
import type { ScalarNode } from './node.ts';

/**
 * Offsets in `source`, one for each character of the scalar's text. Except for escapes, YAML never
 * adds, drops or reorders visible characters, so these are matched in order; spaces, which folding
 * changes, get the offset of their neighbors.
 */
export function offsetsIn(source: string, scalar: ScalarNode): number[] {
  const offsets: number[] = [];
  let at = firstOf(source, scalar);
  for (let index = 0; index < scalar.text.length;) {
    let unit = unitAt(source, at, scalar);
    const isBlankWanted = isBlank(scalar.text.charAt(index));
    while (!isBlankWanted && isBlank(unit.text) && at < scalar.end) {
      at += unit.length;
      unit = unitAt(source, at, scalar);
    }
    const step = isBlankWanted ? 1 : Math.max(1, unit.text.length);
    for (let extra = 0; extra < step; extra++) offsets.push(Math.min(at, scalar.end));
    index += step;
    if (!isBlankWanted || isBlank(unit.text)) at += unit.length;
  }
  return offsets;
}

/** A unit of the source: some characters and the text they represent. */
interface Unit {
  readonly text: string;
  readonly length: number;
}

function firstOf(source: string, scalar: ScalarNode): number {
  switch (scalar.style) {
    case 'plain':
    case 'unquoted':
      return scalar.start;
    case 'single':
    case 'double':
      return scalar.start + 1;
    case 'literal':
    case 'folded': {
      const headerEnd = source.indexOf('\n', scalar.start); // the header may contain a comment
      return headerEnd === -1 ? scalar.end : headerEnd + 1;
    }
  }
}

function unitAt(source: string, at: number, scalar: ScalarNode): Unit {
  const character = source.charAt(at);
  if (scalar.style === 'single' && source.startsWith("''", at)) return { text: "'", length: 2 };
  if (scalar.style === 'double' && character === '\\') return escapeAt(source, at);
  return { text: character, length: 1 };
}

const hexDigits: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };
const blankEscapes = 'nrtvfe0abNLP_ \t\r\n'; // blank means: may be skipped or folded

function escapeAt(source: string, at: number): Unit {
  const letter = source.charAt(at + 1);
  const digits = hexDigits[letter];
  if (digits !== undefined) {
    const code = Number.parseInt(source.slice(at + 2, at + 2 + digits), 16);
    const isCharacter = code >= 0 && code <= 0x10ffff;
    return { text: isCharacter ? String.fromCodePoint(code) : ' ', length: 2 + digits };
  }
  return { text: blankEscapes.includes(letter) ? ' ' : letter, length: 2 };
}

/**
 * Whether a text is blank. Control characters count as spaces: they come from escapes and are refused
 * anyway.
 */
function isBlank(text: string): boolean {
  return text === '' || text.charCodeAt(0) <= 0x20;
}
