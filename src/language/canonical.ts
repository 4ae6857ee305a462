/** The canonical layout of a playbook: missing quotes added, whitespace normalized, comments kept. */
import { canonicalJson } from '../base/json.ts';
import { readYaml } from './source.ts';
import { quoteTemplates } from './text/unquoted.ts';

/**
 * The canonical text, with the same meaning: if formatting would change a value, for example in a
 * literal block, only the quotes are added.
 * @throws ConfigError when the text cannot be parsed even with these quotes
 */
export function canonicalText(text: string, file: string): string {
  const quoted = withQuotes(text.replaceAll('\r\n', '\n'));
  const tidied = normalized(quoted);
  const [before, after] = [quoted, tidied].map((each) =>
    spaced(canonicalJson(readYaml(each, file, [], { hasAliases: true }))),
  );
  return before === after ? tidied : quoted;
}

/**
 * Quotes every text that YAML would read as a map: templates, and texts with a colon and a space.
 */
function withQuotes(text: string): string {
  let result = '';
  let at = 0;
  const { templates, colons } = quoteTemplates(text);
  for (const { start, end } of [...templates, ...colons].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, start) + quoted(text.slice(start, end));
    at = end;
  }
  return result + text.slice(at);
}

function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`;
  return `'${text.replaceAll("'", "''")}'`;
}

function normalized(text: string): string {
  const lines = text.split('\n').map((line) => spaced(line).trimEnd());
  const kept = lines.filter((line, index) => line !== '' || (lines[index - 1] ?? '') !== '');
  return `${kept.join('\n').trimEnd()}\n`;
}

/** Puts one space inside the braces of every template; block tags are not changed. */
function spaced(text: string): string {
  return text.replace(/\{\{[ \t]*([^{}]*?)[ \t]*\}\}/g, (whole, inner: string) =>
    /^(?:[#/~]|else\b)/.test(inner) ? whole : `{{ ${inner} }}`,
  );
}
