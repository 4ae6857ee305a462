/** The playbooks of the desks, with their problems. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import { useLoaded } from '../loaded.ts';
import { FilteredList, type Filtered } from '../parts/list-filter.tsx';
import { Empty, Failed } from '../parts/panel.tsx';
import { Pill, Target } from '../parts/pill.tsx';
import { playbookPath } from '../router.ts';
import type { Answer } from '../api.ts';
import { deskColumn, type Column } from '../parts/cards.tsx';

type Row = Answer<'GET /playbooks'>['playbooks'][number];

export function Playbooks(): JSX.Element {
  const { answer, failure } = useLoaded('GET /playbooks', {}, () => false);
  useEffect(() => {
    document.title = 'Playbooks · deskhand';
  }, []);
  return (
    <>
      <h1>Playbooks</h1>
      <Failed failure={failure} />
      {answer !== undefined && (
        <section class="panel flush" aria-label="Playbooks">
          {answer.playbooks.length === 0 ? (
            <Empty text="No playbooks here. Create some:" command="deskhand init" />
          ) : (
            <All rows={answer.playbooks} />
          )}
        </section>
      )}
    </>
  );
}

const by: Filtered<Row> = {
  facets: [
    { name: 'problems', label: 'Problems', of: (row) => [problemsOf(row)] },
    { name: 'account', label: 'Account', of: ({ profile }) => [profile] },
    { name: 'desk', label: 'Desk', of: ({ desk }) => [desk] },
  ],
  textOf: ({ name, file, profile }) => `${name} ${file} ${profile}`,
};

function problemsOf({ errors, warnings }: Row): string {
  return errors > 0 ? 'errors' : warnings > 0 ? 'warnings' : 'no problems';
}

function All({ rows }: { readonly rows: readonly Row[] }): JSX.Element {
  const hasDesks = new Set(rows.map(({ desk }) => desk)).size > 1;
  const all = [...columns, ...deskColumn<Row>(hasDesks)];
  return <FilteredList name="Playbooks, table" what="playbook" rows={rows} by={by} columns={all} />;
}

const columns: readonly Column<Row>[] = [
  {
    name: 'Playbook',
    cell: ({ name, file, desk }) => (
      <a data-row href={playbookPath(file, desk)}>
        {name || file}
      </a>
    ),
  },
  { name: 'Problems', cell: (row) => <Problems row={row} /> },
  {
    name: 'Account',
    cell: ({ target, profile }) => (
      <>
        <Target target={target} /> {profile === target ? '' : profile}
      </>
    ),
  },
  { name: 'Steps', isNumber: true, cell: ({ steps }) => steps },
  { name: 'File', cell: ({ file }) => <code>{file}</code> },
];

export function Problems({ row: { errors, warnings } }: { readonly row: Row }): JSX.Element {
  if (errors > 0) return <Pill tone="bad" text={count(errors, 'error')} />;
  if (warnings > 0) return <Pill tone="warn" text={count(warnings, 'warning')} />;
  return <Pill tone="good" text="no problems" />;
}
