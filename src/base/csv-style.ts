/** The options of a CSV file: how its values and lines are written. */

/** The delimiters between fields; a text with any of them is always quoted. */
export const csvDelimiters = [',', ';', '\t'] as const;
export type CsvDelimiter = (typeof csvDelimiters)[number];

export interface CsvStyle {
  /** Whether the file starts with a byte order mark: some spreadsheets need it to read UTF-8. */
  readonly bom?: boolean;
  /** The delimiter between fields; default: a comma. */
  readonly delimiter?: CsvDelimiter;
}

export const byteOrderMark = '\ufeff';
export const usualDelimiter: CsvDelimiter = ',';

export function isDelimiter(value: unknown): value is CsvDelimiter {
  return csvDelimiters.some((known) => known === value);
}
