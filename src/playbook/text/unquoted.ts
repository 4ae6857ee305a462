/** Templates whose quotes were forgotten: found, and quoted in place so that the rest can be read. */

export interface UnquotedTemplate {
  /** Offsets of `{{` and after `}}`. */
  readonly start: number;
  readonly end: number;
}

/**
 * The text with each such template put in quotes without moving anything: the outer braces give
 * way to them.
 */
export function quoteTemplates(text: string): {
  readonly masked: string;
  readonly templates: readonly UnquotedTemplate[];
} {
  if (!text.includes('{{')) return { masked: text, templates: [] };
  const templates: UnquotedTemplate[] = [];
  let offset = 0;
  let blockIndent: number | undefined;
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/);
    if (blockIndent !== undefined && indent !== -1 && indent <= blockIndent)
      blockIndent = undefined;
    if (blockIndent === undefined) {
      for (const found of inLine(line)) {
        templates.push({ start: offset + found.start, end: offset + found.end });
      }
      if (/(?:^|[:\-\s])[|>][+\-0-9]*\s*(?:#.*)?$/.test(line)) blockIndent = Math.max(0, indent);
    }
    offset += line.length + 1;
  }
  return { masked: masked(text, templates), templates };
}

function inLine(line: string): UnquotedTemplate[] {
  const found: UnquotedTemplate[] = [];
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at);
    if (quote !== '') {
      if (character === '\\' && quote === '"') at += 1;
      else if (character === quote) quote = '';
      continue;
    }
    if (character === '#' && isBlankBefore(line, at)) break;
    const isValueStart = startsValue(line, at);
    if ((character === '"' || character === "'") && isValueStart) quote = character;
    if (character !== '{' || line.charAt(at + 1) !== '{' || !isValueStart) continue;
    const close = line.indexOf('}}', at);
    if (close === -1) break;
    found.push({ start: at, end: close + 2 });
    at = close + 1;
  }
  return found;
}

/** Whether a value may begin here: after a colon or dash and a blank, or in a flow collection. */
function startsValue(line: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /\s/.test(line.charAt(before))) before -= 1;
  if (before < 0) return true;
  const character = line.charAt(before);
  return ',[{'.includes(character) || (before < at - 1 && ':-'.includes(character));
}

function isBlankBefore(line: string, at: number): boolean {
  return at === 0 || /\s/.test(line.charAt(at - 1));
}

function masked(text: string, templates: readonly UnquotedTemplate[]): string {
  let result = '';
  let at = 0;
  for (const { start, end } of templates) {
    const inner = text
      .slice(start + 1, end - 1)
      .replaceAll('"', "'")
      .replaceAll('\\', '/');
    result += `${text.slice(at, start)}"${inner}"`;
    at = end;
  }
  return result + text.slice(at);
}
