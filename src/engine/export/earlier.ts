/** Files of earlier runs that a step with `since: last` continues, each proved by its manifest. */
import { lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CsvStyle } from '../../base/csv-style.ts';
import { canonicalJson, fieldOf, type JsonRecord } from '../../base/json.ts';
import { listed, plainText, shellWord } from '../../base/text.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { Claim } from './claim.ts';
import { diskError, ExportError, systemCodeOf } from './error.ts';
import type { SupportedFormat } from './formats.ts';
import { manifestEnding } from './manifest.ts';
import { provenClaim } from './overwrite.ts';
import type { Series } from './series.ts';
import { readClaim } from './verify.ts';

/** The rows of a step and their form: a file with others is not continued. */
export interface RowSource {
  readonly operation: OperationName;
  /** The input without times and pages. */
  readonly input: JsonRecord;
  /** Identifies the account; absent for public data. */
  readonly account?: string;
  readonly format: SupportedFormat;
  /** The columns as given; absent for all fields. */
  readonly columns?: readonly string[];
  /** The fields of the API, which a table without given columns has. */
  readonly fields: readonly string[];
  readonly unique: readonly string[];
  readonly sort: readonly string[];
  readonly csv?: CsvStyle;
}

export interface EarlierFile {
  readonly file: string;
  readonly claim: Claim;
}

/**
 * The files of a series in its folder.
 * @throws ExportError when one was changed since it was written: rows may be missing from it
 */
export async function earlierFiles(
  folder: string,
  series: Series,
  source: RowSource,
): Promise<readonly EarlierFile[]> {
  const files: EarlierFile[] = [];
  for (const name of await namesIn(folder, series)) {
    const file = `${series.place.slice(0, series.place.lastIndexOf('/') + 1)}${name}`;
    const { claim, because } = await provenClaim({ folder, name });
    if (claim === undefined) await refuseChanged({ folder, name, file }, series, source, because);
    else if (isOf(file, claim, series) && unlike(claim, source) === undefined)
      files.push({ file, claim });
  }
  return files;
}

/**
 * Refuses a file that exists and is not one of the earlier ones, before its rows are read.
 * @throws ExportError with the reason
 */
export async function refuseOther(
  folder: string,
  file: string,
  earlier: readonly EarlierFile[],
  source: RowSource,
): Promise<void> {
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (earlier.some((known) => known.file === file)) return;
  if (lstatSync(join(folder, name), { throwIfNoEntry: false }) === undefined) return;
  const { claim, because } = await provenClaim({ folder, name });
  const reason = claim === undefined ? because : unlike(claim, source);
  throw notContinued(file, reason ?? 'it is not a file of this step');
}

/** The error for a file that is kept, and not continued. */
export function notContinued(file: string, because: string): ExportError {
  return new ExportError(
    'file-in-the-way',
    `${plainText(file, 160)} is not continued: ${plainText(because, 300)}`,
    { hint: 'move it away: its rows are then read again, as far as the exchange keeps them' },
  );
}

async function namesIn(folder: string, { mayBe }: Series): Promise<readonly string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => !name.startsWith('.') && !name.endsWith(manifestEnding) && mayBe(name))
      .toSorted();
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw diskError(folder, error);
  }
}

/** Whether a file is the one that rows of its time go into: another item may have a similar name. */
function isOf(file: string, { covered }: Claim, { fileAt }: Series): boolean {
  const [first] = covered;
  return first !== undefined && fileAt(first.from) === file;
}

async function refuseChanged(
  { folder, name, file }: { readonly folder: string; readonly name: string; readonly file: string },
  series: Series,
  source: RowSource,
  because = 'it was changed',
): Promise<void> {
  const claim = await readClaim(join(folder, `${name}${manifestEnding}`));
  if (typeof claim === 'string' || fieldOf(claim.whole, 'file') !== name) return;
  if (!isOf(file, claim, series) || unlike(claim, source) !== undefined) return;
  throw new ExportError(
    'file-changed',
    `${plainText(file, 160)} was changed since it was written: ${because}`,
    {
      hint: `see \`deskhand verify ${shellWord(file)}\`; restore it, or move it away, and its rows are read again as far as the exchange keeps them`,
    },
  );
}

/** Why a file has other rows, or the same rows in another form; undefined if it has neither. */
function unlike(claim: Claim, source: RowSource): string | undefined {
  const { whole, continued, operation, format, csv, unique } = claim;
  if (continued === undefined) return 'it was not written with since: last';
  if (operation !== source.operation) return `it has rows of ${operation ?? 'a table'}`;
  if (!isSame(fieldOf(whole, 'input'), source.input))
    return 'its rows were read with another input';
  if (continued.account !== source.account) {
    return 'it has rows of another account; an account-id in the profile stays the same for any key';
  }
  if (format !== source.format || !isSame(csv ?? {}, source.csv ?? {})) {
    return 'it was written in another format';
  }
  const columns = fieldOf(whole, 'columns');
  const isNamed = source.columns !== undefined;
  if (isNamed && !isSame(columns, source.columns)) return 'it has other columns';
  const lacks = source.fields.filter((field) => Array.isArray(columns) && !columns.includes(field));
  if (!isNamed && lacks.length > 0) return `it has no column ${listed(lacks)}`;
  const isOrdered = isSame(unique, source.unique) && isSame(fieldOf(whole, 'sort'), source.sort);
  return isOrdered ? undefined : 'its rows were compared or sorted by other columns';
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a ?? null) === canonicalJson(b ?? null);
}
