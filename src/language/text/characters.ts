/** Characters that a playbook must not contain: controls and marks that change how a text looks. */

/** A forbidden character and its offset. */
export interface ForbiddenCharacter {
  readonly offset: number;
  /** The name of the character, such as `control character U+0000`. */
  readonly name: string;
}

const shownMax = 20; // of one kind in one text; a binary file would have thousands

/** Raw text: tabs, line feeds and CR before LF are allowed; a byte order mark only at the start. */
export function forbiddenCharacters(text: string): ForbiddenCharacter[] {
  return found(text, forbidden);
}

/** Text that results from escapes. */
export function forbiddenAfterEscapes(text: string): ForbiddenCharacter[] {
  const characters = found(text, forbidden);
  return text.isWellFormed() ? characters : [...characters, ...found(text, loneSurrogate)];
}

/** Additional characters that a name must not contain: two names must not look alike. */
export function forbiddenInName(text: string): ForbiddenCharacter[] {
  return found(text, inName);
}

/** A text with spaces instead of forbidden characters, for later stages. */
export function withoutForbidden(text: string): string {
  return text.replace(forbidden, (character) => ' '.repeat(character.length));
}

const byteOrderMark = 0xfeff;

// C0 except tab and line ends, DEL, C1, line and paragraph separators, BOM, annotations, and
// invisible characters. A text may contain joiners of letters and emoji, and variation selectors.
const forbidden =
  /(?![\ufe00-\ufe0f]|[\u200c-\u200d\ufeff\t\n\r])[\p{Cc}\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]|\r(?!\n)|(?!^)\ufeff/gu;
const inName = /[\ufe00-\ufe0f]|[\u200c-\u200d\ufeff]/gu;
const loneSurrogate = /\p{Surrogate}/gu;

function found(text: string, pattern: RegExp): ForbiddenCharacter[] {
  if (text.search(pattern) === -1) return []; // nearly always, and without an iterator
  const characters: ForbiddenCharacter[] = [];
  for (const match of text.matchAll(pattern)) {
    const code = match[0].codePointAt(0) ?? 0;
    characters.push({ offset: match.index, name: `${kindOf(code)} ${spelled(code)}` });
    if (characters.length === shownMax) break;
  }
  return characters;
}

function kindOf(code: number): string {
  if (code < 0xa0) return 'control character';
  if (code >= 0xd800 && code <= 0xdfff) return 'half of a surrogate pair';
  if (code === byteOrderMark) return 'byte order mark';
  if (code === 0x2028 || code === 0x2029) return 'line separator';
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag character';
  return bidirectional.test(String.fromCodePoint(code))
    ? 'bidirectional control'
    : 'invisible character';
}

const bidirectional = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

function spelled(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
