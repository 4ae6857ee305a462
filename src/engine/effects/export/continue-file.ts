/** One file that is continued: its rows and the newer ones, written as a whole, and what its manifest says. */
import { fieldOf } from '../../../base/json.ts';
import { plainText } from '../../../base/text.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import type { Claim } from '../../export/claim.ts';
import type { ContinuedItem } from './continuation.ts';
import { common, united } from '../../export/coverage.ts';
import { realDisk, type DiskFile } from '../../export/disk.ts';
import { notContinued } from '../../export/earlier.ts';
import { ExportError } from '../../export/error.ts';
import type { Origin, TimeWindow, Written } from '../../export/manifest.ts';
import { merged } from '../../export/merge.ts';
import { provenClaim } from '../../export/overwrite.ts';
import { readableFormats, rowsOfFile } from '../../export/read-rows.ts';
import { makeRun, writeRows } from '../../export/rows.ts';
import { openTarget } from '../../export/target.ts';
import { lockTarget } from '../../export/target-lock.ts';
import type { Item } from '../../plan/items.ts';
import type { Step, Write } from '../../../language/playbook.ts';
import type { EffectContext } from '../effect-context.ts';
import { recordFile } from '../made-file.ts';
import type { Gathered } from './gather.ts';
import { shape } from './shape.ts';

export interface Work {
  readonly step: Step;
  readonly write: Write;
  readonly item: Item;
  readonly continued: ContinuedItem;
  readonly found: Gathered;
}

/** The rows that were read, by the file in which they belong. */
export interface Parts {
  /** All files to be written, in order: those of the time range, and those of older rows. */
  readonly files: readonly string[];
  /** The part of the time range of each file. */
  readonly periods: ReadonlyMap<string, readonly TimeWindow[]>;
  /** The rows of a file; the files must be asked for in order, each once. */
  readonly rowsOf: (file: string) => AsyncIterable<Row>;
  readonly close: () => Promise<void>;
}

export async function continueFile(
  file: string,
  parts: Parts,
  work: Work,
  context: EffectContext,
): Promise<Written> {
  const { write, item, continued, found } = work;
  const { workspace, disk, runId } = context;
  const { format, csv } = continued.source;
  const target = await openTarget(workspace, file);
  const isOwnLock = file !== continued.series.place; // otherwise it is locked since the run began to read
  const lock = isOwnLock ? lockTarget(target, runId) : undefined;
  try {
    const before = await beforeOf(file, target, found);
    const merge = merged(
      {
        earlier: rowsBefore({ path: `${target.folder}/${target.name}`, ...before }, continued),
        fresh: shaped(parts.rowsOf(file), write, item),
      },
      continued.unique,
      () => runIn(found, continued, context),
    );
    const columns = columnsOf(before.claim, continued, found);
    const making = { file, parts, before, work, counts: merge.counts };
    const written = await writeRows({
      workspace,
      ...(disk && { disk }),
      file,
      format,
      ...(columns && { columns }),
      ...(csv && { csv }),
      names: continued.unique,
      sort: continued.sort,
      token: found.token,
      origin: () => originOf(making),
      rows: () => merge.rows,
      mayPublish: async (made) => {
        lock?.refuseLost();
        await found.mayPublish(made);
        const { claim } = await provenClaim(target);
        if (claim?.sha256 !== before.claim?.sha256) throw changedMeanwhile(file);
      },
    });
    await recordWritten(written, making, context);
    return written;
  } finally {
    lock?.release();
    await target.close();
  }
}

/** The file that is continued. */
interface Before {
  /** The current claim of the file; absent for a new file. */
  readonly claim?: Claim;
  /** The file when the run began to read. */
  readonly of?: { readonly rows: number; readonly sha256: string };
  /** The rows that an earlier process of this run added to the file. */
  readonly done?: { readonly added: number; readonly replaced: number };
}

/** @throws ExportError when another run, or a person, has changed the file since the run began to read */
async function beforeOf(
  file: string,
  target: Parameters<typeof provenClaim>[0],
  { since, origin }: Gathered,
): Promise<Before> {
  const known = since?.files.find((each) => each.file === file);
  const of = known && { rows: known.rows, sha256: known.sha256 };
  const { claim, because } = await provenClaim(target);
  if (because !== undefined) throw notContinued(file, because);
  if (claim?.sha256 === of?.sha256) return { ...(claim && { claim }), ...(of && { of }) };
  const { continued, whole } = claim ?? {};
  const isOwn =
    continued !== undefined &&
    continued.of?.sha256 === of?.sha256 &&
    fieldOf(whole, 'exchangeTime') === origin.exchangeTime;
  if (claim === undefined || !isOwn) throw changedMeanwhile(file);
  return { claim, ...(of && { of }), done: continued };
}

function changedMeanwhile(file: string): ExportError {
  return new ExportError(
    'file-changed',
    `${plainText(file, 160)} was changed since this run began to read`,
    { hint: 'start a new run: it continues from the file in its present state' },
  );
}

async function* rowsBefore(
  { path, claim }: { readonly path: string; readonly claim?: Claim },
  { source }: ContinuedItem,
): AsyncGenerator<Row> {
  const format = readableFormats.find((known) => known === source.format);
  if (claim !== undefined && format !== undefined) yield* rowsOfFile(path, format, source.csv);
}

async function* shaped(rows: AsyncIterable<Row>, write: Write, item: Item): AsyncGenerator<Row> {
  for await (const row of rows) yield shape(row, write, item);
}

/** The columns of a table: those of the file before, then new ones; undefined where each row has its own. */
function columnsOf(
  claim: Claim | undefined,
  { source }: ContinuedItem,
  { columns }: Gathered,
): readonly string[] | undefined {
  if (source.columns !== undefined) return source.columns;
  if (source.format !== 'csv') return undefined;
  const before = fieldOf(claim?.whole, 'columns');
  return [...new Set([...(Array.isArray(before) ? before.map(String) : []), ...columns])];
}

interface Making {
  readonly file: string;
  readonly parts: Parts;
  readonly before: Before;
  readonly work: Work;
  /** Counted while the rows are written. */
  readonly counts: { readonly added: number; readonly replaced: number };
}

/** The source of a file for its manifest: the time ranges of all runs, and the last of them. */
function originOf({ file, parts, before, work: { continued, found }, counts }: Making): Origin {
  const { claim, of, done = counts } = before;
  const { asked: ofRun, ...origin } = found.origin;
  const { account } = continued.source;
  const covered = united([
    ...(claim?.covered ?? []),
    ...common(origin.covered, parts.periods.get(file) ?? []),
  ]);
  const bounds = [...covered, ...(claim?.asked ? [claim.asked] : [])];
  if (isFirst(file, parts)) bounds.push(...(ofRun ? [ofRun] : []), ...(found.since?.gaps ?? []));
  const from = bounds.map((span) => span.from).reduce((a, b) => Math.min(a, b), Infinity);
  const [first] = covered;
  return {
    ...origin,
    ...(first && { asked: { from, to: covered.at(-1)?.to ?? first.to } }),
    covered,
    clamps:
      first && from < first.from
        ? [{ bound: 'from', asked: from, used: first.from, because: 'not kept' }]
        : [],
    continued: {
      ...(account !== undefined && { account }),
      ...(of && { of }),
      added: done.added,
      replaced: done.replaced,
    },
  };
}

/** Whether a file has the first rows that the run has read: it also says what is missing before them. */
function isFirst(file: string, { periods }: Parts): boolean {
  return file === [...periods.keys()][0];
}

async function recordWritten(made: Written, making: Making, context: EffectContext): Promise<void> {
  const { covered, clamps, pages, continued } = originOf(making);
  const { file, parts, work } = making;
  const [first, last] = [covered[0], covered.at(-1)];
  const { from, gaps = [] } = work.found.since ?? {};
  const clamp = from === undefined ? clamps[0] : undefined; // later runs would repeat what the first one said
  await recordFile(
    {
      kind: 'wrote',
      step: work.step.path,
      ...made,
      pages,
      ...(first && last && { range: { from: first.from, to: last.to } }),
      ...(clamp && { clamped: { asked: clamp.asked, from: clamp.used } }),
      continued: {
        ...(from !== undefined && { from }),
        added: continued?.added ?? 0,
        replaced: continued?.replaced ?? 0,
        ...(isFirst(file, parts) && gaps.length > 0 && { gaps }),
      },
    },
    context,
  );
}

/** An unnamed file next to the files of the item, for rows that memory does not hold. */
export function runIn(
  { folder }: Gathered,
  { series }: ContinuedItem,
  { disk = realDisk }: EffectContext,
): Promise<DiskFile> {
  const name = series.place.slice(series.place.lastIndexOf('/') + 1);
  return makeRun(disk, { folder, name, file: series.shown });
}
