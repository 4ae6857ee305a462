/** Plans of accounts that require approvals. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import type { Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Copied } from '../parts/copy.tsx';
import { FilteredList, type Filtered } from '../parts/list-filter.tsx';
import { Empty, Failed } from '../parts/panel.tsx';
import { Pill, Target } from '../parts/pill.tsx';
import { Ago } from '../parts/time.tsx';
import { planPath } from '../router.ts';
import type { Column } from '../parts/cards.tsx';

type Row = Answer<'GET /plans'>['plans'][number];

export function Plans(): JSX.Element {
  const { answer, failure } = useLoaded('GET /plans', {}, undefined, 2_000);
  useEffect(() => {
    document.title = 'Approvals · deskhand';
  }, []);
  return (
    <>
      <h1>Approvals</h1>
      <Failed failure={failure} />
      {answer !== undefined && (
        <section class="panel flush" aria-label="Saved plans">
          {answer.plans.length === 0 ? (
            <Empty
              text="No plan needs an approval. Plans of profiles with `approve` are listed here."
              command="deskhand plan playbooks/NAME.yaml"
            />
          ) : (
            <FilteredList
              name="Plans"
              what="plan"
              rows={answer.plans}
              by={by}
              columns={columns}
              rowKey={({ desk, plan }) => `${desk}/${plan}`}
            />
          )}
        </section>
      )}
      {answer !== undefined && answer.older > 0 && (
        <p class="dim">
          {count(answer.older, 'older saved plan')} {answer.older === 1 ? 'is' : 'are'} not listed.
        </p>
      )}
      <p class="dim">
        <a href="/passkeys">Make a passkey</a> to approve in this browser.
      </p>
    </>
  );
}

const by: Filtered<Row> = {
  facets: [
    { name: 'state', label: 'State', of: ({ state }) => [state] },
    { name: 'playbook', label: 'Playbook', of: ({ playbook }) => [playbook] },
    { name: 'account', label: 'Account', of: accountsOf },
    { name: 'desk', label: 'Desk', of: ({ desk }) => [desk] },
  ],
  textOf: (row) => [row.plan, row.playbook, row.what, ...accountsOf(row)].join(' '),
};

function accountsOf({ profile, otherAccounts = [] }: Row): readonly string[] {
  return [profile, ...otherAccounts];
}

const columns: readonly Column<Row>[] = [
  { name: 'State', cell: (row) => <Pill {...stateOf(row)} /> },
  {
    name: 'Playbook',
    cell: ({ plan, desk, playbook }) => (
      <a href={planPath(plan, desk)} data-row>
        {playbook}
      </a>
    ),
  },
  {
    name: 'Account',
    cell: (row) => (
      <span>
        <Target target={row.target} /> {accountsOf(row).join(', ')}
      </span>
    ),
  },
  { name: 'Plan', cell: ({ plan }) => <Copied text={plan} /> },
  { name: 'Changes', head: 'What would change', kind: 'wraps', cell: ({ what }) => what },
  { name: 'Made', cell: ({ observedAt }) => <Ago at={observedAt} /> },
];

function stateOf({ state, records, required }: Row): {
  readonly tone: 'good' | 'bad' | 'warn' | 'idle';
  readonly text: string;
} {
  switch (state) {
    case 'waiting':
      return {
        tone: 'warn',
        text: records === 0 ? 'waits for approval' : `${records} of ${count(required, 'approval')}`,
      };
    case 'signed':
      return { tone: 'good', text: 'signed' };
    case 'declined':
      return { tone: 'bad', text: 'declined' };
    case 'expired':
    case 'started':
      return { tone: 'idle', text: state };
  }
}
