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
 * for JSON or URLs, and each of these in base64 (three alignments) and in hex.
 */
export function redactor(secrets: readonly Secret[]): (text: string) => string {
  const spellings = new Set<string>();
  for (const secret of secrets) {
    const value = secret.reveal();
    if (value.length < shortestMasked) continue;
    for (const spelling of spell(value)) spellings.add(spelling);
  }
  const ordered = [...spellings].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((hidden, spelling) => hidden.replaceAll(spelling, mask), text);
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
  const escaped = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)];
  return [...new Set(escaped)].flatMap((text) => [text, ...encoded(Buffer.from(text, 'utf8'))]);
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
