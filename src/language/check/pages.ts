/** Checks `report/page`: each part has exactly one kind, and its step exists. */
import { isNumeric, isScalar, typeName, type Type } from '../expression/type.ts';
import type { Step, Template } from '../playbook.ts';
import type { SourceRange } from '../source-range.ts';
import { type Problems } from '../problems.ts';
import { numberFormatIn } from '../../base/number-format.ts';
import { entriesIn, itemsIn, literalText } from '../tables.ts';
import { typeOfTemplate, type TypeScope } from './infer.ts';
import { checkProse } from './prose.ts';
import { rowsFrom } from './step-rows.ts';
import { checkColumn, checkWords } from './tables.ts';

const kinds = ['text', 'figures', 'chart', 'table'] as const;

export function checkPage(step: Step, inside: TypeScope, problems: Problems): void {
  for (const name of ['file', 'title']) checkText(name, step.with.get(name), inside, problems);
  for (const part of itemsIn(step.with.get('parts'))) checkPart(part, inside, problems);
}

function checkPart(part: Template, inside: TypeScope, problems: Problems): void {
  const fields = entriesIn(part);
  const named = kinds.filter((kind) => fields.has(kind));
  if (named.length !== 1) {
    const message =
      named.length === 0 ? 'this part shows nothing' : `this part has ${named.join(' and ')}`;
    problems.add('PB419', part.at, message, { hint: `give each part one of ${kinds.join(', ')}` });
    return;
  }
  const text = fields.get('text');
  if (text?.kind === 'prose') checkProse(text.parts, inside, problems);
  else checkText('text', text, inside, problems);
  checkText('title', fields.get('title'), inside, problems);
  for (const [name, value] of entriesIn(fields.get('figures'))) {
    checkText(name, value, inside, problems);
  }
  const columns = itemsIn(fields.get('columns'));
  const words = ['chart', 'table', 'rows', 'width', 'sortable'].map((name) => fields.get(name));
  checkWords([...words, ...columns], problems);
  checkShape(fields, problems);
  const [chart, table] = [fields.get('chart'), fields.get('table')];
  if (chart !== undefined) checkChart(literalText(chart), chart.at, inside, problems);
  if (table === undefined) return;
  // A page in `finally` is always written, and reports what is missing.
  const options = { mayBeMissing: true };
  const row = rowsFrom(literalText(table), table.at, inside, problems, options);
  if (row === undefined) return;
  for (const column of columns) checkColumn(literalText(column), row, column.at, problems);
  for (const [column, format] of entriesIn(fields.get('formats'))) {
    checkFormat(column, format, row, problems);
  }
}

function checkShape(fields: ReadonlyMap<string, Template>, problems: Problems): void {
  const [width, sortable] = [fields.get('width'), fields.get('sortable')];
  if (sortable !== undefined && !fields.has('table')) {
    problems.add('PB105', sortable.at, 'sortable is for a table');
  }
  if (width === undefined || fields.has('chart') || fields.has('table')) return;
  problems.add('PB105', width.at, 'width is for a chart or a table');
}

/** A format is for a column of numbers. */
function checkFormat(column: string, format: Template, row: Type, problems: Problems): void {
  checkWords([format], problems);
  checkColumn(column, row, format.at, problems);
  const type = row.kind === 'record' ? row.fields.get(column)?.type : undefined;
  if (type !== undefined && !isNumeric(type)) {
    problems.add('PB305', format.at, `${column} is not a number: found ${typeName(type)}`);
  }
  if (format.kind !== 'literal' || numberFormatIn(format.source) !== undefined) return;
  problems.add('PB105', format.at, `${JSON.stringify(format.source)} is not a format of a number`, {
    hint: 'write 0, 0.00, 0.0% or 0.00 USDT: decimals after the point, a unit after a space',
  });
}

function checkChart(id: string, at: SourceRange, scope: TypeScope, problems: Problems): void {
  const found = scope.rows?.get(id);
  if (found?.kind === 'chart') return;
  if (scope.later.has(id)) {
    const hint = `move the step, or add needs: [${id}]`;
    problems.add('PB307', at, `the chart of ${id} is used before it is drawn`, { hint });
    return;
  }
  const charts = [...(scope.rows ?? [])].filter(([, { kind }]) => kind === 'chart');
  const names = charts.map(([name]) => name);
  const what = found === undefined ? `unknown step ${JSON.stringify(id)}` : `${id} draws no chart`;
  problems.add('PB415', at, what, problems.suggest(id, names));
}

function checkText(
  name: string,
  template: Template | undefined,
  inside: TypeScope,
  problems: Problems,
): void {
  if (template === undefined) return;
  const type = typeOfTemplate(template, inside, problems);
  if (isScalar(type)) return;
  problems.add('PB305', template.at, `${name} expects a single value, found ${typeName(type)}`);
}
