/** The playbooks of the desks, with their problems. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import { useLoaded } from '../loaded.ts';
import { Wide } from '../parts/inline.tsx';
import { ListFilter, matching, type Filtered } from '../parts/list-filter.tsx';
import { paged } from '../parts/pager.tsx';
import { Empty, Failed } from '../parts/panel.tsx';
import { Pill, Target } from '../parts/pill.tsx';
import { playbookPath } from '../router.ts';
import type { Answer } from '../api.ts';

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
  const shown = matching(rows, by);
  return (
    <>
      <ListFilter rows={rows} by={by} what="playbooks" />
      {shown.length === 0 ? (
        <Empty text="No playbook matches the filter." />
      ) : (
        <Table rows={shown} />
      )}
    </>
  );
}

function Table({ rows }: { readonly rows: readonly Row[] }): JSX.Element {
  const hasDesks = new Set(rows.map(({ desk }) => desk)).size > 1;
  const { shown, pager } = paged(rows);
  return (
    <>
      <Wide name="Playbooks, table">
        <table class="cards">
          <thead>
            <tr>
              <th>Playbook</th>
              <th>Problems</th>
              <th>Account</th>
              <th class="number">Steps</th>
              <th>File</th>
              {hasDesks && <th>Desk</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr>
                <td data-label="Playbook">
                  <a data-row href={playbookPath(row.file, row.desk)}>
                    {row.name || row.file}
                  </a>
                </td>
                <td data-label="Problems">
                  <Problems row={row} />
                </td>
                <td data-label="Account">
                  <Target target={row.target} /> {row.profile === row.target ? '' : row.profile}
                </td>
                <td data-label="Steps" class="number">
                  {row.steps}
                </td>
                <td data-label="File">
                  <code>{row.file}</code>
                </td>
                {hasDesks && <td data-label="Desk">{row.desk}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {pager}
    </>
  );
}

export function Problems({ row: { errors, warnings } }: { readonly row: Row }): JSX.Element {
  if (errors > 0) return <Pill tone="bad" text={count(errors, 'error')} />;
  if (warnings > 0) return <Pill tone="warn" text={count(warnings, 'warning')} />;
  return <Pill tone="good" text="no problems" />;
}
