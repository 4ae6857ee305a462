/** Secrets as values that cannot be printed by accident, and masking of other texts. */
import { inspect } from 'node:util';

const mask = '•••';

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

const shortestMasked = 8; // shorter values would mask unrelated text

/**
 * Creates a function that masks the given secrets in a text, in every known encoding: plain,
 * escaped for JSON, YAML, URLs, forms or XML, and each of these in base64 (three alignments) and hex,
 * also with line breaks.
 */
export function redactor(secrets: readonly Secret[]): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    const value = secret.reveal();
    if (value.length < shortestMasked) continue;
    for (const spelling of spell(value)) spellings.add(spelling);
  }
  const ordered = [...spellings].sort((a, b) => b.length - a.length);
  const wrapped = ordered.filter(mayBeWrapped);
  return (text) => {
    const hidden = ordered.reduce((left, spelling) => left.replaceAll(spelling, mask), text);
    if (!hidden.includes('\n')) return hidden;
    // Compiling a pattern takes a hundred times as long as this search, and few texts need one.
    const unwrapped = hidden.replaceAll(/[\r\n]/g, '');
    return wrapped
      .filter((spelling) => unwrapped.includes(spelling))
      .reduce((left, spelling) => left.replace(acrossLines(spelling), mask), hidden);
  };
}

const shortestLine = 60; // characters: base64 and hex are wrapped after 60, 64 or 76

/** base64 or hex as common programs print it: `base64` wraps its lines by default. */
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

function spell(value: string): string[] {
  const percent = encodeURIComponent(value);
  const escaped = [
    value,
    JSON.stringify(value).slice(1, -1),
    value.replaceAll("'", "''"), // in single quotes of YAML
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
    // The first and last groups depend on neighboring bytes; only the middle is fixed.
    const middle = text.slice(shift === 0 ? 0 : 4, text.length - 4);
    return [middle, middle.replaceAll('+', '-').replaceAll('/', '_')];
  });
  const hex = bytes.toString('hex');
  return [hex, hex.toUpperCase(), ...shifted.filter((text) => text.length >= shortestMasked)];
}
