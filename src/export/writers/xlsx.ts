/** Rows as a workbook with one sheet: numbers if a spreadsheet keeps every digit, else texts. */
// Not node:zlib: Node builds with another zlib write other bytes, and a resumed export must write
// the same.
import { Zip, ZipDeflate } from 'fflate';
import { formats } from '../../api/vocabulary.ts';
import { ExportError } from '../error.ts';
import type { Kind, Kinds } from '../kinds.ts';
import type { Row } from '../../api/listing.ts';
import { fieldText } from '../row.ts';

const rowsMax = 1_048_576; // per sheet, including its header
const cellMax = 32_767; // characters per cell
const batch = 64 * 1024; // characters passed to the packer at once

/** @throws ExportError when the rows do not fit into a sheet */
export async function* xlsxBytes(
  file: string,
  rows: AsyncIterable<Row>,
  columns: readonly string[],
  kinds: Kinds,
): AsyncGenerator<Uint8Array> {
  const letters = columns.map((_name, at) => lettersOf(at));
  const pack = packer();
  for (const [name, text] of frame) {
    pack.begin(name);
    yield* pack.push(text, true);
  }
  pack.begin('xl/worksheets/sheet1.xml');
  let pending = `${head}<row r="1">${columns.map((name, at) => textCell(`${letters[at] ?? ''}1`, name)).join('')}</row>`;
  let count = 1; // rows so far

  for await (const row of rows) {
    if (++count > rowsMax) throw tooLong(file, `it has more than ${rowsMax - 1} rows`);
    const cells = columns.map((name, at) =>
      cellOf(file, `${letters[at] ?? ''}${count}`, fieldText(row, name), kinds.get(name)),
    );
    pending += `<row r="${count}">${cells.join('')}</row>`;
    if (pending.length < batch) continue;
    yield* pack.push(pending, false);
    pending = '';
  }
  yield* pack.push(`${pending}</sheetData></worksheet>`, true);
  yield* pack.end();
}

/** `A` to `Z`, then `AA`. */
function lettersOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : `${lettersOf(Math.floor(at / 26) - 1)}${letter}`;
}

function cellOf(file: string, address: string, text: string, kind: Kind | undefined): string {
  if (text === '') return '';
  if (kind !== 'text' && isExact(text)) return `<c r="${address}"><v>${text}</v></c>`;
  if (text.length > cellMax) throw tooLong(file, `a cell has more than ${cellMax} characters`);
  return textCell(address, text);
}

const digitsMax = 15; // digits of a number that a spreadsheet keeps, and a double can hold

/** Whether a spreadsheet keeps all digits; an id of 19 would lose some. */
function isExact(text: string): boolean {
  if (!formats.decimal.test(text)) return false;
  return text.replace(/^-/, '').replace('.', '').replace(/^0+/, '').length <= digitsMax;
}

function textCell(address: string, text: string): string {
  return `<c r="${address}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

const notXml = /(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Cs}/gu;
const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

function escaped(text: string): string {
  return text.replace(notXml, '\ufffd').replace(/[&<>\r]/g, (mark) => marks[mark] ?? mark);
}

function tooLong(file: string, because: string): ExportError {
  return new ExportError('file-format', `${file} was not written: ${because}`, {
    hint: 'a workbook cannot hold it; write csv or parquet instead',
  });
}

interface Packer {
  begin(name: string): void;
  /** Adds text and yields the compressed bytes so far. */
  push(text: string, isLast: boolean): Generator<Uint8Array>;
  end(): Generator<Uint8Array>;
}

/** A zip archive: equal content gives equal bytes. */
function packer(): Packer {
  const ready: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(chunk);
  });
  let current: ZipDeflate | undefined;
  function* taken(): Generator<Uint8Array> {
    yield* ready.splice(0);
  }
  return {
    begin: (name) => {
      current = new ZipDeflate(name, { level: 6 });
      current.mtime = new Date(1980, 0, 1); // the earliest zip date, in any time zone
      zip.add(current);
    },
    push: function* push(text, isLast) {
      current?.push(new TextEncoder().encode(text), isLast);
      yield* taken();
    },
    end: function* end() {
      zip.end();
      yield* taken();
    },
  };
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const office = 'http://schemas.openxmlformats.org';
const sheets = `${office}/spreadsheetml/2006/main`;
const links = `${office}/officeDocument/2006/relationships`;
const packages = `${office}/package/2006`;
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const head = `${xml}<worksheet xmlns="${sheets}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" state="frozen"/></sheetView></sheetViews><sheetData>`;

/** The parts of a workbook besides its sheet. */
const frame: readonly (readonly [name: string, text: string])[] = [
  [
    '[Content_Types].xml',
    `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${media}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${links}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${links}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `${xml}<workbook xmlns="${sheets}" xmlns:r="${links}"><sheets><sheet name="rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
];
