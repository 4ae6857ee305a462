/** Plans of accounts that require approvals. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import type { Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Wide } from '../parts/inline.tsx';
import { Copied } from '../parts/copy.tsx';
import { ListFilter, matching, type Filtered } from '../parts/list-filter.tsx';
import { paged } from '../parts/pager.tsx';
import { Empty, Failed } from '../parts/panel.tsx';
import { Pill, Target } from '../parts/pill.tsx';
import { Ago } from '../parts/time.tsx';
import { planPath } from '../router.ts';

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
            <All plans={answer.plans} />
          )}
        </section>
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

function All({ plans }: { readonly plans: readonly Row[] }): JSX.Element {
  const shown = matching(plans, by);
  return (
    <>
      <ListFilter rows={plans} by={by} what="plans" />
      {shown.length === 0 ? <Empty text="No plan matches the filter." /> : <Listed plans={shown} />}
    </>
  );
}

function Listed({ plans }: { readonly plans: readonly Row[] }): JSX.Element {
  const { shown, pager } = paged(plans);
  return (
    <>
      <Wide name="Plans">
        <table class="cards">
          <thead>
            <tr>
              <th>State</th>
              <th>Playbook</th>
              <th>Account</th>
              <th>Plan</th>
              <th>What would change</th>
              <th>Made</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <tr key={`${row.desk}/${row.plan}`}>
                <td data-label="State">
                  <Pill {...stateOf(row)} />
                </td>
                <td data-label="Playbook">
                  <a href={planPath(row.plan, row.desk)} data-row>
                    {row.playbook}
                  </a>
                </td>
                <td data-label="Account">
                  <span>
                    <Target target={row.target} />{' '}
                    {[row.profile, ...(row.otherAccounts ?? [])].join(', ')}
                  </span>
                </td>
                <td data-label="Plan">
                  <Copied text={row.plan} />
                </td>
                <td data-label="Changes" class="wraps">
                  {row.what}
                </td>
                <td data-label="Made">
                  <Ago at={row.observedAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {pager}
    </>
  );
}

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
