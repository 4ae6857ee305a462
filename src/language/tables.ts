/** `report/table`, parsed from the fields of its step: its sources and its columns. */
import { stepOfRows } from './expression/node.ts';
import type { BlockBody, Expression, Step, Template } from './playbook.ts';
import type { SourceRange } from './source-range.ts';

/** The aggregate functions of a group. */
export const aggregates = ['sum', 'count', 'min', 'max', 'first', 'last'] as const;
export type Aggregate = (typeof aggregates)[number];

/** A column: a value of each row, or an aggregate of a group. */
export type TableColumn =
  | { readonly kind: 'value'; readonly of: Template }
  | {
      readonly kind: 'aggregate';
      readonly aggregate: Aggregate;
      /** The aggregated value; absent for `count`, which counts rows. */
      readonly of?: Template;
      readonly at: SourceRange;
    };

/** Joined rows of another step, at most one for each row. */
export interface TableJoin {
  readonly from: string;
  /** The name of the join below `joined`. */
  readonly name: string;
  /** Column of the joined rows to the required value. */
  readonly on: ReadonlyMap<string, Template>;
  /** The treatment of a row without a match. */
  readonly missing: MissingPartner;
  readonly at: SourceRange;
}

export const missingPartners = ['keep', 'drop', 'stop'] as const;
export type MissingPartner = (typeof missingPartners)[number];

/** How much of the width of a page a part takes. */
export const partWidths = ['full', 'half', 'third'] as const;
export type PartWidth = (typeof partWidths)[number];

export interface TableSort {
  readonly column: string;
  readonly isDescending: boolean;
}

export interface Table {
  /** The step with the source rows. */
  readonly from: string;
  readonly where?: Expression;
  readonly joins: readonly TableJoin[];
  /** Columns that define a group, over `row`; absent without groups. */
  readonly groupBy?: ReadonlyMap<string, Template>;
  readonly columns: ReadonlyMap<string, TableColumn>;
  readonly sort: readonly TableSort[];
  /** The maximum number of rows. */
  readonly first?: number;
}

/** Parses the valid parts of a table; the checker reports the others. */
export function tableIn({ with: fields }: Pick<Step, 'with'>): Table {
  const where = fields.get('where');
  const groupBy = fields.get('group-by');
  const first = Number(literalText(fields.get('first')));
  return {
    from: literalText(fields.get('from')),
    ...(where?.kind === 'expression' && { where: where.expression }),
    joins: itemsIn(fields.get('join')).map(joinIn),
    ...(groupBy?.kind === 'map' && { groupBy: groupBy.entries }),
    columns: new Map([...entriesIn(fields.get('columns'))].map(([k, v]) => [k, columnIn(v)])),
    sort: itemsIn(fields.get('sort')).map((item) => sortIn(literalText(item))),
    ...(first > 0 && { first }),
  };
}

function joinIn(template: Template): TableJoin {
  const fields = entriesIn(template);
  const from = literalText(fields.get('from'));
  const missing = literalText(fields.get('missing'));
  return {
    from,
    name: literalText(fields.get('as')) || from,
    on: entriesIn(fields.get('on')),
    missing: missingPartners.find((word) => word === missing) ?? 'keep',
    at: template.at,
  };
}

function columnIn(template: Template): TableColumn {
  if (template.kind !== 'map') return { kind: 'value', of: template };
  const [[word, of] = []] = template.entries;
  const aggregate = aggregates.find((known) => known === word);
  if (aggregate === undefined) return { kind: 'value', of: template };
  const isCounted = aggregate === 'count';
  return { kind: 'aggregate', aggregate, ...(of && !isCounted && { of }), at: template.at };
}

function sortIn(word: string): TableSort {
  const isDescending = word.startsWith('-');
  return { column: isDescending ? word.slice(1) : word, isDescending };
}

/** The source steps of a step, by id; none for any other step. */
export function sourcesOf(step: Pick<Step, 'uses' | 'with'>): readonly Source[] {
  const { uses, with: fields } = step;
  switch (uses) {
    case 'report/table': {
      const joined = itemsIn(fields.get('join')).map((join) => entriesIn(join).get('from'));
      return [fields.get('from'), ...joined].flatMap(sourceIn);
    }
    case 'report/chart':
      return [fields.get('from')].flatMap(sourceIn);
    case 'report/page': {
      const parts = itemsIn(fields.get('parts')).map(entriesIn);
      return parts.flatMap((part) => [
        ...[part.get('chart'), part.get('table')].flatMap(sourceIn),
        ...blockSources(part.get('text')),
      ]);
    }
    case 'notify/webhook':
      return [fields.get('page'), fields.get('table')].flatMap(sourceIn);
    default:
      return [];
  }
}

export interface Source {
  readonly step: string;
  readonly at: SourceRange;
}

function sourceIn(template: Template | undefined): readonly Source[] {
  return template?.kind === 'literal' ? [{ step: template.source, at: template.at }] : [];
}

/** Steps whose rows are used by the blocks of a text. */
function blockSources(template: Template | undefined): readonly Source[] {
  return template?.kind === 'prose' ? sourcesWithin(template.parts) : [];
}

function sourcesWithin(parts: BlockBody): readonly Source[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || !('block' in part)) return [];
    const { block, over, body, otherwise } = part;
    const step = block === 'each' ? stepOfRows(over.node) : undefined;
    const own = step === undefined ? [] : [{ step, at: over.at }];
    return [...own, ...sourcesWithin(body), ...sourcesWithin(otherwise)];
  });
}

/** A literal as written; '' for other templates. */
export function literalText(template: Template | undefined): string {
  return template?.kind === 'literal' ? template.source : '';
}

export function itemsIn(template: Template | undefined): readonly Template[] {
  return template?.kind === 'list' ? template.items : [];
}

export function entriesIn(template: Template | undefined): ReadonlyMap<string, Template> {
  return template?.kind === 'map' ? template.entries : new Map();
}
