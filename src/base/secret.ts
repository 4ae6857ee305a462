/** Secrets as values that cannot be printed by accident, and a mask for texts from elsewhere. */
import { inspect } from 'node:util';

const mask = '•••';

/** A secret text: prints, serialises and concatenates as dots. Only `reveal` gives it up. */
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

const shortestMasked = 8; // shorter values would blank out innocent text

/**
 * Makes a function that hides every known spelling of the given secrets in a text: as is, escaped
 * for JSON, URLs, forms or XML, and each of these in base64 (three alignments) and in hex, also where
 * a program broke the line.
 */
export function redactor(secrets: readonly Secret[]): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    const value = secret.reveal();
    if (value.length < shortestMasked) continue;
    for (const spelling of spell(value)) spellings.add(spelling);
  }
  const ordered = [...spellings].sort((a, b) => b.length - a.length);
  const wrapped = ordered.filter(mayBeWrapped).map(acrossLines);
  return (text) => {
    const hidden = ordered.reduce((left, spelling) => left.replaceAll(spelling, mask), text);
    if (!hidden.includes('\n')) return hidden;
    return wrapped.reduce((left, pattern) => left.replace(pattern, mask), hidden);
  };
}

const shortestLine = 60; // characters: base64 and hex are broken after 60, 64 or 76 of them

/** base64 or hex as the usual programs print it: `base64` breaks its lines unless told otherwise. */
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

/** `redactor` for any JSON value: every text and every key in it is masked. */
export function redactJson(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redact));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key), redactJson(item, redact)]),
  );
}

function spell(value: string): string[] {
  const percent = encodeURIComponent(value);
  const escaped = [
    value,
    JSON.stringify(value).slice(1, -1),
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    percent.replaceAll('%20', '+'),
    xmlEscaped(value),
  ];
  return [...new Set(escaped)].flatMap((text) => [text, ...encoded(Buffer.from(text, 'utf8'))]);
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
    // The first and last groups mix with neighbours; only the middle is certain.
    const middle = text.slice(shift === 0 ? 0 : 4, text.length - 4);
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase(), ...shifted.filter((text) => text.length >= shortestMasked)];
}
