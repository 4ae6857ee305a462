/** The totals of a plan on each of its accounts. */
import type { JSX } from 'preact';
import { Wide } from './inline.tsx';
import { paged } from './pager.tsx';
import { Panel } from './panel.tsx';

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
  return (
    <Panel id="accounts" title="Accounts">
      <Wide name="Totals of each account">
        <table class="cards">
          <thead>
            <tr>
              {head.map((name, at) => (
                <th class={at === 0 ? '' : 'number'}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((cells) => (
              <tr>
                {cells.map((cell, at) => (
                  <td data-label={head[at]} class={at === 0 ? '' : 'number'}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {pager}
    </Panel>
  );
}
