/** Markup that is safe for any value: every value is escaped unless it is markup. */
import { escapeControls } from '../../base/text.ts';
import { isHarmless } from '../chart/safe.ts';

/** A piece of markup, created by `html` from literal text in deskhand's files. */
export class Html {
  readonly #text: string;

  constructor(strings: readonly string[], values: readonly Content[]) {
    let text = strings[0] ?? '';
    for (const [index, value] of values.entries())
      text += shown(value) + (strings[index + 1] ?? '');
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Content = string | number | Html | undefined | readonly Content[];

/**
 * A template whose values are escaped: `<`, quotes and `&`, control and bidirectional characters.
 * Lists are joined; undefined is empty.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings, values);
}

/** A line break in `pre`; other control characters are escaped. */
export const newline: Html = new Html(['\n'], []);

/**
 * A drawing, unchanged, if it contains only shapes and text; otherwise nothing.
 * @param mark distinguishes its ids from those of other drawings on the page
 */
export function drawing(svg: string, mark: string): Html | undefined {
  if (!isHarmless(svg)) return undefined;
  return new Html([svg.replace(/(id="|url\(#)/g, `$1${mark}-`)], []);
}

/** A style sheet of deskhand, which is not escaped. */
export function styleSheet(...sheets: readonly string[]): Html {
  return new Html([`<style>${sheets.join('')}</style>`], []);
}

/** A script of deskhand, which is not escaped. */
export function scriptOf(text: string): Html {
  return new Html([`<script>${text}</script>`], []);
}

function shown(value: Content): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(shown).join('');
  return escapeControls(String(value)).replace(/[&<>"'`]/g, (sign) => signs[sign] ?? '');
}

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};
