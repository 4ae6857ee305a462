/** Reads an e-mail as its reader would: headers, and its parts decoded. */

export interface MimePart {
  readonly type: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly content: Buffer;
  readonly parts: readonly MimePart[];
}

/** @param raw lines with LF, as a server received them, without stuffed dots */
export function mimeOf(raw: string): MimePart {
  const end = raw.indexOf('\n\n');
  const head = raw.slice(0, end).replaceAll(/\n[ \t]+/g, ' ');
  const headers = new Map(
    head.split('\n').map((line): [string, string] => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  const body = raw.slice(end + 2);
  const type = headers.get('content-type') ?? '';
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1];
  const isBase64 = headers.get('content-transfer-encoding') === 'base64';
  return {
    type: type.split(';')[0] ?? '',
    headers,
    content: isBase64 ? Buffer.from(body, 'base64') : Buffer.from(body),
    parts: boundary === undefined ? [] : partsOf(body, boundary),
  };
}

function partsOf(body: string, boundary: string): readonly MimePart[] {
  const [inside = ''] = body.split(`\n--${boundary}--`);
  return `\n${inside}`
    .split(`\n--${boundary}\n`)
    .slice(1)
    .map((part) => mimeOf(part));
}

/** The types of a part and of what is inside it: `mixed(alternative(plain, html), csv)`. */
export function shapeOf({ type, parts }: MimePart): string {
  const name = type.replace(/^.*\//, '');
  return parts.length === 0 ? name : `${name}(${parts.map(shapeOf).join(', ')})`;
}

/** The parts without further parts, in order. */
export function leavesOf(part: MimePart): readonly MimePart[] {
  return part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf);
}

/** The text of a header with encoded words. */
export function headerText(value = ''): string {
  return value
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?B\?([^?]*)\?=/gi, (_word, text: string) =>
      Buffer.from(text, 'base64').toString(),
    );
}
