/** The text of a printed schema: what fits in a line is on one line. */
import { isRecord } from '../src/base/json.ts';

const width = 140;

/** A third of the size of text with each value on its own line, and as easy to read in a diff. */
export function schemaText(schema: unknown): string {
  return `${formatted(JSON.parse(JSON.stringify(schema)), '', 0)}\n`;
}

/** @param before how many characters are before the value in its line, in addition to the indent */
function formatted(value: unknown, indent: string, before: number): string {
  const line = onOneLine(value);
  const isShort = indent.length + before + line.length < width; // a comma may follow
  if (isShort || value === null || typeof value !== 'object') return line;
  const inner = `${indent} `; // they nest deep, and are a sixth of the package
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const items = Array.isArray(value)
    ? value.map((item: unknown) => `${inner}${formatted(item, inner, 0)}`)
    : Object.entries(value).map(([key, item]) => {
        const name = `${JSON.stringify(key)}: `;
        return `${inner}${name}${formatted(item, inner, name.length)}`;
      });
  return `${open}\n${items.join(',\n')}\n${indent}${close}`;
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}: ${onOneLine(item)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
