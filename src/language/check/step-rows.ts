/** The rows of steps for tables, charts and pages: their columns and types. */
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { anything, text, type Field, type Type } from '../expression/type.ts';
import type { Step, Template, Write } from '../playbook.ts';
import { isByRow } from '../since.ts';
import type { SourceRange } from '../source-range.ts';
import { type Problems } from '../problems.ts';
import { knownAction } from '../uses.ts';
import type { StepRows, TypeScope } from './infer.ts';

/**
 * The rows of a step, after the rows of its read are typed.
 * @param row the type of a row as written
 */
export function rowsOf(step: Step, row: Type): StepRows {
  const { action, write, uses } = step;
  if (uses === 'report/chart') return { kind: 'chart' };
  if (knownAction(step).kind === 'none') return { kind: 'rows', row: anything };
  const isTable = uses === 'report/table';
  const isCall = action.kind === 'call' && bringsRows(action.operation);
  if (uses === 'report/page') {
    const page = step.forEach === undefined ? 'one' : 'items';
    return { kind: 'none', because: 'brings no rows', page };
  }
  if (!isTable && !isCall) return { kind: 'none', because: 'brings no rows' };
  const format = write === undefined ? 'json' : formatOf(write);
  if (unreadable.has(format)) {
    const hint = 'use .csv, .ndjson or .json there, and other formats in this step';
    return { kind: 'none', because: `writes .${format}, which is not read back`, hint };
  }
  if (write !== undefined && step.forEach !== undefined && isByRow(write)) {
    return { kind: 'none', because: 'writes several files for each item' };
  }
  const read = readBack(row, format === 'csv' || format === '');
  return { kind: 'rows', row: step.forEach === undefined ? read : withKey(read) };
}

/**
 * Whether an operation brings rows: those that it reads, or one for each order or account that it made
 * or ended. A state that is set already is not sent, so setting it has no response to rely on.
 */
function bringsRows(name: OperationName): boolean {
  const { effect, ends } = operationOf(name);
  return effect !== 'set' || ends !== undefined;
}

/** Formats read only by other programs. */
const unreadable: ReadonlySet<string> = new Set(['parquet', 'xlsx']);

/** The extension of a file's name; '' if it is known only during the run. */
export function formatOf({ format, file }: Write): string {
  if (format !== undefined) return format;
  const last = lastText(file).toLowerCase().replace(/\.gz$/, '');
  return last.slice(last.lastIndexOf('.') + 1);
}

function lastText(file: Template): string {
  if (file.kind === 'literal') return file.source;
  const last = file.kind === 'text' ? file.parts.at(-1) : undefined;
  return typeof last === 'string' ? last : '';
}

/**
 * The type of rows with the key of their item, as a for-each gives them, unless a column of that name
 * exists.
 */
function withKey(row: Type): Type {
  if (row.kind !== 'record' || row.fields.has('key')) return row;
  return { kind: 'record', fields: new Map([['key', { type: text }], ...row.fields]) };
}

/** A type after reading it back from a file: JSON has no decimals and no times, CSV only texts. */
function readBack(row: Type, isCsv: boolean): Type {
  if (row.kind !== 'record') return row;
  const fields = [...row.fields].map(([name, field]): [string, Field] => [
    name,
    isCsv ? { type: asText(field) } : { ...field, type: asJson(field.type) },
  ]);
  return { kind: 'record', fields: new Map(fields) };
}

function asJson(type: Type): Type {
  return type.kind === 'time' ? { kind: 'text', format: 'millis' } : type;
}

/** The type of a field in a file of texts, where a missing field is an empty text. */
function asText({ type, isOptional }: Field): Type {
  const numeric = (format: string): Type => ({
    kind: 'text',
    format: isOptional ? `${format === 'millis' ? 'millis' : 'decimal'}-or-empty` : format,
  });
  switch (type.kind) {
    case 'integer':
    case 'decimal':
      return numeric('decimal');
    case 'time':
      return numeric('millis');
    case 'text':
      return isOptional && type.format !== undefined ? numeric(type.format) : type;
    case 'any':
      return anything;
    default:
      return text;
  }
}

/** The row type of the step that `from` names; a step without rows is reported with the reason. */
export function rowsFrom(
  id: string,
  at: SourceRange,
  scope: TypeScope,
  problems: Problems,
  { mayBeMissing = false } = {},
): Type | undefined {
  const found = scope.rows?.get(id);
  if (found?.kind === 'rows') {
    const doubt = mayBeMissing ? undefined : scope.doubtOf?.(id);
    if (doubt !== undefined) {
      problems.add('PB311', at, `the rows of ${id} may be missing: ${doubt.because}`, {
        ...(doubt.remedy !== undefined && { hint: doubt.remedy }),
      });
    }
    return found.row;
  }
  if (found?.kind === 'chart') {
    const hint = 'name the step whose rows it draws';
    problems.add('PB415', at, `${id} draws a chart and has no rows`, { hint });
  } else if (found !== undefined) {
    const hint = found.hint ?? 'name a step that reads a list, or a report/table';
    problems.add('PB415', at, `${id} ${found.because}`, { hint });
  } else if (scope.later.has(id)) {
    const hint = `move the step, or add needs: [${id}]`;
    problems.add('PB307', at, `the rows of ${id} are used before it is done`, { hint });
  } else {
    const near = problems.suggest(id, scope.rows?.keys() ?? []);
    problems.add('PB415', at, `unknown step ${JSON.stringify(id)}`, near);
  }
  return undefined;
}
