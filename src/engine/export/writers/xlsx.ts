/** Rows as a workbook with one sheet, or one for each value of a column: a column is numbers, dates or texts throughout. */
// Not node:zlib: Node builds with another zlib write other bytes, and a resumed export must write
// the same.
import { Zip, ZipDeflate } from 'fflate';
import { day, type Millis } from '../../../base/clock.ts';
import { ExportError } from '../error.ts';
import { numberIn, timeIn, type ColumnType } from '../../../exchange/api/column-types.ts';
import type { Column } from '../survey.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import { fieldText } from '../row.ts';
import { sheetNames } from './sheet-names.ts';

const rowsMax = 1_048_576; // per sheet, including its header
const cellMax = 32_767; // characters per cell
const batch = 64 * 1024; // characters passed to the packer at once

/**
 * @param columns as surveyed in the same rows
 * @param sheets the column that names the sheet of a row; rows of a sheet follow each other. Default: one sheet
 * @throws ExportError when the rows do not fit into a sheet, or a value cannot be the name of one
 */
export async function* xlsxBytes(
  file: string,
  rows: AsyncIterable<Row>,
  columns: readonly Column[],
  sheets?: string,
): AsyncGenerator<Uint8Array> {
  const letters = columns.map((_column, at) => lettersOf(at));
  const pack = packer();
  for (const [name, text] of frame) {
    pack.begin(name);
    yield* pack.push(text, true);
  }
  const named = sheetNames(file, sheets ?? '');
  const made: Sheet[] = [];
  let pending = '';
  const begin = (name: string): Sheet => {
    pack.begin(`xl/worksheets/sheet${made.length + 1}.xml`);
    pending = `${headOf(columns)}<row r="1">${columns.map(({ name: column }, at) => textCell(`${letters[at] ?? ''}1`, column, ' s="1"')).join('')}</row>`;
    const sheet = { name, rows: 1 };
    made.push(sheet);
    return sheet;
  };
  const end = (sheet: Sheet): Generator<Uint8Array> =>
    pack.push(`${pending}</sheetData>${filterOf(letters, sheet)}</worksheet>`, true);

  let sheet = sheets === undefined ? begin(usualName) : undefined;
  for await (const row of rows) {
    const name = sheets === undefined ? usualName : fieldText(row, sheets);
    if (sheet?.name !== name) {
      if (sheet !== undefined) yield* end(sheet);
      sheet = begin(named(name));
    }
    const count = ++sheet.rows;
    if (count > rowsMax) throw tooLong(file, `it has more than ${rowsMax - 1} rows`);
    const cells = columns.map(({ name: column, type }, at) =>
      cellOf(file, `${letters[at] ?? ''}${count}`, fieldText(row, column), type),
    );
    pending += `<row r="${count}">${cells.join('')}</row>`;
    if (pending.length < batch) continue;
    yield* pack.push(pending, false);
    pending = '';
  }
  yield* end(sheet ?? begin(usualName));
  for (const [name, text] of bookOf(made, letters)) {
    pack.begin(name);
    yield* pack.push(text, true);
  }
  yield* pack.end();
}

interface Sheet {
  readonly name: string;
  /** The number of rows, with the header. */
  rows: number;
}

const usualName = 'rows';

function filterOf(letters: readonly string[], { rows }: Sheet): string {
  const last = letters.at(-1);
  return last === undefined ? '' : `<autoFilter ref="A1:${last}${rows}"/>`;
}

/** The letters of a column: `A` to `Z`, then `AA`. */
function lettersOf(at: number): string {
  const letter = String.fromCharCode(65 + (at % 26));
  return at < 26 ? letter : `${lettersOf(Math.floor(at / 26) - 1)}${letter}`;
}

function cellOf(file: string, address: string, text: string, type: ColumnType): string {
  if (text === '') return '';
  if (type.kind === 'number') {
    const plain = numberIn(text);
    if (plain !== undefined) return `<c r="${address}"><v>${plain}</v></c>`;
  }
  if (type.kind === 'time') {
    const ms = timeIn(text);
    if (ms === 'none') return '';
    if (ms !== undefined) return `<c r="${address}" s="2"><v>${daysOf(ms)}</v></c>`;
  }
  if (text.length > cellMax) throw tooLong(file, `a cell has more than ${cellMax} characters`);
  return textCell(address, text);
}

const unixDay = 25_569; // 1970-01-01 in days of a spreadsheet

/** A time in days, never below it: readers that drop fractions would lose a millisecond. */
function daysOf(ms: Millis): number {
  const days = ms / day + unixDay;
  return (days - unixDay) * day < ms ? days * (1 + Number.EPSILON) : days;
}

function textCell(address: string, text: string, style = ''): string {
  const space = outerSpace.test(text) ? ' xml:space="preserve"' : '';
  return `<c r="${address}"${style} t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`;
}

/** White space that readers of XML may drop or join. */
const outerSpace = /^\s|\s$|[\t\n\r]|\s\s/;

const notXml = /(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Cs}/gu;
const plainXml = /^[ !"#$%'-;=?-~]*$/; // ASCII without the marks
const marks: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

function escaped(text: string): string {
  if (plainXml.test(text)) return text;
  return text.replace(notXml, '\ufffd').replace(/[&<>\r]/g, (mark) => marks[mark] ?? mark);
}

function tooLong(file: string, because: string): ExportError {
  return new ExportError('file-format', `${file} was not written: ${because}`, {
    hint: 'a workbook cannot hold it; write csv or parquet instead',
  });
}

interface Packer {
  begin(name: string): void;
  /** Adds text and yields the compressed bytes that are ready. */
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
const sheetWords = `${office}/spreadsheetml/2006/main`;
const links = `${office}/officeDocument/2006/relationships`;
const packages = `${office}/package/2006`;
const media = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The start of the sheet: a header that stays visible, and columns as wide as their values. */
function headOf(columns: readonly Column[]): string {
  const view = `<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`;
  const widths = columns.map(
    (column, at) =>
      `<col min="${at + 1}" max="${at + 1}" width="${widthOf(column)}" customWidth="1"/>`,
  );
  const cols = widths.length === 0 ? '' : `<cols>${widths.join('')}</cols>`;
  return `${xml}<worksheet xmlns="${sheetWords}">${view}${cols}<sheetData>`;
}

const dateWidth = 24; // characters of 2026-11-20 04:00:00.000, and some room
const widthMax = 60; // characters; longer texts are visible in their cell
const filterRoom = 4; // characters next to a name, for the button of the filter

function widthOf({ name, type, width }: Column): number {
  const longest = type.kind === 'time' ? dateWidth : width + 2;
  return Math.min(widthMax, Math.max(8, name.length + filterRoom, longest));
}

/** The parts that name the sheets; a spreadsheet also names the ranges of their filters. */
function bookOf(
  made: readonly Sheet[],
  letters: readonly string[],
): readonly (readonly [name: string, text: string])[] {
  const last = letters.at(-1);
  const names = made.map(({ name, rows }, at) => {
    const place = name === usualName ? name : `'${name.replaceAll("'", "''")}'`;
    return `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">${escaped(place)}!$A$1:$${last}$${rows}</definedName>`;
  });
  const filters = last === undefined ? '' : `<definedNames>${names.join('')}</definedNames>`;
  const listed = made.map(
    ({ name }, at) =>
      `<sheet name="${escaped(name).replaceAll('"', '&quot;')}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  const relations = made.map(
    (_sheet, at) =>
      `<Relationship Id="rId${at + 1}" Type="${links}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  return [
    [
      'xl/workbook.xml',
      `${xml}<workbook xmlns="${sheetWords}" xmlns:r="${links}"><sheets>${listed.join('')}</sheets>${filters}</workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${xml}<Relationships xmlns="${packages}/relationships">${relations.join('')}<Relationship Id="rId${made.length + 1}" Type="${links}/styles" Target="styles.xml"/></Relationships>`,
    ],
  ];
}

/** Cell styles by number: 0 plain, 1 the header, 2 a date to the millisecond. */
const styles = `${xml}<styleSheet xmlns="${sheetWords}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

/** The parts of a workbook that do not depend on its sheets: a part without its own type is a sheet. */
const frame: readonly (readonly [name: string, text: string])[] = [
  [
    '[Content_Types].xml',
    `${xml}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${media}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${media}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${media}.styles+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `${xml}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${links}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  ['xl/styles.xml', styles],
];
