/** The names of the sheets of a workbook, as spreadsheets accept them. */
import { plainText } from '../../../base/text.ts';
import { ExportError } from '../error.ts';

const lengthMax = 31; // characters of a name
const sheetsMax = 255; // of a workbook, as spreadsheets create them by hand

/** Checks one name after another. @throws ExportError for a name that is not possible, or occurs twice */
export function sheetNames(file: string, column: string): (name: string) => string {
  const seen = new Set<string>();
  return (name) => {
    const problem = problemOf(name);
    const shown = JSON.stringify(plainText(name, 60));
    if (problem !== undefined)
      throw refused(file, `a sheet cannot be named ${shown}: ${problem}`, column);
    if (seen.has(name.toLowerCase())) {
      throw refused(file, `two sheets would be named ${shown}, which differ in case only`, column);
    }
    if (seen.size === sheetsMax)
      throw refused(file, `it has more than ${sheetsMax} sheets`, column);
    seen.add(name.toLowerCase());
    return name;
  };
}

function problemOf(name: string): string | undefined {
  if (name.trim() === '') return 'it has no characters';
  if (name.length > lengthMax) return `it is longer than ${lengthMax} characters`;
  if (/[\\/?*[\]:\ufffe\uffff]|\p{Cc}|\p{Cs}/u.test(name)) {
    return 'it has one of \\ / ? * [ ] : or a control character';
  }
  if (/^history$/i.test(name)) return 'Excel has a sheet of that name itself';
  return /^'|'$/.test(name) ? "it begins or ends with '" : undefined;
}

function refused(file: string, because: string, column: string): ExportError {
  return new ExportError('file-format', `${file} was not written: ${because}`, {
    hint: `sheets: ${column} makes a sheet of each value of this column; shorten or replace it`,
  });
}
