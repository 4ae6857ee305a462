/** A field as a cell of a CSV file (RFC 4180), which spreadsheets do not evaluate as a formula. */

/** The cell of a field: with marks where a formula could start, and with quotes where it needs them. */
export function cellOf(field: string): string {
  const text = harmless(field);
  return mustBeQuoted.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const mustBeQuoted = /[",;\t\r\n]/;
const plainNumber = /^-?\d+(\.\d+)?$/; // fees and losses are negative and must stay numbers
/**
 * Texts that get a mark: full-width forms count as ASCII, and a text that already has the mark gets
 * another, so that removing it restores the text. In spreadsheets that separate cells by semicolons
 * or tabs, quotes within a line do not protect a cell: the text after a separator starts a cell
 * there.
 */
const opensFormula = /(^|[;\t])(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g;

function harmless(text: string): string {
  return plainNumber.test(text) ? text : text.replaceAll(opensFormula, "$1'");
}

/**
 * Copies a field that is a cell without marks and quotes, as nearly every field is.
 * @returns the end of the cell; -1 for another field, of which anything may be copied
 */
export function copyPlain(field: string, bytes: Uint8Array, start: number): number {
  const { length } = field;
  if (length > 0 && !opensPlain(field.charCodeAt(0))) return -1;
  for (let at = 0; at < length; at++) {
    const code = field.charCodeAt(at);
    if (code === quote || code === comma || !isOrdinary(code)) return -1;
    bytes[start + at] = code;
  }
  return start + length;
}

/**
 * Copies a field that needs quotes but no marks, such as the JSON text of a list.
 * @returns the end of the cell; -1 for another field, of which anything may be copied
 */
export function copyQuoted(field: string, bytes: Uint8Array, start: number): number {
  const { length } = field;
  if (!opensPlain(field.charCodeAt(0))) return -1;
  let end = start;
  bytes[end++] = quote;
  for (let at = 0; at < length; at++) {
    const code = field.charCodeAt(at);
    if (!isOrdinary(code)) return -1;
    if (code === quote) bytes[end++] = quote;
    bytes[end++] = code;
  }
  bytes[end++] = quote;
  return end;
}

const quote = 0x22;
const comma = 0x2c;
const semicolon = 0x3b;

/** Whether no formula starts with a character: digits, letters and some signs. */
function opensPlain(code: number): boolean {
  return code >= 0x30 && code <= 0x7a && code !== semicolon && code !== 0x3d && code !== 0x40;
}

/** Whether a character is one byte, and neither a control character nor a separator of cells. */
function isOrdinary(code: number): boolean {
  return code >= 0x20 && code <= 0x7e && code !== semicolon;
}
