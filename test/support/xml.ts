/** XML read strictly, as far as our own papers use it: elements, attributes, text, five entities. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** @throws Error at the first character that XML 1.0 does not allow there */
export function parseXml(text: string): Element {
  // oxlint-disable-next-line no-control-regex
  const wild = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.exec(text);
  if (wild) throw new Error(`a character XML does not have, at ${wild.index}`);
  const body = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  const { element, end } = elementAt(body, 0);
  if (body.slice(end).trim() !== '') throw new Error(`something after the root, at ${end}`);
  return element;
}

const opening =
  /<([A-Za-z][\w.-]*)((?: [A-Za-z][\w.-]*="[^"<&]*(?:&(?:amp|lt|gt|quot|apos);[^"<&]*)*")*)(\/?)>/y;
const plain = /[^<&]*(?:&(?:amp|lt|gt|quot|apos);[^<&]*)*/y;

function elementAt(
  text: string,
  start: number,
): { readonly element: Element; readonly end: number } {
  const [all, name = '', given = '', isEmpty] = match(opening, text, start);
  const attributes = Object.fromEntries(
    [...given.matchAll(/ ([\w.-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
      key,
      meant(value),
    ]),
  );
  let at = start + all.length;
  if (isEmpty === '/') return { element: { name, attributes, children: [], text: '' }, end: at };
  const children: Element[] = [];
  let words = '';
  for (;;) {
    const [part] = match(plain, text, at);
    words += meant(part);
    at += part.length;
    if (text.startsWith(`</${name}>`, at)) break;
    const child = elementAt(text, at);
    children.push(child.element);
    at = child.end;
  }
  return { element: { name, attributes, children, text: words }, end: at + name.length + 3 };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  if (found === null) throw new Error(`not XML at ${at}: ${text.slice(at, at + 40)}`);
  return found;
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function meant(text: string): string {
  return text.replace(/&(\w+);/g, (_all, name: string) => entities[name] ?? '');
}
