/** The rows an earlier step brought: from the file it wrote, or from its answer. */
import type { Json } from '../base/json.ts';
import { operationNames, operationOf } from '../api/operations/index.ts';
import { readRows } from '../export/read-rows.ts';
import type { Row } from '../export/row.ts';
import { isPlainMap } from '../playbook/expression/helpers/define.ts';
import { EvaluationError, toJson, type Scope, type Value } from '../playbook/expression/value.ts';

/** Rows to be read once, and where they are. */
export interface Brought {
  readonly rows: AsyncIterable<Row>;
  /** Files they come from, in order; none when they come from an answer. */
  readonly files: readonly string[];
}

/**
 * What `steps.ID` left, as rows; those of a for-each carry the key of their item.
 * @throws EvaluationError when the step brought none
 */
export function broughtBy(id: string, scope: Scope, workspace: string): Brought {
  const step = fieldOf(scope.steps, id);
  const file = fieldOf(step, 'file');
  if (typeof file === 'string') return { rows: readRows(workspace, file), files: [file] };
  if (isPlainMap(file)) {
    const named = Object.entries(file).flatMap(([key, name]) =>
      typeof name === 'string' ? [[key, name] as const] : [],
    );
    return { rows: ofAll(named, workspace), files: named.map(([, name]) => name) };
  }
  const response = fieldOf(step, 'response');
  if (response === undefined || response === null) {
    throw new EvaluationError(`${id} has no rows: it was not done`);
  }
  const isForEach = fieldOf(step, 'keys') !== undefined;
  return { rows: isForEach ? inAnswers(response) : inAnswer(toJson(response)), files: [] };
}

/** Whether a step left rows: one that was skipped, or never begun, did not. */
export function isThere(id: string, scope: Scope): boolean {
  const step = fieldOf(scope.steps, id);
  const [file, response] = [fieldOf(step, 'file'), fieldOf(step, 'response')];
  const isSkipped = isPlainMap(response) && Object.keys(response).length === 0;
  return file !== undefined || (response !== undefined && response !== null && !isSkipped);
}

function fieldOf(value: Value | undefined, name: string): Value | undefined {
  return isPlainMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

async function* ofAll(
  files: readonly (readonly [key: string, file: string])[],
  workspace: string,
): AsyncGenerator<Row> {
  for (const [key, file] of files) {
    for await (const row of readRows(workspace, file)) yield { key, ...row };
  }
}

async function* inAnswers(answers: Value): AsyncGenerator<Row> {
  const byKey = isPlainMap(answers) ? Object.entries(answers) : [];
  for (const [key, answer] of byKey) {
    for await (const row of inAnswer(toJson(answer))) yield { key, ...row };
  }
}

/** Fields that hold the rows of an answer, in any operation; `rows` is a table's own. */
const rowFields: ReadonlySet<string> = new Set([
  ...operationNames.map((name) => operationOf(name).page?.rows ?? operationOf(name).rows ?? ''),
  'rows',
]);

/** An answer that holds no list is a single row. */
async function* inAnswer(answer: Json): AsyncGenerator<Row> {
  const field = isRow(answer) ? Object.keys(answer).find((name) => rowFields.has(name)) : undefined;
  const list = field !== undefined && isRow(answer) ? answer[field] : answer;
  for (const row of Array.isArray(list) ? list : [answer]) yield isRow(row) ? row : { value: row };
}

function isRow(value: Json): value is Row {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
