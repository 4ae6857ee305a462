/** Where a step with `since: last` continues, by the files in its folder: the same for a plan and for its run. */
import { join } from 'node:path';
import type { Millis } from '../../../base/clock.ts';
import { InternalError } from '../../../base/error.ts';
import { sha256, type JsonRecord } from '../../../base/json.ts';
import { operationOf } from '../../../exchange/api/operations/index.ts';
import { rowFields } from '../../../exchange/api/row-schema.ts';
import { keptSince } from '../../../exchange/api/time-range.ts';
import { accountParts, type Destination } from '../../journal/account.ts';
import type { ContinuedRead, PlannedContinuation } from '../../plan/plan-context.ts';
import { filePartsOf } from '../../export/target.ts';
import { EvaluationError, type Scope } from '../../../language/expression/value.ts';
import type { Step, Write } from '../../../language/playbook.ts';
import { rowKeysOf, windowOf, type RowKeys } from '../../../language/since.ts';
import { continuingFrom, type Continuing } from '../../export/coverage.ts';
import {
  earlierFiles,
  refuseOther,
  type EarlierFile,
  type RowSource,
} from '../../export/earlier.ts';
import { formatOf } from '../../export/formats.ts';
import { seriesOf, type Series } from '../../export/series.ts';

/** One item of a step with `since: last`: its files, and the rows that they have. */
export interface ContinuedItem extends RowKeys {
  readonly series: Series;
  readonly source: RowSource;
  /** The fields of the input that name the time range, and that of a row with its time. */
  readonly times: { readonly start: string; readonly end: string; readonly time: string };
  readonly overlapMs: Millis;
}

export interface Continuation extends Continuing {
  readonly earlier: readonly EarlierFile[];
}

/** @throws EvaluationError when a name of a file is not known before the rows are read */
export function continuedItem(
  step: Step,
  write: Write,
  { input, scope }: { readonly input: JsonRecord; readonly scope: Scope },
  destination: Destination,
): ContinuedItem {
  const { action } = step;
  const [window, keys] = [windowOf(step), rowKeysOf(step, write)];
  if (action.kind !== 'call' || window === undefined || 'missing' in keys) {
    throw new EvaluationError(`${step.path} cannot be continued`); // reported by validate
  }
  const { operation } = action;
  const series = seriesOf(write, window.time, scope);
  const { start, end, time } = window;
  const rest = Object.entries(input).filter(([name]) => name !== start && name !== end);
  const isPublic = operationOf(operation).access === 'public';
  const source: RowSource = {
    operation,
    input: Object.fromEntries(rest),
    ...(!isPublic && { account: sha256(accountParts(destination).join('\n')).slice(0, 16) }),
    format: formatOf(series.place, write.format),
    ...(write.columns && { columns: [...write.columns.keys()] }),
    fields: [...rowFields(operation).keys()],
    ...keys,
    ...(write.csv && { csv: write.csv }),
  };
  return {
    series,
    source,
    times: { start, end, time },
    overlapMs: write.since?.overlapMs ?? 0,
    ...keys,
  };
}

/**
 * Where the item continues.
 * @param folder the folder of its files
 * @param now the exchange's clock
 * @throws ExportError when an earlier file was changed, or another file has the name of one to be written
 */
export async function continuationOf(
  folder: string,
  { series, source, times, overlapMs }: ContinuedItem,
  input: JsonRecord,
  now: Millis,
): Promise<Continuation> {
  const earlier = await earlierFiles(folder, series, source);
  const [start, end] = [momentIn(input, times.start), momentIn(input, times.end)];
  const reach = {
    ...(start !== undefined && { start }),
    end: Math.min(end ?? now, now),
    kept: keptSince(source.operation, now),
    overlapMs,
  };
  const found = continuingFrom(
    earlier.map(({ claim }) => claim),
    reach,
  );
  const range = { from: found.start, to: reach.end };
  for (const file of series.filesIn(range).keys()) await refuseOther(folder, file, earlier, source);
  return { ...found, earlier };
}

/** Where a planned read would continue now. @throws as `continuationOf` does */
export async function plannedContinuation(
  { step, scope, input, destination, now }: ContinuedRead,
  workspace: string,
): Promise<PlannedContinuation> {
  const { write } = step;
  if (write === undefined) throw new InternalError(`${step.path} writes no file`);
  const item = continuedItem(step, write, { input, scope }, destination);
  const folder = join(workspace, ...filePartsOf(item.series.place).slice(0, -1));
  return continuationOf(folder, item, input, now);
}

function momentIn(input: JsonRecord, field: string): Millis | undefined {
  const value = input[field];
  return typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : undefined;
}
