/** Uniform rows as CSV, from bytes to bytes, without a text for each value. */
import { InternalError } from '../../base/error.ts';
import type { PatternField } from '../../api/row-pattern.ts';
import type { UniformRows } from '../../api/uniform.ts';

const sign = {
  quote: 0x22,
  comma: 0x2c,
  return: 0x0d,
  feed: 0x0a,
  openList: 0x5b,
  closeList: 0x5d,
  openObject: 0x7b,
  closeObject: 0x7d,
  null: 0x6e, // the first letter of null
} as const;

/** The output buffer; it grows with the largest page. */
let room = Buffer.allocUnsafeSlow(0);

/**
 * Their records. Texts are copied, because their pattern guarantees that they need no quotes; other
 * JSON is written as usual: null is an empty field, and values with a quote or a comma are quoted.
 * @returns its own buffer, because concurrent exports wait for their disks in between
 */
export function uniformRecords({ fields, bytes }: UniformRows): Buffer {
  const rows = bytes();
  const most = 2 * rows.length + 2; // worst case: every byte is a quote and is doubled
  if (room.length < most) room = Buffer.allocUnsafeSlow(most);
  return Buffer.from(room.subarray(0, written(rows, fields.map(isTextIn), gapsOf(fields), room)));
}

const isTextIn = ({ isText }: PatternField): boolean => isText;

/** The number of bytes between the end of the previous value, or row, and a field's value. */
function gapsOf(fields: readonly PatternField[]): readonly number[] {
  return fields.map(({ name, isText }, at) => {
    const before = fields[at - 1]?.isText ? 2 : 1; // a quote and a comma; a brace for the first field
    return before + name.length + 3 + (isText ? 1 : 0);
  });
}

/** @returns the number of written bytes */
function written(
  rows: Uint8Array,
  isText: readonly boolean[],
  gaps: readonly number[],
  into: Uint8Array,
): number {
  const ending = isText.at(-1) ? 3 : 2; // a quote, a brace, and the comma before the next row
  let [at, end] = [0, 0];
  while (at < rows.length) {
    for (let field = 0; field < gaps.length; field++) {
      at += gaps[field] ?? 0;
      if (isText[field]) {
        let byte = rows[at];
        for (; byte !== undefined && byte !== sign.quote; byte = rows[++at]) into[end++] = byte;
      } else {
        const close = endOfJson(rows, at);
        end = withJson(rows, at, close, into, end);
        at = close;
      }
      into[end++] = sign.comma;
    }
    into[end - 1] = sign.return;
    into[end++] = sign.feed;
    at += ending;
    if (at !== rows.length + 1 && rows[at - 1] !== sign.comma) {
      throw new InternalError('rows are not what their pattern has said');
    }
  }
  return end;
}

/** The end of a JSON value: at a comma or brace outside of it. */
function endOfJson(rows: Uint8Array, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < rows.length; at++) {
    const byte = rows[at];
    if (byte === sign.quote) isQuoted = !isQuoted; // texts of such rows have no escapes
    else if (isQuoted) continue;
    else if (byte === sign.openList || byte === sign.openObject) depth += 1;
    else if (depth === 0 && (byte === sign.comma || byte === sign.closeObject)) return at;
    else if (byte === sign.closeList || byte === sign.closeObject) depth -= 1;
  }
  return rows.length;
}

/** @returns the new end of the output */
function withJson(
  rows: Uint8Array,
  start: number,
  close: number,
  into: Uint8Array,
  end: number,
): number {
  if (rows[start] === sign.null) return end;
  let isPlain = true;
  for (let at = start; at < close; at++) {
    isPlain &&= rows[at] !== sign.quote && rows[at] !== sign.comma;
  }
  let next = end;
  if (!isPlain) into[next++] = sign.quote;
  for (let at = start; at < close; at++) {
    if (rows[at] === sign.quote) into[next++] = sign.quote;
    into[next++] = rows[at] ?? 0;
  }
  if (!isPlain) into[next++] = sign.quote;
  return next;
}
