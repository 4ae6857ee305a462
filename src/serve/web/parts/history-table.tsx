/** Runs of a history as a table, with occurrences of a schedule that have no run. */
import type { JSX } from 'preact';
import { spoken } from '../../../base/text.ts';
import type { Answer } from '../api.ts';
import { runPath } from '../router.ts';
import { inZone, momentText } from '../zone.ts';
import { State } from './pill.tsx';
import { At } from './time.tsx';
import { Cards, type Column } from './cards.tsx';

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
  const columns: readonly Column<Item>[] = [
    { name: 'State', cell: ({ state }) => <State state={state} /> },
    {
      name: 'When',
      cell: ({ at, until }) => (
        <>
          <At at={at} />
          {until !== undefined && ` to ${momentText(until)}`}
        </>
      ),
    },
    {
      name: 'Run',
      cell: ({ run }) =>
        run === undefined ? (
          '–'
        ) : (
          <a href={runPath(run, desk)} data-row>
            {run}
          </a>
        ),
    },
    { name: 'What it did', kind: 'wraps', cell: ({ text }) => inZone(text) },
    {
      name: 'Took',
      isNumber: true,
      cell: ({ tookMs }) => (tookMs === undefined ? '–' : spoken(tookMs)),
    },
    { name: 'Orders', isNumber: true, cell: ({ orders }) => orders ?? '–' },
    { name: 'Rows', isNumber: true, cell: ({ rows }) => rows ?? '–' },
  ];
  return (
    <Cards
      name={`${name}, table`}
      kind="placed history"
      columns={columns}
      rows={items}
      rowKey={({ at, run }) => `${at} ${run ?? ''}`}
    />
  );
}
