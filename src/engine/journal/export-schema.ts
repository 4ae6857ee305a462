/** The entries of files: an export starts to read, a page is stored, a file is written. */
import {
  choice,
  described,
  integer,
  isTrue,
  list,
  named,
  oneOf,
  optional,
  record,
  text,
} from '../../exchange/api/schema.ts';
import { address } from './outcome.ts';
import { millis, operationName, place } from './shared-schema.ts';

const span = record({ from: millis('First moment'), to: millis('Last moment') });
const count = integer({ minimum: 0 });

export const reading = described(
  'An export begins to read',
  record({
    ...place,
    kind: choice(['reading']),
    address,
    operation: operationName,
    file: text(),
    /** Unchanged when the export is resumed. */
    time: millis('The exchange’s clock from which its windows are counted'),
    /** The requested time range; absent for operations without times. */
    asked: optional(span),
    replaces: optional(integer({ description: 'Rows of the earlier export of this name' })),
    since: optional(
      described(
        'Where a read with since: last continues',
        record({
          start: millis('First moment that is read'),
          from: optional(millis('First moment that no file covers; absent without files')),
          gaps: list(span, {
            description: 'Ranges without rows that the exchange no longer keeps',
          }),
          files: list(record({ file: text(), rows: count, sha256: text() })),
        }),
      ),
    ),
  }),
);

/** The position where reading continues. */
const bookmark = record({
  window: optional(record({ start: millis('First moment'), end: millis('Last moment') })),
  place: named(text()),
  isEnd: optional(isTrue),
  againUntil: optional(millis('Rows up to here were already read')),
});

export const paged = described(
  'The rows of an export are kept up to this page; counts are of all its pages so far',
  record({
    ...place,
    kind: choice(['paged']),
    address,
    page: integer({ minimum: 1 }),
    rows: count,
    duplicates: count,
    /** The window as it was requested. */
    window: optional(span),
    /** The window has no more pages. */
    isLast: optional(isTrue),
    reached: optional(millis('Time of the oldest row of the page')),
    /** Columns that rows before this checkpoint do not have. */
    columns: optional(list(text(), { description: 'Columns not seen before' })),
    /** The bookmark of the next page; absent after the last page. */
    next: optional(bookmark),
    /** Length and checksum of the stored rows, and of their names. */
    kept: record({ bytes: count, crc: count, names: record({ bytes: count, crc: count }) }),
  }),
);

/** The place where other machines find a file. */
export const stored = oneOf(
  record({
    in: choice(['store']),
    manifest: optional(text({ description: 'Digest of its manifest, which is stored with it' })),
  }),
  record({
    in: choice(['workspace']),
    host: text({ description: 'Name of the machine' }),
    folder: text({ description: 'The workspace on that machine' }),
    because: optional(text({ description: 'Why it is not in the store, as it should be' })),
  }),
);

/** The place where other machines find the file; absent for a run without other machines. */
const where = optional(described('Where other machines find it', stored));

/** Columns with values that are not of their type, and what was written instead. */
export const exceptions = list(
  record({
    column: text(),
    written: choice(['null', 'text'], {
      description: 'null for each of them, or the whole column as text',
    }),
    rows: integer({ minimum: 1, description: 'Number of such rows' }),
    first: record({ row: integer({ minimum: 1 }), value: text() }),
  }),
);

/** The rows that were added to a file of earlier runs. */
export const continued = described(
  'The file was continued with since: last',
  record({
    from: optional(millis('First moment that no file covered; absent for the first run')),
    added: count,
    replaced: integer({ minimum: 0, description: 'Rows whose content had changed' }),
    gaps: optional(
      list(span, { description: 'Ranges without rows that the exchange no longer keeps' }),
    ),
  }),
);

export const wrote = record({
  ...place,
  kind: choice(['wrote']),
  step: text(),
  file: text(),
  rows: integer(),
  bytes: integer(),
  sha256: text(),
  pages: integer(),
  /** The time range that the file's rows cover. */
  range: optional(record({ from: millis('First moment'), to: millis('Last moment') })),
  /** The clamped time range, if more was requested than the exchange keeps. */
  clamped: optional(record({ asked: millis('Requested from'), from: millis('Data begins') })),
  replaces: optional(integer({ description: 'Rows of the earlier export it replaced' })),
  continued: optional(continued),
  /** The exceptions as the manifest states them. */
  exceptions: optional(exceptions),
  stored: where,
});

export const document = described(
  'A file without rows was written: a page or a chart',
  record({
    ...place,
    kind: choice(['document']),
    step: text(),
    file: text(),
    bytes: count,
    sha256: text(),
    stored: where,
  }),
);
