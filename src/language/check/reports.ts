/** Steps that create tables, charts and pages from the rows of others. */
import type { Type } from '../expression/type.ts';
import type { Step, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { entriesIn, itemsIn } from '../tables.ts';
import type { TypeScope } from './infer.ts';
import { checkChart } from './charts.ts';
import { checkPage } from './pages.ts';
import { checkTable, checkWords } from './tables.ts';

/** Whether a step reads its fields itself, instead of having them evaluated one by one. */
export function isReport({ uses }: Step): boolean {
  return uses.startsWith('report/');
}

/** @returns a row of the report's table, if the report creates one */
export function checkReport(step: Step, inside: TypeScope, problems: Problems): Type | undefined {
  switch (step.uses) {
    case 'report/table': {
      const { with: fields } = step;
      const joins = itemsIn(fields.get('join')).map(entriesIn);
      const words = joins.flatMap((join) => ['from', 'as', 'missing'].map((key) => join.get(key)));
      checkWords([fields.get('from'), fields.get('first'), ...words], problems);
      checkWords(itemsIn(fields.get('sort')), problems);
      checkWhere(fields.get('where'), problems);
      return checkTable(step, inside, problems);
    }
    case 'report/chart':
      checkWords([step.with.get('from')], problems);
      checkChart(step, inside, problems);
      return undefined;
    case 'report/page':
      checkPage(step, inside, problems);
      return undefined;
    default:
      return undefined;
  }
}

function checkWhere(where: Template | undefined, problems: Problems): void {
  if (where === undefined || where.kind === 'expression') return;
  problems.add('PB308', where.at, 'where must be a single {{ expression }}', {
    hint: 'as in where: "{{ gt row.volume 0 }}"',
  });
}
