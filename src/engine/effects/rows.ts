/** The rows of an earlier step: from its file, or from its response. */
import type { Json } from '../../base/json.ts';
import { operationNames, operationOf } from '../../exchange/api/operations/index.ts';
import { readRows } from '../export/read-rows.ts';
import { isRow, type Row } from '../../exchange/api/listing.ts';
import { isPlainMap } from '../../language/expression/helpers/define.ts';
import {
  EvaluationError,
  isList,
  toJson,
  type Scope,
  type Value,
} from '../../language/expression/value.ts';
import { plainText } from '../../base/text.ts';
import { ExportError } from '../export/error.ts';
import type { RunPlace } from './effect-context.ts';

/** Rows that can be read once, and their source. */
export interface Brought {
  readonly rows: AsyncIterable<Row>;
  /** The source files of the rows, in order; none if the rows come from a response. */
  readonly files: readonly string[];
}

/**
 * The rows of `steps.ID`; those of a for-each have the key of their item.
 * @throws EvaluationError when the step has no rows; ExportError when its file is not here
 */
export function broughtBy(id: string, scope: Scope, place: RunPlace): Brought {
  const step = fieldOf(scope.steps, id);
  const file = fieldOf(step, 'file');
  if (typeof file === 'string') {
    const all = fieldOf(step, 'files');
    const names =
      all !== undefined && isList(all) ? all.filter((each) => typeof each === 'string') : [];
    const files = names.length > 0 ? names : [file];
    return { rows: inTurn(files, place), files };
  }
  if (isPlainMap(file)) {
    const named = Object.entries(file).flatMap(([key, name]) =>
      typeof name === 'string' ? [[key, name] as const] : [],
    );
    return { rows: ofAll(named, place), files: named.map(([, name]) => name) };
  }
  const response = fieldOf(step, 'response');
  if (response === undefined || response === null) {
    throw new EvaluationError(`${id} has no rows: it was not done`);
  }
  const isForEach = fieldOf(step, 'keys') !== undefined;
  return { rows: isForEach ? inAnswers(response) : inAnswer(toJson(response)), files: [] };
}

/** A file of that name in this workspace would be of another run. @throws ExportError */
function rowsAt({ workspace, elsewhere }: RunPlace, file: string): AsyncIterable<Row> {
  const where = elsewhere?.get(file);
  if (where === undefined) return readRows(workspace, file);
  throw new ExportError(
    'file-elsewhere',
    `${plainText(file, 160)} of this run is not here: ${plainText(where)}`,
    { hint: 'continue the run there, or run it again with outputs: { keep: store }' },
  );
}

/** Whether a step has rows: a skipped or unstarted one has none. */
export function isThere(id: string, scope: Scope): boolean {
  const step = fieldOf(scope.steps, id);
  const [file, response] = [fieldOf(step, 'file'), fieldOf(step, 'response')];
  const isSkipped = isPlainMap(response) && Object.keys(response).length === 0;
  return file !== undefined || (response !== undefined && response !== null && !isSkipped);
}

function fieldOf(value: Value | undefined, name: string): Value | undefined {
  return isPlainMap(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

async function* inTurn(files: readonly string[], place: RunPlace): AsyncGenerator<Row> {
  for (const file of files) yield* rowsAt(place, file);
}

async function* ofAll(
  files: readonly (readonly [key: string, file: string])[],
  place: RunPlace,
): AsyncGenerator<Row> {
  for (const [key, file] of files) {
    for await (const row of rowsAt(place, file)) yield { key, ...row };
  }
}

async function* inAnswers(answers: Value): AsyncGenerator<Row> {
  const byKey = isPlainMap(answers) ? Object.entries(answers) : [];
  for (const [key, answer] of byKey) {
    for await (const row of inAnswer(toJson(answer))) yield { key, ...row };
  }
}

/** Fields with the rows of a response, in any operation; `rows` is that of a table. */
const rowFields: ReadonlySet<string> = new Set([
  ...operationNames.map((name) => operationOf(name).page?.rows ?? operationOf(name).rows ?? ''),
  'rows',
]);

/** A response without a list counts as a single row. */
async function* inAnswer(answer: Json): AsyncGenerator<Row> {
  const field = isRow(answer) ? Object.keys(answer).find((name) => rowFields.has(name)) : undefined;
  const list = field !== undefined && isRow(answer) ? answer[field] : answer;
  for (const row of Array.isArray(list) ? list : [answer]) yield isRow(row) ? row : { value: row };
}
