/** The totals of a plan, and of each of its accounts. */
import { decimal } from '../../base/decimal.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { accountColumns, accountRows, openAfterWords } from '../account-totals.ts';
import { percentOf } from '../plan-line.ts';
import { unknownWords } from '../unknown-orders.ts';
import { costWords, laterWords, money, outboundWords } from '../words.ts';
import { columns, packed, widthOf } from './columns.ts';
import type { Theme } from './theme.ts';

/** The totals of the plan; shown again before anything is sent. */
export function totalLines({ id, totals }: Plan, theme: Theme): string[] {
  const { paint } = theme;
  const parts = [
    totals.create > 0 ? paint('good', `${totals.create} to create`) : '',
    totals.set > 0 ? paint('warn', `${totals.set} to set`) : '',
    totals.unchanged > 0 ? `${totals.unchanged} unchanged` : '',
    paint('warn', outboundWords(totals)),
    laterWords(totals),
  ].filter((part) => part !== '');
  const changes = parts.length === 0 ? 'nothing to change' : parts.join(', ');
  const cost = costWords(totals);
  const after = openAfterWords(totals);
  const open = after === '' ? [] : [`open after: ${after}`];
  const far =
    totals.farthest === undefined ? [] : [`farthest from mark: ${percentOf(totals.farthest)}`];
  const name = paint('strong', `Plan ${id}`);
  const margin = widthOf(name) + 3;
  const second = packed([...orderWords(totals, theme), ...far, ...open], theme, margin);
  return [
    ...packed([name, changes, cost], theme, margin),
    ...second.map((line, at) => (at === 0 ? ' '.repeat(margin) + line : line)),
    ...accountLines(totals, theme),
  ];
}

function orderWords(totals: Plan['totals'], { paint }: Theme): string[] {
  const { orders, notional } = totals;
  const unknown = paint('warn', unknownWords(totals));
  if (orders === 0) return unknown === '' ? [] : [`orders: ${unknown}`];
  const known = `orders: ${paint('strong', `${orders} new`)}, ${money(decimal(notional))} in all`;
  return [unknown === '' ? known : `${known}, and ${unknown}`];
}

function accountLines(totals: Plan['totals'], theme: Theme): string[] {
  const rows = accountRows(totals);
  if (rows.length === 0) return [];
  const head = accountColumns.map((name) => theme.paint('faint', name.toLowerCase()));
  return ['', ...columns([head, ...rows], theme, { indent: 0, right: [1, 2, 3, 4, 5] })];
}
