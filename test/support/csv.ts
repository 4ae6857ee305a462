/** A tiny CSV reader (RFC 4180), to read back what was written. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let at = 0;
  while (at < text.length) {
    let field = '';
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (at >= text.length) throw new Error('a quoted field does not end');
        if (text[at] === '"') at++;
        field += text[at];
      }
      at++;
    } else {
      while (at < text.length && text[at] !== ',' && !text.startsWith('\r\n', at)) {
        if (text[at] === '"' || text[at] === '\n') throw new Error(`stray character at ${at}`);
        field += text[at++];
      }
    }
    line.push(field);
    if (text[at] === ',') {
      at++;
      if (at === text.length) throw new Error('the last line does not end');
      continue;
    }
    if (!text.startsWith('\r\n', at)) throw new Error(`no CRLF at ${at}`);
    at += 2;
    lines.push(line);
    line = [];
  }
  return lines;
}
