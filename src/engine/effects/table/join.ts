/** Joins rows of other steps by equal columns, at most one for each row. */
import { DeskhandError, exits } from '../../../base/error.ts';
import { plainText } from '../../../base/text.ts';
import type { Row } from '../../../exchange/api/listing.ts';
import { fieldText } from '../../export/row.ts';
import { knownValue } from '../../../language/expression/known.ts';
import { toJson, type Scope } from '../../../language/expression/value.ts';
import type { Template } from '../../../language/playbook.ts';
import type { TableJoin } from '../../../language/tables.ts';
import type { RunPlace } from '../effect-context.ts';
import { broughtBy } from '../rows.ts';
import { refuseMoreThan } from './group.ts';

/** A join finds two matching rows, or none where one is required. */
export class JoinError extends DeskhandError {
  constructor(code: 'two-partners' | 'no-partner', message: string, hint: string) {
    super(message, { code, actor: 'author', exit: exits.stopped, hint });
  }
}

/** The joined rows, kept in memory by their join columns. */
export interface Partners {
  readonly join: TableJoin;
  readonly byName: ReadonlyMap<string, Row>;
}

/** @throws JoinError when two rows have equal join columns */
export async function partnersOf(
  join: TableJoin,
  scope: Scope,
  place: RunPlace,
): Promise<Partners> {
  const columns = [...join.on.keys()];
  const byName = new Map<string, Row>();
  for await (const row of broughtBy(join.from, scope, place).rows) {
    const texts = columns.map((column) => fieldText(row, column));
    const name = nameOf(texts);
    if (byName.has(name)) throw twoPartners(join, columns, texts);
    byName.set(name, row);
    refuseMoreThan(byName.size, `rows of ${join.from} to join`);
  }
  return { join, byName };
}

/**
 * The scope with `joined`, or undefined when a row without a match is dropped.
 * @throws JoinError when a match is required
 */
export function withPartners(scope: Scope, partners: readonly Partners[]): Scope | undefined {
  const joined: Record<string, Row> = {};
  for (const { join, byName } of partners) {
    const texts = [...join.on.values()].map((template) => textOf(template, scope));
    const row = byName.get(nameOf(texts));
    if (row === undefined) {
      if (join.missing === 'drop') return undefined;
      if (join.missing === 'stop') throw noPartner(join, texts);
    }
    joined[join.name] = row ?? {};
  }
  return { ...scope, joined };
}

function textOf(template: Template, scope: Scope): string {
  return fieldText({ value: toJson(knownValue(template, scope)) }, 'value');
}

function nameOf(texts: readonly string[]): string {
  return JSON.stringify(texts);
}

function shown(columns: Iterable<string>, texts: readonly string[]): string {
  const named = [...columns].map((column, at) => `${column} ${plainText(texts[at] ?? '', 60)}`);
  return named.join(', ');
}

function twoPartners(
  join: TableJoin,
  columns: readonly string[],
  texts: readonly string[],
): JoinError {
  return new JoinError(
    'two-partners',
    `two rows of ${join.from} have ${shown(columns, texts)}; a sum would count one of them twice`,
    `group ${join.from} in a report/table first, or join on more columns`,
  );
}

function noPartner(join: TableJoin, texts: readonly string[]): JoinError {
  return new JoinError(
    'no-partner',
    `no row of ${join.from} has ${shown(join.on.keys(), texts)}`,
    'use missing: keep or drop to make the table without it',
  );
}
