/** Checks what a notice shows besides its text: a page, a table, files of the run. */
import { channelNamed } from '../channels/index.ts';
import { typeName, type Type } from '../expression/type.ts';
import type { Step, Template } from '../playbook.ts';
import { type Problems } from '../problems.ts';
import { literalText } from '../tables.ts';
import { typeOfTemplate, type TypeScope } from './infer.ts';
import { rowsFrom } from './step-rows.ts';
import { checkWords } from './tables.ts';

export function checkNotice(step: Step, inside: TypeScope, problems: Problems): void {
  if (step.uses !== 'notify/webhook') return;
  const [page, table, rows, link, attach] = ['page', 'table', 'rows', 'link', 'attach'].map(
    (name) => step.with.get(name),
  );
  checkWords([page, table, rows, link], problems);
  if (page?.kind === 'literal') checkPageStep(literalText(page), page, inside, problems);
  // A notice in `finally` is always sent, and says what is missing.
  const options = { mayBeMissing: true };
  if (table?.kind === 'literal') {
    rowsFrom(literalText(table), table.at, inside, problems, options);
  }
  checkRows(rows, table, problems);
  if (link?.kind === 'literal' && typeof link.value !== 'boolean') {
    problems.add('PB105', link.at, 'link must be true or false');
  }
  if (page && table) {
    problems.add('PB419', table.at, 'a notice has a page or a table, not both', {
      hint: 'show the table on the page',
    });
  }
  if (attach) checkAttached(attach, inside, problems);
  checkFormat(step, problems);
}

function checkRows(rows: Template | undefined, table: Template | undefined, problems: Problems) {
  if (rows?.kind !== 'literal') return;
  const most = Number(rows.source);
  if (!Number.isInteger(most) || most < 1 || most > 100) {
    problems.add('PB105', rows.at, 'rows must be a whole number from 1 to 100');
  } else if (table === undefined) {
    problems.add('PB105', rows.at, 'rows is for a table, and this notice has none');
  }
}

function checkPageStep(id: string, { at }: Template, scope: TypeScope, problems: Problems): void {
  const found = scope.rows?.get(id);
  const page = found?.kind === 'none' ? found.page : undefined;
  if (page === 'one') return;
  if (page === 'items') {
    problems.add('PB415', at, `${id} writes a page for each item, and a notice has one`, {
      hint: 'name a page without for-each, or attach the pages',
    });
  } else if (scope.later.has(id)) {
    const hint = `move the step, or add needs: [${id}]`;
    problems.add('PB307', at, `the page ${id} is used before it is written`, { hint });
  } else {
    const what =
      found === undefined ? `unknown step ${JSON.stringify(id)}` : `${id} writes no page`;
    problems.add('PB415', at, what, problems.suggest(id, pagesIn(scope)));
  }
}

function pagesIn({ rows }: TypeScope): readonly string[] {
  return [...(rows ?? [])].flatMap(([id, found]) =>
    found.kind === 'none' && found.page === 'one' ? [id] : [],
  );
}

/** Names of files: one, a list, or those of the items of a for-each. */
function checkAttached(attach: Template, inside: TypeScope, problems: Problems): void {
  const members = attach.kind === 'list' ? attach.items : [attach];
  for (const each of members) {
    const type = typeOfTemplate(each, inside, problems);
    if (isNames(type)) continue;
    problems.add('PB305', each.at, `attach expects names of files, found ${typeName(type)}`, {
      hint: 'as in attach: ["{{ steps.bills.file }}"]',
    });
  }
}

function isNames(type: Type): boolean {
  switch (type.kind) {
    case 'any':
    case 'text':
      return true;
    case 'list':
      return isNames(type.items);
    case 'map':
      return isNames(type.values);
    default:
      return false;
  }
}

/** Files are for e-mails; without `format`, the address decides when the plan is made. */
function checkFormat({ with: fields }: Step, problems: Problems): void {
  const named = channelNamed(literalText(fields.get('format')));
  if (named === undefined || named.isMail) return;
  for (const field of ['page', 'attach']) {
    const given = fields.get(field);
    if (given === undefined) continue;
    problems.add(
      'PB204',
      given.at,
      `${field} is for e-mail, and this notice is for ${named.name}`,
      {
        hint: 'use table and link: true, or send an e-mail',
      },
    );
  }
}
