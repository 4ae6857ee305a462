/** Runs of a history as a table, with occurrences of a schedule that have no run. */
import type { JSX } from 'preact';
import { spoken } from '../../../base/text.ts';
import type { Answer } from '../api.ts';
import { runPath } from '../router.ts';
import { inZone, momentText } from '../zone.ts';
import { Wide } from './inline.tsx';
import { State } from './pill.tsx';
import { At } from './time.tsx';

export type Item = Answer<'GET /history'>['trend'][number];

export function HistoryTable({
  items,
  desk,
  name,
}: {
  readonly items: readonly Item[];
  readonly desk: string;
  readonly name: string;
}): JSX.Element {
  return (
    <Wide name={`${name}, table`}>
      <table class="cards history">
        <thead>
          <tr>
            <th>State</th>
            <th>When</th>
            <th>Run</th>
            <th>What it did</th>
            <th class="number">Took</th>
            <th class="number">Orders</th>
            <th class="number">Rows</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <Row key={`${item.at} ${item.run ?? ''}`} item={item} desk={desk} />
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Row({ item, desk }: { readonly item: Item; readonly desk: string }): JSX.Element {
  const { at, until, state, text, run, tookMs, orders, rows } = item;
  return (
    <tr>
      <td data-label="State">
        <State state={state} />
      </td>
      <td data-label="When">
        <At at={at} />
        {until !== undefined && ` to ${momentText(until)}`}
      </td>
      <td data-label="Run">
        {run === undefined ? (
          '–'
        ) : (
          <a href={runPath(run, desk)} data-row>
            {run}
          </a>
        )}
      </td>
      <td data-label="What it did" class="wraps">
        {inZone(text)}
      </td>
      <td data-label="Took" class="number">
        {tookMs === undefined ? '–' : spoken(tookMs)}
      </td>
      <td data-label="Orders" class="number">
        {orders ?? '–'}
      </td>
      <td data-label="Rows" class="number">
        {rows ?? '–'}
      </td>
    </tr>
  );
}
