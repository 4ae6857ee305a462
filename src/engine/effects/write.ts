/** A read whose rows are written to a file page by page, so that memory does not grow with the rows. */
import { textType } from '../../exchange/api/column-types.ts';
import { InternalError } from '../../base/error.ts';
import { fieldOf } from '../../base/json.ts';
import { listing, type Listing } from '../../exchange/api/listing.ts';
import { rowFields, rowId } from '../../exchange/api/row-schema.ts';
import { formatOf } from '../export/formats.ts';
import { manifestSaid, type Written } from '../export/manifest.ts';
import type { Overwrite } from '../export/overwrite.ts';
import { writeContent, writeRows, type FileRequest } from '../export/rows.ts';
import type { Outcome } from '../journal/entry.ts';
import type { Item } from '../plan/items.ts';
import { evaluateTemplate, wireInput } from '../../language/expression/evaluate.ts';
import { EvaluationError, toJson, type Scope } from '../../language/expression/value.ts';
import type { Step, Write } from '../../language/playbook.ts';
import { limitsOf } from '../interpreter/jobs.ts';
import type { EffectContext } from './effect-context.ts';
import { continueFiles, placeOf } from './export/continue.ts';
import { forgetGathered, gathered, type Gathered, type Source } from './export/gather.ts';
import { exportTypes } from './export/types.ts';
import { recordFile } from './made-file.ts';
import { shape } from './export/shape.ts';
import { contentOf, formOf, keepAs, rowsOf, type Form } from './export/kept-rows.ts';

/**
 * Reads all pages into a file that gets its name only when it is complete; continues after an
 * earlier process of the run.
 */
export async function writeFile(step: Step, item: Item, context: EffectContext): Promise<Outcome> {
  const { address, scope } = item;
  const { action, write } = step;
  if (action.kind !== 'call' || write === undefined) {
    throw new InternalError(`${step.path} writes no rows`);
  }
  if (write.since !== undefined) return continueFiles(step, write, item, context);
  const file = fileOf(write, scope);
  const form = formOf(formatOf(file, write.format), write);
  const source: Source = {
    address,
    operation: action.operation,
    input: wireInput(action.operation, step.with, scope).input,
    file,
    overwrite: overwriteOf(write),
    limits: limitsOf(step),
    fields: namedIn(write) ?? [...rowFields(action.operation).keys()],
    shape: (rows) => shaped(rows, write, item),
    keep: keepAs(form, namedIn(write), write.csv),
  };
  return gathered(source, context, async (found) => {
    const made = await madeOf(found, { source, write, form }, context);
    const { origin, replaces } = found;
    const clamp = origin.clamps.find(({ bound }) => bound === 'from');
    const [first, last] = [origin.covered[0], origin.covered.at(-1)];
    const wrote = {
      kind: 'wrote' as const,
      step: step.path,
      ...made,
      pages: origin.pages,
      ...(first && last && { range: { from: first.from, to: last.to } }),
      ...(clamp && { clamped: { asked: clamp.asked, from: clamp.used } }),
      ...(replaces !== undefined && { replaces }),
    };
    await recordFile(wrote, context);
    const output = { file: made.file, rows: made.rows, manifest: manifestSaid(made) };
    return { kind: 'done', output, evidence: 'answered' };
  });
}

/** Removes the stored rows of an export after its result is on the disk. */
export async function cleanUpExport(
  step: Step,
  { address, scope }: Item,
  outcome: Outcome,
  context: EffectContext,
): Promise<void> {
  if (outcome.kind !== 'done') return;
  const { write } = step;
  const file =
    write?.since === undefined ? fieldOf(outcome.output, 'file') : placeOf(step, write, scope);
  if (typeof file === 'string') await forgetGathered({ address, file }, context);
}

function madeOf(
  found: Gathered,
  { source, write, form }: { readonly source: Source; readonly write: Write; readonly form: Form },
  context: EffectContext,
): Promise<Written> {
  const { file, operation } = source;
  const { origin, token, mayPublish } = found;
  const format = formatOf(file, write.format);
  const named = namedIn(write);
  const names = named ? [] : rowId(operation);
  const columns = named ?? (format === 'ndjson' || format === 'json' ? undefined : found.columns);
  const request: FileRequest = {
    workspace: context.workspace,
    ...(context.disk && { disk: context.disk }),
    file,
    format,
    ...(columns && { columns }),
    ...(names.length > 0 && { names }),
    ...(write.csv && format === 'csv' && { csv: write.csv }),
    token,
    mayPublish,
    origin: () => origin,
  };
  if (form !== 'rows') {
    const content = contentOf(form, found, { columns: columns ?? [], csv: write.csv });
    return writeContent({ ...request, content, count: found.count });
  }
  return writeRows({
    ...request,
    types: exportTypes(operation, write),
    ...(write.columns === undefined && { otherType: textType }), // fields that the API does not list
    ...(write.unique && { unique: write.unique }),
    ...(write.sort && { sort: write.sort }),
    ...(write.sheets !== undefined && { sheets: write.sheets }),
    rows: () => rowsOf(found),
  });
}

function namedIn({ columns }: Write): readonly string[] | undefined {
  return columns && [...columns.keys()];
}

/** The kind of existing content that a file may replace. */
export function overwriteOf({ overwrite }: Write): Overwrite {
  if (overwrite === undefined) return 'own';
  return overwrite ? 'all' : 'none';
}

function shaped(rows: Listing, write: Write, item: Item): Listing {
  if (write.columns === undefined) return rows;
  return listing(rows.objects().map((row) => shape(row, write, item)));
}

/** @throws EvaluationError when the name is not known */
export function fileOf(write: Write, scope: Scope): string {
  const found = evaluateTemplate(write.file, scope);
  const name = found.known ? toJson(found.value) : undefined;
  if (typeof name === 'string') return name;
  throw new EvaluationError('the name of the file must be a text known before the rows are read');
}
