/** `report/chart`: checks that a spec names existing columns and no external resources. */
import { anything, isScalar, typeName, type Type } from '../expression/type.ts';
import type { Step, Template } from '../playbook.ts';
import { didYouMean, type Problems } from '../problems.ts';
import { literalText } from '../tables.ts';
import { nearWord } from '../../base/text.ts';
import { infer, typeOfTemplate, type TypeScope } from './infer.ts';
import { rowsFrom } from './step-rows.ts';

export function checkChart(step: Step, inside: TypeScope, problems: Problems): void {
  const from = step.with.get('from');
  const row = (from && rowsFrom(literalText(from), from.at, inside, problems)) ?? anything;
  for (const name of ['title', 'description', 'file']) {
    const template = step.with.get(name);
    if (template === undefined) continue;
    const type = typeOfTemplate(template, inside, problems);
    if (isScalar(type)) continue;
    problems.add('PB305', template.at, `${name} expects a text, found ${typeName(type)}`);
  }
  const spec = step.with.get('spec');
  if (spec === undefined) return;
  const columns = columnsIn(row, spec);
  checkPart(spec, '', { inside, columns, problems });
}

interface Looking {
  readonly inside: TypeScope;
  /** The columns of the rows; undefined if they are unknown. */
  readonly columns: ReadonlySet<string> | undefined;
  readonly problems: Problems;
}

/** Keys that would load or link to external resources. */
const outside: Readonly<Record<string, string>> = {
  url: 'a chart fetches nothing',
  href: 'a chart has no links',
  data: 'the rows come from the step that from names',
  datasets: 'the rows come from the step that from names',
  bind: 'a page has no script, so charts are not interactive',
  image: 'a chart has no images',
};

/** Functions with huge results for any rows. */
const endless = /\b(sequence|regexp|pad|repeat|sampleNormal|random)\s*\(/;

/** Keys that define a count. */
const counts: Readonly<Record<string, number>> = {
  tickCount: 1_000,
  maxbins: 1_000,
  steps: 1_000,
  stop: 100_000,
  width: 4_000,
  height: 4_000,
};
const prose: ReadonlySet<string> = new Set(['title', 'subtitle', 'description', 'text', 'name']);
const valuesMax = 1_000; // per axis, scale or legend

function checkExtent(part: Template, key: string, problems: Problems): void {
  if (part.kind === 'list' && part.items.length > valuesMax) {
    problems.add(
      'PB417',
      part.at,
      `${key} has ${part.items.length} values; ${valuesMax} are drawn`,
    );
  }
  if (part.kind !== 'literal') return;
  const most = Object.hasOwn(counts, key) ? counts[key] : undefined;
  if (most !== undefined && typeof part.value === 'number' && part.value > most) {
    problems.add('PB417', part.at, `${key} is at most ${most}`);
  }
  if (typeof part.value !== 'string' || prose.has(key)) return;
  const [, name] = endless.exec(part.value) ?? [];
  if (name === undefined) return;
  problems.add('PB417', part.at, `${name}() is not allowed in a spec`, {
    hint: 'compute the rows in a report/table first',
  });
}

function checkPart(part: Template, key: string, looking: Looking): void {
  const { inside, columns, problems } = looking;
  checkExtent(part, key, problems);
  switch (part.kind) {
    case 'map':
      for (const [name, item] of part.entries) {
        const because = Object.hasOwn(outside, name) ? outside[name] : undefined;
        if (name === 'sequence') {
          problems.add('PB417', item.at, 'sequence is not allowed in a spec', {
            hint: 'compute the rows in a report/table first',
          });
        } else if (because === undefined) checkPart(item, name, looking);
        else {
          const hint = `${because}: remove ${name}`;
          problems.add('PB417', item.at, `${name} is not allowed in a spec`, { hint });
        }
      }
      return;
    case 'list':
      for (const item of part.items) checkPart(item, key, looking);
      return;
    case 'literal':
      if (key === 'mark' && part.source === 'image') {
        problems.add('PB417', part.at, 'a chart has no images', { hint: 'mark: point' });
      }
      if (key !== 'field' || columns === undefined || columns.has(part.source)) return;
      problems.add(
        'PB304',
        part.at,
        `unknown column ${JSON.stringify(part.source)}`,
        didYouMean(nearWord(part.source, columns)),
      );
      return;
    case 'expression':
      infer(part.expression.node, inside, problems);
      return;
    case 'prose':
    case 'text':
      typeOfTemplate(part, inside, problems);
  }
}

/** The columns of the rows, and those created by the spec's transforms. */
function columnsIn(row: Type, spec: Template): ReadonlySet<string> | undefined {
  if (row.kind !== 'record') return undefined;
  const made: string[] = [];
  const note = (part: Template, key: string): void => {
    if (part.kind === 'literal' && key === 'as') made.push(part.source);
    if (part.kind === 'list') for (const item of part.items) note(item, key);
    if (part.kind !== 'map') return;
    // A fold creates two columns with these names by default.
    if (part.entries.has('fold')) made.push('key', 'value');
    for (const [name, item] of part.entries) note(item, name);
  };
  note(spec, '');
  return new Set([...row.fields.keys(), ...made]);
}
