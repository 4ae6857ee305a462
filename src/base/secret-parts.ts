/** The parts of a structured secret that are secret themselves: fields of JSON, lines of PEM and of NAME=value. */

/** A text of a secret that can appear without the rest. */
export interface SecretPart {
  readonly text: string;
  /** Whether the text is masked only where it is a whole word. */
  readonly isWord: boolean;
  /**
   * Whether the text is certainly secret; false if it may be ordinary as well, such as the name of an
   * environment.
   */
  readonly isCertain: boolean;
}

/** Shorter values would mask unrelated text: they are masked as whole words. */
export const shortestMasked = 8;
const shortestWord = 4;
const shortestNamed = 3; // of a part whose name says that it is secret
const fewDigits = 6;
const partsMax = 1000; // 64 KiB in lines of 64 characters

const ordinaryWords = new Set(
  'true false null none undefined yes no on off enabled disabled default'.split(' '),
);
const sensitiveName = /key|secret|token|pass|pwd|pw$|pin$|credential|auth|signature|hmac|otp/i;

/** Whether a whole secret can be masked at all: not one that appears in any text, such as `true` or `42`. */
export function canBeMasked(value: string): boolean {
  return value.length >= shortestWord && !isOrdinary(value);
}

function isOrdinary(text: string): boolean {
  if (isOrdinaryWord(text)) return true;
  return /^[\d.,:+-]*$/.test(text) && text.replaceAll(/\D/g, '').length < fewDigits;
}

function isOrdinaryWord(text: string): boolean {
  return ordinaryWords.has(text.toLowerCase());
}

/** The value as a whole, if it can be masked, and its parts. */
export function partsOf(value: string): readonly SecretPart[] {
  const isWord = value.length < shortestMasked;
  const whole = canBeMasked(value) ? [{ text: value, isWord, isCertain: true }] : [];
  const parts = [...structured(value)].slice(0, partsMax);
  return [...whole, ...parts.flatMap(({ name, text }) => partOf(text.trim(), name))];
}

interface Field {
  /** The name of the field; absent for a line of text. */
  readonly name?: string | undefined;
  readonly text: string;
}

function partOf(text: string, name: string | undefined): readonly SecretPart[] {
  const isPlain = /^\p{L}*$/u.test(text);
  const isSensitive = name !== undefined && sensitiveName.test(name);
  const isShort = !canBeMasked(text);
  const hasLetter = /\p{L}/u.test(text); // numbers of few digits are in any table
  if (
    isShort &&
    isSensitive &&
    hasLetter &&
    text.length >= shortestNamed &&
    !isOrdinaryWord(text)
  ) {
    return [{ text, isWord: true, isCertain: false }];
  }
  if (isShort || (!isSensitive && isPlain && text.length < shortestMasked)) return [];
  const isLong = text.length >= shortestMasked && !isFewDigits(text);
  return [{ text, isWord: !isLong || isPlain, isCertain: isSensitive || (isLong && !isPlain) }];
}

function isFewDigits(text: string): boolean {
  return /^[\d.,:+-]*$/.test(text) && text.replaceAll(/\D/g, '').length < shortestMasked;
}

function* structured(value: string): Generator<Field> {
  const json = jsonOf(value);
  if (json !== undefined) return yield* leaves(json, undefined);
  if (URL.canParse(value)) return yield* loginOf(value);
  const lines = value.split(/\r\n|[\n\r]|\\n/).map((line) => line.trim()); // a variable may have \n in letters
  if (lines.length === 1) return;
  const own = lines.filter((line) => line !== '' && !line.startsWith('-----'));
  for (const line of own) {
    yield { text: line };
    const { name, given = '' } = assignment.exec(line)?.groups ?? {};
    if (name === undefined) continue;
    yield { name, text: unquoted(given) };
    const [, stated] = commented.exec(given) ?? [];
    if (stated !== undefined) yield { name, text: unquoted(stated) };
  }
  if (own.every((line) => /^[\w+/=-]+$/.test(line))) yield { text: own.join('') };
}

const assignment = /^(?:export\s+)?["']?(?<name>[\w.-]+)["']?\s*[=:]\s*(?<given>.+?),?$/;

/** A value with a comment after it. */
const commented = /^("[^"]*"|'[^']*'|[^"'].*?)\s+#/;

const unquoted = (text: string): string => text.replace(/^(["'])(.*)\1$/, '$2');

/** Parses an object or a list; a number alone has no structure. */
function jsonOf(value: string): object | undefined {
  if (!/^\s*[[{]/.test(value)) return undefined;
  try {
    const json: unknown = JSON.parse(value);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined; // another format, whose lines count
  }
}

function* leaves(value: unknown, name: string | undefined): Generator<Field> {
  if (Array.isArray(value)) {
    for (const item of value) yield* leaves(item, name);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) yield* leaves(item, key);
  } else if (typeof value === 'string') {
    yield { name, text: value };
    yield* structured(value);
  } else if (typeof value === 'number') {
    yield { name, text: String(value) };
  }
}

function* loginOf(address: string): Generator<Field> {
  const { password, searchParams } = new URL(address);
  yield { name: 'password', text: password };
  for (const [name, text] of searchParams) if (sensitiveName.test(name)) yield { name, text };
}
