/** A read whose rows go to a file: page by page, so that memory does not grow with the rows. */
import { digestOf, plainJson, type Json } from '../base/json.ts';
import type { Millis } from '../base/clock.ts';
import { operationOf, type OperationName } from '../contract/operations/index.ts';
import { isWalked, pagesOf, readAll } from '../contract/reading.ts';
import { windowsOf } from '../contract/windows.ts';
import { formatOf } from '../export/formats.ts';
import type { Origin } from '../export/manifest.ts';
import { writeRows } from '../export/rows.ts';
import type { Outcome } from '../journal/entry.ts';
import { provenAt } from '../journal/replay.ts';
import type { Item } from '../plan/items.ts';
import { evaluateTemplate, wireInput } from '../playbook/expression/evaluate.ts';
import { EvaluationError, toJson, type Scope } from '../playbook/expression/value.ts';
import type { Step, Template, Write } from '../playbook/playbook.ts';
import { InterruptedError, type Bench } from './bench.ts';
import { limitsOf } from './condition.ts';
import { tell } from './perform.ts';

export interface Written {
  readonly file: string;
  readonly rows: number;
}

type Row = Readonly<Record<string, Json>>;

/** Reads all pages into a file that appears under its name only when it is whole. */
export async function writeFile(
  step: Step,
  write: Write,
  operation: OperationName,
  item: Item,
  bench: Bench,
): Promise<{ readonly outcome: Outcome; readonly written?: Written }> {
  const before = provenAt(bench.before, item.address).outcome;
  const earlier = before?.kind === 'done' ? writtenIn(before.output) : undefined;
  if (before?.kind === 'done' && earlier) return { outcome: before, written: earlier };

  const { input } = wireInput(operation, step.with, item.scope);
  const now = await bench.exchange.serverTime(bench.halt);
  const origin = originOf(operation, input, now);
  const file = fileOf(write, item.scope);
  const made = await writeRows({
    workspace: bench.workspace,
    ...(bench.disk && { disk: bench.disk }),
    file,
    format: formatOf(file, write.format),
    ...(write.columns && { columns: [...write.columns.keys()] }),
    ...(write.unique && { unique: write.unique }),
    ...(write.sort && { sort: write.sort }),
    rows: rowsOf(step, write, operation, item, { input, now, bench, origin }),
    origin: () => origin,
  });
  const { pages, clamped } = origin;
  const wrote = { step: step.path, ...made, pages, ...(clamped && { clamped }) };
  await bench.recorder.record({ kind: 'wrote', ...wrote });
  const written = { file: made.file, rows: made.rows };
  const outcome: Outcome = { kind: 'done', output: written, evidence: 'answered' };
  await bench.recorder.record({ kind: 'settled', address: item.address, outcome });
  return { outcome, written };
}

/** Where the rows come from; pages and dropped duplicates are counted while they are read. */
type Counted = Origin & { pages: number; duplicatesDropped: number };

function originOf(operation: OperationName, input: Row, now: Millis): Counted {
  const { windows, clamp } = windowsOf(operation, input, now);
  return {
    operation,
    covered: windows.map(({ start, end }) => ({ from: start, to: end })),
    pages: 0,
    duplicatesDropped: 0,
    exchangeTime: now,
    contract: digestOf(operationOf(operation).output.json),
    ...(clamp && { clamped: clamp }),
  };
}

/** Rows as they come, each already in the columns asked for. */
async function* rowsOf(
  step: Step,
  write: Write,
  operation: OperationName,
  item: Item,
  { input, now, bench, origin }: Source,
): AsyncGenerator<Row> {
  const options = { signal: bench.halt, ...limitsOf(step), onEvent: tell(item.address, bench) };
  const reading = { exchange: bench.exchange, options, now };
  if (!isWalked(operation, input)) {
    const { answer, calls } = await readAll(operation, input, reading);
    origin.pages = calls;
    for (const row of listIn(answer, operationOf(operation).rows)) yield shape(row, write, item);
    return;
  }
  for await (const { rows, duplicates } of pagesOf(operation, input, reading)) {
    if (bench.drain.aborted) throw new InterruptedError();
    origin.pages += 1;
    origin.duplicatesDropped += duplicates;
    for (const row of rows) yield shape(toRow(row), write, item);
  }
}

interface Source {
  readonly input: Row;
  readonly now: Millis;
  readonly bench: Bench;
  readonly origin: Counted;
}

function shape(row: Row, write: Write, item: Item): Row {
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

function fileOf(write: Write, scope: Scope): string {
  const found = evaluateTemplate(write.file, scope);
  const name = found.known ? toJson(found.value) : undefined;
  if (typeof name === 'string') return name;
  throw new EvaluationError('the name of the file must be a text known before the rows are read');
}

/** The rows of an answer that has no pages. */
function listIn(answer: Json, field: string | undefined): readonly Row[] {
  const value = field && isRow(answer) ? answer[field] : answer;
  if (Array.isArray(value)) return value.map(toRow);
  return [toRow(value)];
}

function toRow(value: unknown): Row {
  const json = plainJson(value);
  return isRow(json) ? json : { value: json };
}

function isRow(value: Json): value is Row {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The file an earlier outcome names. */
export function writtenIn(output: Json): Written | undefined {
  if (!isRow(output)) return undefined;
  const { file, rows } = output;
  return typeof file === 'string' && typeof rows === 'number' ? { file, rows } : undefined;
}
