/** `report/table`: joins, filters, groups and sorts rows of earlier steps. */
import type { Json } from '../../../base/json.ts';
import { formatOf } from '../../export/formats.ts';
import { manifestSaid, type Derivation } from '../../export/manifest.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import { writeRows } from '../../export/rows.ts';
import type { Entry } from '../../journal/entry.ts';
import { reusedFilesIn } from '../../journal/reused-files.ts';
import type { Item } from '../../plan/items.ts';
import { isTrue, knownValue } from '../../../language/expression/known.ts';
import { toJson, type Scope } from '../../../language/expression/value.ts';
import type { Step, Template } from '../../../language/playbook.ts';
import { sourcesOf, tableIn, type Table } from '../../../language/tables.ts';
import type { EffectContext, RunPlace } from '../effect-context.ts';
import { inPlace, tokenOf } from '../export/in-place.ts';
import { tableTypes } from '../export/types.ts';
import { recordFile } from '../made-file.ts';
import { broughtBy } from '../rows.ts';
import { shape } from '../export/shape.ts';
import { fileOf, overwriteOf } from '../write.ts';
import { compareScalars, groupsOf, refuseMoreThan, type Grouped } from './group.ts';
import { partnersOf, withPartners, type Partners } from './join.ts';

const answerMax = 10_000; // rows that a journal keeps; more are written to a file

/** @returns the table's rows, or with `write` its file */
export async function makeTable(step: Step, item: Item, context: EffectContext): Promise<Json> {
  const table = tableIn(step);
  const rows = (): AsyncIterable<Row> => rowsOf(table, item.scope, context);
  const { write } = step;
  if (write === undefined) {
    const kept: Row[] = [];
    for await (const row of rows()) {
      kept.push(row);
      refuseMoreThan(kept.length, 'rows, and it has no write', answerMax);
    }
    return { rows: kept };
  }
  const entries = await context.entries();
  const place = { file: fileOf(write, item.scope), overwrite: overwriteOf(write) };
  // A resumed run may find the output of this step from before the crash.
  const isResumed = wasOpened(step, entries);
  const { made, replaces } = await inPlace(place, isResumed, context, async ({ lock, spot }) => {
    const written = await writeRows({
      workspace: context.workspace,
      ...(context.disk && { disk: context.disk }),
      file: place.file,
      format: formatOf(place.file, write.format),
      ...columnsOf(table, step),
      types: tableTypes(step, write),
      ...(write.csv && { csv: write.csv }),
      ...(write.unique && { unique: write.unique }),
      ...(write.sort && { sort: write.sort }),
      ...(write.sheets !== undefined && { sheets: write.sheets }),
      rows: () => shaped(rows(), step, item),
      token: tokenOf(item, context),
      mayPublish: async (done) => {
        lock.refuseLost();
        await spot.refuseOther(done);
      },
      origin: () => derivationOf(step, item.scope, entries, context),
    });
    return { made: written, replaces: spot.replaces };
  });
  const wrote = {
    kind: 'wrote' as const,
    step: step.path,
    ...made,
    pages: 0,
    ...(replaces !== undefined && { replaces }),
  };
  await recordFile(wrote, context);
  return { file: made.file, rows: made.rows, manifest: manifestSaid(made) };
}

/** Whether an earlier process of the run started the step. */
function wasOpened({ path }: Step, entries: readonly Entry[]): boolean {
  const resumed = entries.findLastIndex(({ kind }) => kind === 'resumed');
  return entries
    .slice(0, Math.max(0, resumed))
    .some((entry) => entry.kind === 'opened' && entry.step === path);
}

/** The columns of a table, which are defined even without rows. */
function columnsOf(
  { groupBy, columns }: Table,
  { write }: Step,
): { readonly columns?: readonly string[] } {
  const own = [...(groupBy?.keys() ?? []), ...columns.keys()];
  const names = write?.columns ? [...write.columns.keys()] : own;
  return names.length === 0 ? {} : { columns: names };
}

async function* shaped(rows: AsyncIterable<Row>, step: Step, item: Item): AsyncGenerator<Row> {
  for await (const row of rows) yield step.write ? shape(row, step.write, item) : row;
}

function derivationOf(
  step: Step,
  scope: Scope,
  entries: readonly Entry[],
  place: RunPlace,
): Derivation {
  const of = sourcesOf(step).flatMap((source): Derivation['of'] => {
    const { files } = broughtBy(source.step, scope, place);
    if (files.length === 0) return [{ step: source.step }];
    return files.map((file) => {
      const known = wroteIn(entries, file);
      return { step: source.step, file, ...(known && { rows: known.rows, sha256: known.sha256 }) };
    });
  });
  return { made: 'table', of };
}

/** The last record of a file that the run wrote, or else of one that it reuses. */
function wroteIn(
  entries: readonly Entry[],
  file: string,
): { readonly rows: number; readonly sha256: string } | undefined {
  for (let at = entries.length - 1; at >= 0; at--) {
    const entry = entries[at];
    if (entry?.kind === 'wrote' && entry.file === file) return entry;
  }
  return reusedFilesIn(entries).findLast((reused) => reused.file === file);
}

async function* rowsOf(table: Table, scope: Scope, context: EffectContext): AsyncGenerator<Row> {
  const made = isGrouped(table) ? grouped(table, scope, context) : single(table, scope, context);
  const inOrder = table.sort.length === 0 ? made : sorted(made, table);
  let left = table.first ?? Infinity;
  for await (const row of inOrder) {
    yield row;
    left -= 1;
    if (left === 0) return;
  }
}

function isGrouped({ groupBy, columns }: Table): boolean {
  return groupBy !== undefined || [...columns.values()].some(({ kind }) => kind === 'aggregate');
}

/** The selected rows with their joined rows. */
async function* scopes(table: Table, scope: Scope, context: EffectContext): AsyncGenerator<Scope> {
  const partners: Partners[] = [];
  for (const join of table.joins) partners.push(await partnersOf(join, scope, context));
  for await (const row of broughtBy(table.from, scope, context).rows) {
    const seen = withPartners({ ...scope, row }, partners);
    if (seen === undefined) continue;
    if (table.where !== undefined && !isTrue(table.where, seen)) continue;
    yield seen;
  }
}

async function* single(table: Table, scope: Scope, context: EffectContext): AsyncGenerator<Row> {
  const columns = [...table.columns].flatMap(([name, column]) =>
    column.kind === 'value' ? [[name, column.of] as const] : [],
  );
  for await (const seen of scopes(table, scope, context)) {
    yield columns.length === 0 ? rowIn(seen) : valuesOf(columns, seen);
  }
}

function rowIn({ row }: Scope): Row {
  return JSON.parse(JSON.stringify(row ?? {}));
}

function valuesOf(columns: Iterable<readonly [string, Template]>, scope: Scope): Row {
  return Object.fromEntries([...columns].map(([name, of]) => [name, jsonOf(of, scope)]));
}

function jsonOf(template: Template, scope: Scope): Json {
  return toJson(knownValue(template, scope));
}

function grouped(table: Table, scope: Scope, context: EffectContext): AsyncGenerator<Row> {
  const columns = [...table.columns].flatMap(([name, column]) =>
    column.kind === 'aggregate' ? [{ name, ...column }] : [],
  );
  async function* rows(): AsyncGenerator<Grouped> {
    for await (const seen of scopes(table, scope, context)) {
      const values = columns.map(({ of }) => of && jsonOf(of, seen));
      yield { group: valuesOf(table.groupBy ?? [], seen), values };
    }
  }
  return groupsOf(
    rows(),
    columns.map(({ name, aggregate }) => [name, aggregate]),
  );
}

/** Sorts rows in memory: rows sorted here are grouped, or few; `write.sort` sorts any number. */
async function* sorted(rows: AsyncIterable<Row>, { sort }: Table): AsyncGenerator<Row> {
  const all: Row[] = [];
  for await (const row of rows) {
    all.push(row);
    refuseMoreThan(all.length, 'rows to sort (write.sort has no such limit)');
  }
  all.sort((a, b) => {
    for (const { column, isDescending } of sort) {
      const order = compareScalars(a[column] ?? null, b[column] ?? null);
      if (order !== 0) return isDescending ? -order : order;
    }
    return 0;
  });
  yield* all;
}
