/** Plain texts that need quotes: found, and quoted in place so that the rest can be parsed. */
import { inOtherQuotes, masked, type Part } from './masked.ts';

export interface Quoted {
  /**
   * The text with quotes instead of the first and last character of each, so that no offset
   * changes.
   */
  readonly masked: string;
  /** Unquoted texts with a template. */
  readonly templates: readonly Part[];
  /** The unquoted texts with a colon and a space, which would be read as a map within a line. */
  readonly colons: readonly Part[];
  /** Texts inside a template that have the quotes of its value: they have the other ones in `masked`. */
  readonly inner: readonly Part[];
}

/** Scans a YAML text once, as far as needed to find the start and end of plain texts. */
export function quoteTemplates(text: string): Quoted {
  const scanner = new Scanner(text);
  scanner.scan();
  const { templates, colons, inner } = scanner;
  const all = [...templates, ...colons].sort((a, b) => a.start - b.start);
  return { masked: masked(inOtherQuotes(text, inner), all), templates, colons, inner };
}

class Scanner {
  readonly templates: Part[] = [];
  readonly colons: Part[] = [];
  readonly inner: Part[] = [];
  readonly #text: string;
  #at = 0;
  #lineStart = 0;
  /** Depth of open lists and maps in brackets. */
  #brackets = 0;
  /** Column of the key or dash of the next value. */
  #parent = -1;
  /** Whether a key or dash precedes this position in its line, and whether a key does. */
  #isNested = false;
  #hasKey = false;
  /**
   * The position after the last quoted text or bracketed collection: in brackets, a colon there needs
   * no blank after it.
   */
  #jsonEnd = -1;
  /** The next `}}`, cached to search each only once. */
  #close = -1;
  /** The end of the last template in a quoted value whose texts have the quotes of the value. */
  #templateEnd = -1;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    while (this.#at < this.#text.length) this.#next();
  }

  #next(): void {
    const character = this.#text.charAt(this.#at);
    switch (character) {
      case '\n':
        this.#lineStart = ++this.#at;
        this.#isNested = this.#hasKey = false;
        return;
      case ' ':
      case '\t':
      case '\r':
        this.#at += 1;
        return;
      case '#':
        if (!isBlank(this.#text.charAt(this.#at - 1))) return this.#plain();
        this.#at = this.#lineEnd();
        return;
      case '"':
      case "'":
        return this.#quoted(character);
      case '[':
      case '{':
        if (this.#closeOfTemplate(this.#at) !== undefined) return this.#plain();
        this.#brackets += 1;
        this.#at += 1;
        return;
      case ']':
      case '}':
        this.#brackets = Math.max(0, this.#brackets - 1);
        this.#jsonEnd = ++this.#at;
        return;
      case '-':
      case '?':
      case ':':
      case ',':
        return this.#indicator(character);
      case '|':
      case '>':
        return this.#block();
      case '&':
      case '!':
        while (this.#at < this.#text.length && !isBlank(this.#text.charAt(this.#at))) this.#at += 1;
        return;
      default:
        this.#plain();
    }
  }

  /** A dash, colon or comma as an indicator; or the start of a plain text. */
  #indicator(character: string): void {
    const endsKey = character === ':' && this.#isAfterJson();
    if (character === ',' ? this.#brackets === 0 : !endsKey && !this.#endsWord(this.#at)) {
      if (character === '-' && this.#text.startsWith('---', this.#at)) this.#at += 3;
      else this.#plain();
      return;
    }
    if (character === '-' && this.#brackets === 0) this.#belongsTo(this.#at);
    this.#at += 1;
  }

  /** Whether a colon follows a quoted or bracketed key, as in `{"key":"value"}`, which is YAML 1.2. */
  #isAfterJson(): boolean {
    if (this.#brackets === 0 || this.#jsonEnd === -1) return false;
    return this.#text.slice(this.#jsonEnd, this.#at).trim() === '';
  }

  #belongsTo(place: number): void {
    this.#parent = place - this.#lineStart;
    this.#isNested = true;
  }

  #quoted(quote: string): void {
    const start = this.#at;
    let end = start + 1;
    while (end < this.#text.length) {
      const innerEnd = this.#text.charAt(end) === quote ? this.#innerEnd(start, end) : undefined;
      if (innerEnd !== undefined) this.inner.push({ start: end, end: innerEnd });
      else if (this.#text.charAt(end) === quote) break;
      end = innerEnd ?? end + (quote === '"' && this.#text.charAt(end) === '\\' ? 2 : 1);
    }
    this.#jsonEnd = this.#at = Math.min(this.#text.length, end + 1);
    this.#passLines(start);
    if (this.#isKeyEnd(this.#at)) this.#key(start);
  }

  /** The position after a text that begins, with the same quotes, inside a template of a quoted value. */
  #innerEnd(start: number, at: number): number | undefined {
    quotedText.lastIndex = at;
    const [inner = ''] = quotedText.exec(this.#text) ?? [];
    const end = at + inner.length;
    return inner !== '' && this.#isInTemplate(start, at, end) ? end : undefined;
  }

  /** Whether a part of a quoted value is in a template that ends, and the value after it, in the same line. */
  #isInTemplate(start: number, from: number, to: number): boolean {
    if (from < this.#templateEnd) return to <= this.#templateEnd;
    const before = this.#text.slice(start, from);
    const open = before.lastIndexOf('{{');
    if (open === -1 || before.includes('}}', open)) return false;
    if (this.#close < from) this.#close = orInfinity(this.#text.indexOf('}}', from));
    const close = this.#close;
    if (close < to || close === Infinity || /\{\{|\n/.test(this.#text.slice(to, close)))
      return false;
    const last = this.#text.indexOf(this.#text.charAt(start), close);
    if (last === -1 || this.#text.slice(close, last).includes('\n')) return false;
    this.#templateEnd = close;
    return true;
  }

  #key(start: number): void {
    if (this.#brackets > 0) return;
    this.#belongsTo(start);
    this.#hasKey = true;
  }

  /** Skips the text of a block scalar: it cannot be misread. */
  #block(): void {
    const header = this.#text.slice(this.#at, this.#lineEnd());
    if (this.#brackets > 0 || !/^[|>][-+0-9]*\s*(?:\s#.*)?$/.test(header)) return this.#plain();
    do this.#at = this.#lineEnd();
    while (this.#goesOn(this.#parent + 1));
  }

  #plain(): void {
    const start = this.#at;
    const column = this.#isNested ? this.#parent + 1 : start - this.#lineStart;
    let firstEnd: number | undefined;
    let hasTemplate = false;
    while (this.#at < this.#text.length) {
      const character = this.#text.charAt(this.#at);
      const close = character === '{' ? this.#closeOfTemplate(this.#at) : undefined;
      if (close !== undefined) {
        hasTemplate = true;
        this.#at = close;
        continue;
      }
      if (character === '\n') {
        firstEnd ??= this.#at;
        if (this.#brackets > 0 || !this.#goesOn(column)) break;
        continue;
      }
      if (character === '#' && isBlank(this.#text.charAt(this.#at - 1))) break;
      if (character === ':' && this.#endsWord(this.#at)) break;
      if (this.#brackets > 0 && ',[]{}'.includes(character)) break;
      this.#at += 1;
    }
    if (this.#at === start) this.#at += 1;
    if (!this.#isKeyEnd(this.#at)) return this.#found(start, this.#at, hasTemplate);
    if (firstEnd !== undefined) {
      this.#at = firstEnd; // the key is in a later line, and not part of this text
      return;
    }
    if (this.#hasKey && this.#brackets === 0) {
      this.#at = this.#commentOrEnd();
      if (hasTemplate) this.#found(start, this.#at, true);
      else this.colons.push({ start, end: this.#trimmed(start, this.#at) });
      return;
    }
    this.#found(start, this.#at, hasTemplate);
    this.#key(start);
  }

  #found(start: number, end: number, hasTemplate: boolean): void {
    this.#passLines(start);
    if (hasTemplate) this.templates.push({ start, end: this.#trimmed(start, end) });
  }

  /** Continues after a text of several lines, at the start of its last line. */
  #passLines(start: number): void {
    const lineFeed = this.#text.slice(start, this.#at).lastIndexOf('\n');
    if (lineFeed !== -1) this.#lineStart = start + lineFeed + 1;
  }

  #trimmed(start: number, end: number): number {
    return start + this.#text.slice(start, end).trimEnd().length;
  }

  /**
   * The position after the `}}` that closes the template at an offset; undefined if none starts or
   * closes.
   */
  #closeOfTemplate(at: number): number | undefined {
    if (!this.#text.startsWith('{{', at)) return undefined;
    if (this.#close < at) this.#close = orInfinity(this.#text.indexOf('}}', at));
    if (this.#close === Infinity) return undefined;
    const next = this.#text.lastIndexOf('{{', this.#close);
    if (next > at + 1) return undefined; // another template starts before this one ends
    return this.#close + (this.#text.startsWith('}}}', this.#close) && next > at ? 3 : 2);
  }

  #endsWord(at: number): boolean {
    const after = this.#text.charAt(at + 1);
    return isBlank(after) || (this.#brackets > 0 && ',[]{}'.includes(after));
  }

  /** Whether a colon follows that makes the preceding text a key. */
  #isKeyEnd(place: number): boolean {
    let at = place;
    while (this.#text.charAt(at) === ' ') at += 1;
    return this.#text.charAt(at) === ':' && this.#endsWord(at);
  }

  #commentOrEnd(): number {
    const end = this.#lineEnd();
    const comment = this.#text.slice(this.#at, end).search(/\s#/);
    return comment === -1 ? end : this.#at + comment;
  }

  #lineEnd(): number {
    const end = this.#text.indexOf('\n', this.#at);
    return end === -1 ? this.#text.length : end;
  }

  /** Moves from a line end to the next visible character, if that is in a column or after it. */
  #goesOn(column: number): boolean {
    let lineStart = this.#at + 1;
    let at = lineStart;
    for (; at < this.#text.length && isBlank(this.#text.charAt(at)); at++) {
      if (this.#text.charAt(at) === '\n') lineStart = at + 1;
    }
    if (at >= this.#text.length || at - lineStart < column) return false;
    this.#at = at;
    return true;
  }
}

const quotedText = /(["'])[^"'\n]+\1/y;

function orInfinity(index: number): number {
  return index === -1 ? Infinity : index;
}

function isBlank(character: string): boolean {
  return character === '' || ' \t\r\n'.includes(character);
}
