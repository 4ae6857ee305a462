/** The totals of a plan on each of its accounts. */
import type { JSX } from 'preact';
import { paged } from './pager.tsx';
import { Panel } from './panel.tsx';
import { Cards, type Column } from './cards.tsx';

/**
 * The totals of a plan by account.
 * @param table its head and rows; none for a plan of one account
 */
export function AccountTotals({
  table: [head, ...rows],
}: {
  readonly table: readonly (readonly string[])[];
}): JSX.Element | null {
  if (head === undefined) return null;
  const { shown, pager } = paged(rows, 'accounts');
  const columns = head.map((name, at): Column<readonly string[]> => ({
    name,
    isNumber: at > 0,
    cell: (cells) => cells[at],
  }));
  return (
    <Panel id="accounts" title="Accounts">
      <Cards name="Totals of each account" columns={columns} rows={shown} />
      {pager}
    </Panel>
  );
}
