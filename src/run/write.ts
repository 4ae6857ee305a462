/** A read whose rows go to a file: page by page, so that memory does not grow with the rows. */
import { isJsonRecord, type Json } from '../base/json.ts';
import { rowFields } from '../contract/list-answer.ts';
import { operationOf, type OperationName } from '../contract/operations/index.ts';
import { formatOf } from '../export/formats.ts';
import type { JsonSchema } from '../contract/schema.ts';
import type { Kind, Kinds } from '../export/kinds.ts';
import type { Row } from '../export/row.ts';
import { writeRows, type RowsRequest } from '../export/rows.ts';
import type { Outcome } from '../journal/entry.ts';
import { provenAt } from '../journal/replay.ts';
import type { Item } from '../plan/items.ts';
import { evaluateTemplate, wireInput } from '../playbook/expression/evaluate.ts';
import { EvaluationError, toJson, type Scope } from '../playbook/expression/value.ts';
import type { Step, Template, Write } from '../playbook/playbook.ts';
import { textOfTemplate } from '../playbook/template.ts';
import type { Bench } from './bench.ts';
import { limitsOf } from './condition.ts';
import { forgetGathered, gathered, type Gathered, type Source } from './gather.ts';

export interface Written {
  readonly file: string;
  readonly rows: number;
}

/**
 * Reads all pages into a file that appears under its name only when it is whole; goes on where an
 * earlier life of the run ended.
 */
export async function writeFile(
  step: Step,
  write: Write,
  operation: OperationName,
  item: Item,
  bench: Bench,
): Promise<{ readonly outcome: Outcome; readonly written?: Written }> {
  const { address, scope } = item;
  const before = provenAt(bench.before, address);
  const earlier = before.outcome?.kind === 'done' ? writtenIn(before.outcome.output) : undefined;
  if (before.outcome?.kind === 'done' && earlier) {
    if (before.reading) await forgetGathered({ address, file: earlier.file }, bench);
    return { outcome: before.outcome, written: earlier };
  }
  const source: Source = {
    address,
    operation,
    input: wireInput(operation, step.with, scope).input,
    file: fileOf(write, scope),
    overwrite: overwriteOf(write),
    limits: limitsOf(step),
    shape: (row) => shape(row, write, item),
  };
  return gathered(source, bench, async ({ origin, replaces, ...found }) => {
    const made = await writeRows({
      ...requestOf(source, write, found, bench),
      origin: () => origin,
    });
    const clamp = origin.clamps.find(({ bound }) => bound === 'from');
    await bench.recorder.record({
      kind: 'wrote',
      step: step.path,
      ...made,
      pages: origin.pages,
      ...(clamp && { clamped: { asked: clamp.asked, from: clamp.used } }),
      ...(replaces !== undefined && { replaces }),
    });
    const written = { file: made.file, rows: made.rows };
    const outcome: Outcome = { kind: 'done', output: written, evidence: 'answered' };
    await bench.recorder.record({ kind: 'settled', address, outcome });
    return { outcome, written };
  });
}

function requestOf(
  { file, operation }: Source,
  write: Write,
  { rows, columns, token }: Pick<Gathered, 'rows' | 'columns' | 'token'>,
  bench: Bench,
): Omit<RowsRequest, 'origin'> {
  const format = formatOf(file, write.format);
  const isTable = format !== 'ndjson' && format !== 'json';
  const named = write.columns && [...write.columns.keys()];
  const { page, id } = operationOf(operation);
  const names = named ? undefined : (page?.id ?? id);
  return {
    workspace: bench.workspace,
    ...(bench.disk && { disk: bench.disk }),
    file,
    format,
    ...(named && { columns: named }),
    ...(!named && isTable && { columns }),
    kinds: kindsOf(operation, write),
    ...(names && { names }),
    ...(write.unique && { unique: write.unique }),
    ...(write.sort && { sort: write.sort }),
    rows,
    token,
  };
}

/** What the contract says of the fields; of a column that is just a field, too. */
function kindsOf(operation: OperationName, { columns }: Write): Kinds {
  const fields = new Map([...rowFields(operation)].map(([name, json]) => [name, kindOf(json)]));
  if (columns === undefined) return fields;
  const kinds = new Map<string, Kind>();
  for (const [name, template] of columns) {
    const field = /^\{\{\s*row\.(\w+)\s*\}\}$/.exec(textOfTemplate(template))?.[1];
    kinds.set(name, fields.get(field ?? '') ?? 'any');
  }
  return kinds;
}

function kindOf({ format }: JsonSchema): Kind {
  switch (format) {
    case 'decimal':
    case 'decimal-or-empty':
    case 'count':
      return 'number';
    case 'millis':
    case 'millis-or-empty':
      return 'time';
    default:
      return 'text';
  }
}

function overwriteOf({ overwrite }: Write): Source['overwrite'] {
  if (overwrite === undefined) return 'own';
  return overwrite ? 'all' : 'none';
}

/** A row as it is written. */
export function shape(row: Row, write: Write, item: Item): Row {
  if (write.columns === undefined) return row;
  const scope: Scope = { ...item.scope, row };
  return Object.fromEntries(
    [...write.columns].map(([name, template]) => [name, valueOf(name, template, scope)]),
  );
}

function valueOf(name: string, template: Template, scope: Scope): Json {
  const found = evaluateTemplate(template, scope);
  if (!found.known) throw new EvaluationError(`column ${name} is known only after ${found.after}`);
  return toJson(found.value);
}

/** @throws EvaluationError when the name is not known */
export function fileOf(write: Write, scope: Scope): string {
  const found = evaluateTemplate(write.file, scope);
  const name = found.known ? toJson(found.value) : undefined;
  if (typeof name === 'string') return name;
  throw new EvaluationError('the name of the file must be a text known before the rows are read');
}

/** The file an earlier outcome names. */
export function writtenIn(output: Json): Written | undefined {
  if (!isJsonRecord(output)) return undefined;
  const { file, rows } = output;
  return typeof file === 'string' && typeof rows === 'number' ? { file, rows } : undefined;
}
