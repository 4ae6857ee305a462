/** The files of a step with `since: last`: one, or one for each period that the name of the file takes from the time of a row. */
import { hour, minute, second, type Millis } from '../../base/clock.ts';
import { plainText } from '../../base/text.ts';
import { evaluateTemplate } from '../../language/expression/evaluate.ts';
import { EvaluationError, toJson, type Scope } from '../../language/expression/value.ts';
import type { Template, Write } from '../../language/playbook.ts';
import { isByRow, nameBeforeRows } from '../../language/since.ts';
import { ExportError } from './error.ts';
import type { TimeWindow } from './manifest.ts';

export interface Series {
  /** The name for people: `out/bills-*.csv` of several files. */
  readonly shown: string;
  /** A name next to the files, for the lock and the stored rows; the name of the file if it is the only one. */
  readonly place: string;
  /** The file of a row with this time. @throws EvaluationError */
  readonly fileAt: (time: Millis) => string;
  /** Whether a file of the folder may be one of the series, by its name without the folder. */
  readonly mayBe: (name: string) => boolean;
  /** The files of a time range, in order, with the part of the range of each. @throws ExportError */
  readonly filesIn: (range: TimeWindow) => ReadonlyMap<string, readonly TimeWindow[]>;
}

/**
 * @param timeField the field of a row with its time
 * @throws EvaluationError when the name is not known before the rows are read
 */
export function seriesOf(write: Write, timeField: string, scope: Scope): Series {
  const withEach = (sign: string): string => {
    const name = nameBeforeRows(write.file, scope, sign);
    if (name === undefined) throw notKnown();
    return name;
  };
  const place = withEach('_');
  const fileAt = (time: Millis): string =>
    nameIn(write.file, { ...scope, row: { [timeField]: String(time) } });
  if (!isByRow(write)) {
    const file = place;
    return {
      shown: file,
      place: file,
      fileAt: () => file,
      mayBe: (name) => name === lastPart(file),
      filesIn: (range) => new Map([[file, [range]]]),
    };
  }
  const outline = withEach('*');
  const name = lastPart(outline);
  const [start, end] = [name.slice(0, name.indexOf('*')), name.slice(name.lastIndexOf('*') + 1)];
  return {
    shown: outline,
    place,
    fileAt,
    mayBe: (name) => name.startsWith(start) && name.endsWith(end),
    filesIn: (range) => periodsIn(fileAt, range),
  };
}

function nameIn(file: Template, scope: Scope): string {
  const found = evaluateTemplate(file, scope);
  const name = found.known ? toJson(found.value) : undefined;
  if (typeof name === 'string') return name;
  throw notKnown();
}

function notKnown(): EvaluationError {
  return new EvaluationError('the name of the file must be a text known before the rows are read');
}

function lastPart(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

const stride = 12 * hour; // a day with a clock change has at least 22 hours
const filesMax = 1_000; // as many as windows of a range

/** Cuts a range where the name changes. */
function periodsIn(
  fileAt: (time: Millis) => string,
  { from, to }: TimeWindow,
): ReadonlyMap<string, readonly TimeWindow[]> {
  refuseShort(fileAt, from);
  const files = new Map<string, TimeWindow[]>();
  let start = from;
  while (start <= to) {
    const file = fileAt(start);
    let [known, next] = [start, start + stride];
    while (next <= to && fileAt(next) === file) [known, next] = [next, next + stride];
    const end =
      fileAt(Math.min(next, to)) === file
        ? to
        : changeBetween(fileAt, known, Math.min(next, to)) - 1;
    const parts = files.get(file) ?? [];
    parts.push({ from: start, to: end });
    files.set(file, parts);
    if (files.size > filesMax) throw tooMany(file);
    start = end + 1;
  }
  return files;
}

/** The first moment with another name. */
function changeBetween(fileAt: (time: Millis) => string, from: Millis, until: Millis): Millis {
  const file = fileAt(from);
  let [low, high] = [from, until];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fileAt(middle) === file) low = middle;
    else high = middle;
  }
  return high;
}

const probe = hour + minute + second + 1; // no multiple of an hour, a minute or a second
const namesMax = 2; // of 24 probes: the end of one day, and the next day

/** @throws ExportError when a file would have the rows of less than a day */
function refuseShort(fileAt: (time: Millis) => string, from: Millis): void {
  const names = new Set(Array.from({ length: 22 }, (_, at) => fileAt(from + at * probe)));
  if (names.size <= namesMax) return;
  throw new ExportError(
    'file-name',
    `${plainText([...names][0] ?? '', 120)} would have the rows of less than a day`,
    { hint: "name files by days, months or years: {{ date row.… 'yyyy-MM-dd' }}" },
  );
}

function tooMany(file: string): ExportError {
  return new ExportError(
    'file-name',
    `more than ${filesMax} files would be written, up to ${plainText(file, 120)}`,
    { hint: 'name files by months or years, or read a shorter time range' },
  );
}
