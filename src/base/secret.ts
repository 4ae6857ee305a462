/** Secrets as values that cannot be printed by accident, and masking of other texts. */
import { inspect } from 'node:util';
import { partsOf, shortestMasked } from './secret-parts.ts';

/** The text in place of a secret. */
export const mask = '•••';

/** A secret text: printed, serialized and concatenated as dots. Only `reveal` returns it. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself; call it only where it is used (signing, headers, a child's environment). */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}

/**
 * Creates a function that masks the given secrets in a text, with the parts of structured ones, in
 * every known encoding: plain, escaped for JSON, YAML, URLs, forms or XML, and each of these in base64
 * (three alignments) and hex, also with line breaks. Short values are masked where they are whole words.
 * @param which parts: all; or only those that cannot be ordinary texts, to decide whether a text has one
 */
export function redactor(
  secrets: readonly Secret[],
  which: 'all' | 'certain' = 'all',
): (text: string) => string {
  const spellings = new Set<string>();
  const words = new Set<string>();
  for (const { text, isWord, isCertain } of secrets.flatMap((each) => partsOf(each.reveal()))) {
    if (which === 'certain' && !isCertain) continue;
    if (isWord) for (const word of spellWord(text)) words.add(word);
    else for (const spelling of spell(text)) spellings.add(spelling);
  }
  const ordered = longestFirst(spellings);
  const wrapped = ordered.filter(mayBeWrapped);
  const asWords = longestFirst(words).map((word) => ({ word, pattern: wholeWord(word) }));
  return (text) => {
    const long = ordered.reduce((left, spelling) => left.replaceAll(spelling, mask), text);
    const hidden = asWords.reduce(
      (left, { word, pattern }) => (left.includes(word) ? left.replace(pattern, mask) : left),
      long,
    );
    if (!hidden.includes('\n')) return hidden;
    // Compiling a pattern takes a hundred times as long as this search, and few texts need one.
    const unwrapped = hidden.replaceAll(/[\r\n]/g, '');
    return wrapped
      .filter((spelling) => unwrapped.includes(spelling))
      .reduce((left, spelling) => left.replace(acrossLines(spelling), mask), hidden);
  };
}

/** Whether a text has one of the secrets, or a part that cannot be an ordinary text. */
export function secretFinder(secrets: readonly Secret[]): (text: string) => boolean {
  const redact = redactor(secrets, 'certain');
  return (text) => redact(text) !== text;
}

function longestFirst(texts: Iterable<string>): readonly string[] {
  return [...texts].sort((a, b) => b.length - a.length);
}

/** A pattern that matches a word unless it is part of a longer word or number. */
function wholeWord(word: string): RegExp {
  const letter = String.raw`[\p{L}\p{N}_]`;
  const before = /^\d/.test(word) ? String.raw`(?<!${letter}|\d\.)` : `(?<!${letter})`;
  const after = /\d$/.test(word) ? String.raw`(?!${letter}|\.\d)` : `(?!${letter})`;
  const escaped = word.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const starts = /^[\p{L}\p{N}_]/u.test(word) ? before : '';
  const ends = /[\p{L}\p{N}_]$/u.test(word) ? after : '';
  return new RegExp(`${starts}${escaped}${ends}`, 'gu');
}

const shortestLine = 60; // characters: base64 and hex are wrapped after 60, 64 or 76

/** Whether common programs may wrap a spelling: long base64 or hex; `base64` wraps its lines by default. */
function mayBeWrapped(spelling: string): boolean {
  return spelling.length > shortestLine && /^[\w+/=-]+$/.test(spelling);
}

function acrossLines(spelling: string): RegExp {
  const escaped = spelling.replace(
    /[^]/g,
    (letter) => `${letter === '+' ? '\\+' : letter}\\r?\\n?`,
  );
  return new RegExp(escaped, 'g');
}

/** `redactor` for any JSON value: masks every text and key. */
export function redactJson(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactJson(item, redact)]),
  );
}

/** A word is searched in fewer encodings: its middle in base64 would be found anywhere. */
function spellWord(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  return [...escapedForms(value), bytes.toString('base64'), bytes.toString('hex')];
}

function spell(value: string): string[] {
  return escapedForms(value).flatMap((text) => [text, ...encoded(Buffer.from(text, 'utf8'))]);
}

function escapedForms(value: string): string[] {
  const percent = encodeURIComponent(value);
  const escaped = [
    value,
    inJson(value),
    ...inAscii(inJson(value)),
    inJson(inJson(value)), // JSON that the exchange repeats, in a document of ours
    value.replaceAll("'", "''"), // in single quotes of YAML
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    xmlEscaped(value),
  ];
  return [...new Set(escaped)];
}

function inJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

/** JSON as programs write it that escape all characters but ASCII: `p\u00e4ss`. */
function inAscii(json: string): readonly string[] {
  const codes = json.replace(
    /[^\0-\u007f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  const inCapitals = codes.replace(
    /\\u[0-9a-f]{4}/g,
    (code) => `\\u${code.slice(2).toUpperCase()}`,
  );
  return codes === json ? [] : [codes, inCapitals];
}

function xmlEscaped(value: string): string {
  const names: Readonly<Record<string, string>> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return value.replace(/[&<>"']/g, (letter) => names[letter] ?? letter);
}

function encoded(bytes: Buffer): string[] {
  const shifted = [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The first and last groups depend on neighboring bytes; only the middle is fixed.
    const middle = text.slice(shift === 0 ? 0 : 4, text.length - 4);
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase(), ...shifted.filter((text) => text.length >= shortestMasked)];
}
