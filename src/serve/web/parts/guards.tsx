/** Guards of a plan: a list, or a table of accounts and guards. */
import type { JSX } from 'preact';
import { guardLines, guardTable, type GuardLine } from '../../../report/guard-lines.ts';
import type { Answer } from '../api.ts';
import { paged } from './pager.tsx';
import { Panel } from './panel.tsx';
import { Pill } from './pill.tsx';
import { Cards, type Column } from './cards.tsx';

type Guard = Answer<'GET /plans/{plan}'>['guards'][number];

export function Guards({ guards }: { readonly guards: readonly Guard[] }): JSX.Element {
  const lines = guardLines(guards);
  const table = guardTable(lines);
  return (
    <Panel id="guards" title="Guards">
      {lines.length === 0 ? (
        <p class="dim">Neither the profile nor the playbook sets a limit.</p>
      ) : table === undefined ? (
        <ul class="plain">
          {lines.map((line) => (
            <li class="guard">
              <State line={line} />
              <span>{line.name}</span>
              <code>{line.use}</code>
              <Reason line={line} />
            </li>
          ))}
        </ul>
      ) : (
        <OfAccounts table={table} />
      )}
    </Panel>
  );
}

function OfAccounts({
  table: { names, rows },
}: {
  readonly table: NonNullable<ReturnType<typeof guardTable>>;
}): JSX.Element {
  const { shown, pager } = paged(rows, 'guards');
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { name: 'Account', cell: ({ owner }) => owner },
    ...names.map((name, at) => ({
      name,
      kind: 'wraps',
      cell: ({ cells }: (typeof rows)[number]) => <Cell line={cells[at]} />,
    })),
  ];
  return (
    <>
      <Cards name="Guards of each account" columns={columns} rows={shown} />
      {pager}
    </>
  );
}

function Cell({ line }: { readonly line: GuardLine | undefined }): JSX.Element | null {
  if (line === undefined) return null;
  return (
    <div>
      <code>{line.use}</code> <State line={line} />
      <Reason line={line} />
    </div>
  );
}

function State({ line: { isKept } }: { readonly line: GuardLine }): JSX.Element {
  return <Pill tone={isKept ? 'good' : 'bad'} text={isKept ? 'inside' : 'violated'} />;
}

function Reason({ line: { isKept, message } }: { readonly line: GuardLine }): JSX.Element | null {
  return isKept ? null : <span class="reason">{message}</span>;
}
