/** `report/chart`: draws the rows of a step with its spec. */
import type { Json } from '../../base/json.ts';
import { DeskhandError, exits } from '../../base/error.ts';
import { writeDocument } from '../export/document.ts';
import type { Row } from '../../exchange/api/listing.ts';
import type { Item } from '../plan/items.ts';
import { isDecimal } from '../../base/decimal.ts';
import { textOf } from '../../language/expression/helpers/define.ts';
import { knownValue } from '../../language/expression/known.ts';
import { EvaluationError, toJson, type Scope } from '../../language/expression/value.ts';
import type { Step, Template } from '../../language/playbook.ts';
import { literalText } from '../../language/tables.ts';
import type { EffectContext } from './effect-context.ts';
import { recordFile } from './made-file.ts';
import { broughtBy } from './rows.ts';

const rowsMax = 5_000; // more marks than a person can distinguish

/** @returns the drawing, which is recorded in the journal, and its file */
export async function drawChart(step: Step, item: Item, context: EffectContext): Promise<Json> {
  const { scope } = item;
  const from = literalText(step.with.get('from'));
  const rows: Row[] = [];
  for await (const row of broughtBy(from, scope, context).rows) {
    rows.push(row);
    if (rows.length > rowsMax) throw tooManyMarks(from);
  }
  const title = textIn(step, 'title', scope) ?? step.name ?? step.id;
  const description = textIn(step, 'description', scope) ?? title;
  const spec = specOf(step.with.get('spec'), scope);
  const chart = await context.documents.draw({ title, description, spec, rows });
  const file = textIn(step, 'file', scope);
  if (file === undefined) return { chart: { ...chart } };
  const { workspace, disk } = context;
  const text = context.documents.picture(chart);
  const written = await writeDocument({ workspace, ...(disk && { disk }), file, text });
  await recordFile({ kind: 'document', step: step.path, ...written }, context);
  return { chart: { ...chart }, file: written.file };
}

function tooManyMarks(from: string): DeskhandError {
  return new DeskhandError(`${from} has more than ${rowsMax} rows to draw`, {
    code: 'chart',
    actor: 'author',
    exit: exits.stopped,
    hint: 'aggregate them in a report/table first, by day or by customer',
  });
}

function textIn(step: Step, name: string, scope: Scope): string | undefined {
  const template = step.with.get(name);
  return template && textOf(knownValue(template, scope, name));
}

function specOf(template: Template | undefined, scope: Scope): Readonly<Record<string, unknown>> {
  if (template?.kind !== 'map') throw new EvaluationError('spec must be a map');
  return Object.fromEntries(
    [...template.entries].map(([name, part]) => [name, plainValue(part, scope)]),
  );
}

/** The value of a template in a spec: its numbers are lengths and ratios, not money. */
function plainValue(template: Template, scope: Scope): unknown {
  switch (template.kind) {
    case 'literal':
      return template.value;
    case 'list':
      return template.items.map((item) => plainValue(item, scope));
    case 'map':
      return Object.fromEntries(
        [...template.entries].map(([name, part]) => [name, plainValue(part, scope)]),
      );
    case 'expression':
    case 'prose':
    case 'text': {
      const value = knownValue(template, scope, 'the spec');
      return isDecimal(value) ? value.toNumber() : toJson(value);
    }
  }
}
