/** A read whose rows go to a file: page by page, so that memory does not grow with the rows. */
import type { Json } from '../base/json.ts';
import type { Millis } from '../base/clock.ts';
import { operationOf, type OperationName } from '../contract/operations/index.ts';
import { windowsOf } from '../contract/pages.ts';
import { writeRows } from '../export/rows.ts';
import type { Outcome } from '../journal/entry.ts';
import { provenAt } from '../journal/replay.ts';
import type { Item } from '../plan/items.ts';
import { evaluateTemplate, wireInput } from '../playbook/expression/evaluate.ts';
import { EvaluationError, toJson, type Scope } from '../playbook/expression/value.ts';
import type { Step, Template, Write } from '../playbook/playbook.ts';
import { InterruptedError, type Bench } from './bench.ts';
import { limitsOf } from './condition.ts';
import { tell, toPlainJson } from './perform.ts';
import { pagesOf, read } from './read.ts';

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
  const clamp = windowsOf(operation, input, now).clamp;
  const rows = rowsOf(step, write, operation, item, { input, now, bench });
  const file = await writeRows({
    workspace: bench.workspace,
    file: fileOf(write, item.scope),
    ...(write.format && { format: write.format }),
    ...(write.columns && { columns: [...write.columns.keys()] }),
    ...(write.unique && { unique: write.unique }),
    ...(write.sort && { sort: write.sort }),
    rows: rows.stream,
    about: { operation, input, observedAt: now, ...(clamp && { clamped: clamp }) },
  });
  await bench.recorder.record({
    kind: 'wrote',
    step: step.id,
    ...file,
    pages: rows.pages(),
    ...(clamp && { clamped: clamp }),
  });
  const written = { file: file.file, rows: file.rows };
  const outcome: Outcome = { kind: 'done', output: written, evidence: 'answered' };
  await bench.recorder.record({ kind: 'settled', address: item.address, outcome });
  return { outcome, written };
}

/** Rows as they come, each already in the columns asked for. */
function rowsOf(
  step: Step,
  write: Write,
  operation: OperationName,
  item: Item,
  { input, now, bench }: { readonly input: Row; readonly now: Millis; readonly bench: Bench },
): { readonly stream: AsyncIterable<Row>; pages(): number } {
  let pages = 0;
  const options = { signal: bench.halt, ...limitsOf(step), onEvent: tell(item.address, bench) };
  const reading = { exchange: bench.exchange, options, now };
  const { page, window, rows } = operationOf(operation);
  const isList = page !== undefined || window !== undefined;
  async function* stream(): AsyncGenerator<Row> {
    if (!isList) {
      pages = 1;
      yield* listIn(await read(operation, input, reading), rows).map((row) =>
        shape(row, write, item),
      );
      return;
    }
    for await (const found of pagesOf(operation, input, reading)) {
      if (bench.drain.aborted) throw new InterruptedError();
      pages += 1;
      for (const row of found.rows) yield shape(toRow(row), write, item);
    }
  }
  return { stream: stream(), pages: () => pages };
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
  const json = toPlainJson(value);
  return isRow(json) ? json : { value: json };
}

function isRow(value: Json): value is Row {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function writtenIn(output: Json): Written | undefined {
  if (!isRow(output)) return undefined;
  const { file, rows } = output;
  return typeof file === 'string' && typeof rows === 'number' ? { file, rows } : undefined;
}
