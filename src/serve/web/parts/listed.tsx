/** A table of a run in a panel, or a note that the run has none. */
import type { JSX } from 'preact';
import type { Table } from '../../server/shapes.ts';
import { DataTable } from './inline.tsx';
import { Empty, Panel } from './panel.tsx';

export function Listed({
  id,
  title,
  note,
  table,
  none,
  more,
}: {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly table: Table | undefined;
  readonly none: string;
  /** The address of what a cell does not name. */
  readonly more?: string;
}): JSX.Element {
  const isEmpty = table === undefined || table.rows.length === 0;
  return (
    <Panel id={id} title={title} {...(note !== undefined && { note })}>
      {isEmpty ? (
        <Empty text={`This run has ${none}.`} />
      ) : (
        <DataTable table={table} name={title} more={more} />
      )}
    </Panel>
  );
}
