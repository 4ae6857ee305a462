/** Characters a playbook may not hold: controls and marks that make text read other than it is. */

/** One forbidden character and where it stands. */
export interface ForbiddenCharacter {
  readonly offset: number;
  /** `control character U+0000`. */
  readonly name: string;
}

const shownMax = 20; // of one kind in one text; a binary file would have thousands

/** Raw text: tabs, line feeds and CR before LF may stand; a byte order mark only at the start. */
export function forbiddenCharacters(text: string): ForbiddenCharacter[] {
  return found(text, forbidden);
}

/** Text that escapes have made. */
export function forbiddenAfterEscapes(text: string): ForbiddenCharacter[] {
  const characters = found(text, forbidden);
  return text.isWellFormed() ? characters : [...characters, ...found(text, loneSurrogate)];
}

/** The same text with a blank for each character named: later steps need not know them. */
export function withoutForbidden(text: string): string {
  return text.replace(forbidden, ' ');
}

const byteOrderMark = 0xfeff;

// C0 but tab and line ends, DEL, C1, bidirectional controls, line and paragraph separators, BOM.
const forbidden =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)|(?!^)\ufeff/g;
const loneSurrogate = /\p{Surrogate}/gu;

function found(text: string, pattern: RegExp): ForbiddenCharacter[] {
  const characters: ForbiddenCharacter[] = [];
  for (const match of text.matchAll(pattern)) {
    const code = match[0].charCodeAt(0);
    characters.push({ offset: match.index, name: `${kindOf(code)} ${spelled(code)}` });
    if (characters.length === shownMax) break;
  }
  return characters;
}

function kindOf(code: number): string {
  if (code < 0xa0) return 'control character';
  if (code >= 0xd800 && code <= 0xdfff) return 'half of a surrogate pair';
  if (code === byteOrderMark) return 'byte order mark';
  return code === 0x2028 || code === 0x2029 ? 'line separator' : 'bidirectional control';
}

function spelled(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
