/** `report/page`: the report of the run, or a page made of parts from other steps. */
import type { Json } from '../../base/json.ts';
import { numberFormatIn, type NumberFormat } from '../../base/number-format.ts';
import { writeDocument } from '../export/document.ts';
import { chartIn, type PagePart, type Prose } from '../export/document-parts.ts';
import type { Row } from '../../exchange/api/listing.ts';
import type { Entry } from '../journal/entry.ts';
import type { Item } from '../plan/items.ts';
import { isPlainMap, textOf } from '../../language/expression/helpers/define.ts';
import { knownIn, knownValue } from '../../language/expression/known.ts';
import { toJson, type Scope, type Value } from '../../language/expression/value.ts';
import type { Step, Template } from '../../language/playbook.ts';
import { entriesIn, itemsIn, literalText, partWidths } from '../../language/tables.ts';
import type { EffectContext } from './effect-context.ts';
import { filled } from './prose.ts';
import { recordFile } from './made-file.ts';
import { broughtBy, isThere } from './rows.ts';
import { withoutIn } from './without.ts';

const rowsUsual = 50; // rows of a table on a page; its file has all of them

/** Writes a page. @returns the written file */
export async function writePage(step: Step, item: Item, context: EffectContext): Promise<Json> {
  const { scope } = item;
  const file = textIn(step.with.get('file'), scope);
  const { documents, workspace, disk } = context;
  const entries = await context.entries();
  const parts = step.with.get('parts');
  const title = step.with.has('title')
    ? textIn(step.with.get('title'), scope)
    : (step.name ?? context.playbook.name);
  const text =
    parts === undefined
      ? documents.report(asDone(step, item, file, entries), file)
      : await documents.page({ title, parts: await partsIn(parts, scope, context) }, entries, file);
  const written = await writeDocument({ workspace, ...(disk && { disk }), file, text });
  await recordFile({ kind: 'document', step: step.path, ...written }, context);
  return { file: written.file };
}

/** The entries with the report's step as done: the report itself proves that it was written. */
function asDone(
  { path }: Step,
  { address }: Item,
  file: string,
  entries: readonly Entry[],
): readonly Entry[] {
  const { seq = 0, at = 0 } = entries.at(-1) ?? {};
  const outcome = { kind: 'done', output: { file }, evidence: 'answered' } as const;
  return [
    ...entries,
    { kind: 'settled', address, outcome, seq, at },
    { kind: 'closed', step: path, status: 'done', seq, at },
  ];
}

async function partsIn(
  template: Template,
  scope: Scope,
  context: EffectContext,
): Promise<PagePart[]> {
  const parts: PagePart[] = [];
  for (const part of itemsIn(template))
    parts.push(...(await partIn(entriesIn(part), scope, context)));
  return parts;
}

async function partIn(
  fields: ReadonlyMap<string, Template>,
  scope: Scope,
  context: EffectContext,
): Promise<readonly PagePart[]> {
  const text = fields.get('text');
  const most = Number(literalText(fields.get('rows'))) || rowsUsual;
  if (text?.kind === 'prose') {
    return [{ kind: 'text', text: await filled(text.parts, scope, { most, ...context }) }];
  }
  if (text !== undefined) return [{ kind: 'text', text: proseIn(text, scope) }];
  if (fields.has('figures')) {
    const figures = [...entriesIn(fields.get('figures'))].map(([name, template]) => ({
      name,
      value: textIn(template, scope),
    }));
    return [{ kind: 'figures', figures }];
  }
  const shown = fields.get('chart') ?? fields.get('table');
  const without = withoutIn(literalText(shown), scope, context.playbook);
  const width = partWidths.find((word) => word === literalText(fields.get('width')));
  const marked = (part: PagePart): PagePart =>
    part.kind === 'chart' || part.kind === 'table'
      ? { ...part, ...(width && { width }), ...(without.length > 0 && { without }) }
      : part;
  return fields.has('chart')
    ? chartsOf(literalText(shown), scope).map(marked)
    : [marked(await tableOf(fields, most, scope, context))];
}

/** The chart of a step, or the charts of its items. */
function chartsOf(id: string, scope: Scope): readonly PagePart[] {
  const step = isPlainMap(scope.steps) ? scope.steps[id] : undefined;
  const response = isPlainMap(step) ? step['response'] : undefined;
  const found = chartPart(response) ?? [];
  const all =
    found.length > 0 ? found : membersOf(response).flatMap((each) => chartPart(each) ?? []);
  return all.length > 0 ? all : [{ kind: 'missing', step: id }];
}

function membersOf(value: Value | undefined): readonly Value[] {
  return isPlainMap(value) ? Object.values(value) : [];
}

function chartPart(value: Value | undefined): readonly PagePart[] | undefined {
  const output = value === undefined ? null : toJson(value);
  const chart = chartIn(output);
  if (chart === undefined) return undefined;
  const file = isPlainMap(value) ? value['file'] : undefined;
  return [{ kind: 'chart', chart, ...(typeof file === 'string' && { file }) }];
}

/** The first rows of a step as a part of a page; `missing` if the step was not done. */
export async function tableOf(
  fields: ReadonlyMap<string, Template>,
  most: number,
  scope: Scope,
  context: EffectContext,
): Promise<PagePart> {
  const id = literalText(fields.get('table'));
  if (!isThere(id, scope)) return { kind: 'missing', step: id };
  const named = itemsIn(fields.get('columns')).map(literalText);
  const brought = broughtBy(id, scope, context);
  const rows: Row[] = [];
  let total = 0;
  for await (const row of brought.rows) {
    total += 1;
    if (rows.length < most) rows.push(row);
  }
  const seen = new Set(rows.flatMap((row) => Object.keys(row)));
  return {
    kind: 'table',
    title: fields.has('title') ? textIn(fields.get('title'), scope) : id,
    columns: named.length > 0 ? named : [...seen],
    rows,
    total,
    files: brought.files,
    ...(literalText(fields.get('sortable')) === 'true' && { sortable: true }),
    ...(fields.has('formats') && { formats: formatsIn(fields.get('formats')) }),
  };
}

function formatsIn(template: Template | undefined): ReadonlyMap<string, NumberFormat> {
  return new Map(
    [...entriesIn(template)].flatMap(([column, each]): [string, NumberFormat][] => {
      const format = numberFormatIn(literalText(each));
      return format === undefined ? [] : [[column, format]];
    }),
  );
}

function proseIn(template: Template, scope: Scope): Prose {
  if (template.kind !== 'text') {
    const text = textIn(template, scope);
    return template.kind === 'literal' ? [text] : [{ value: text }];
  }
  return template.parts.map((part) =>
    typeof part === 'string' ? part : { value: textOf(knownIn(part, scope)) },
  );
}

function textIn(template: Template | undefined, scope: Scope): string {
  return template === undefined ? '' : textOf(knownValue(template, scope));
}
