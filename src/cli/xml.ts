/** XML for build servers: elements and attributes with any text. */
import { plainText } from '../base/text.ts';

/** An element with text, indented one more level. */
export function element(
  name: string,
  args: Readonly<Record<string, string>>,
  text: string,
): string[] {
  return [`  <${name}${attributes(args)}>${escaped(text)}</${name}>`];
}

/** Attributes of an element, each preceded by a space. */
export function attributes(args: Readonly<Record<string, string | number>>): string {
  return Object.entries(args)
    .map(([name, value]) => ` ${name}="${escaped(plainText(String(value)))}"`)
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Escapes a text. XML 1.0 cannot contain most control characters and unpaired surrogates, not even
 * as entities.
 */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replace(/[&<>"']/g, (character) => entities[character] ?? '')
  );
}
