/** A plan: its changes, its limits, the people who approved it; approve or decline it here. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { count, moreText, spoken } from '../../../base/text.ts';
import { changeSigns, numberColumns } from '../../../report/plan-columns.ts';
import { unknownTitle } from '../../../report/unknown-orders.ts';
import type { Answer } from '../api.ts';
import { now } from '../clock.ts';
import { useLoaded } from '../loaded.ts';
import { Changes } from '../parts/changes.tsx';
import { AccountTotals } from '../parts/account-totals.tsx';
import { Guards } from '../parts/guards.tsx';
import { Copied } from '../parts/copy.tsx';
import { More, paged, Pager } from '../parts/pager.tsx';
import { Failed, Panel } from '../parts/panel.tsx';
import { Pill, Target } from '../parts/pill.tsx';
import { PlanDecision } from '../parts/plan-decision.tsx';
import { PlanStart, planTones, stateOf } from '../parts/plan-start.tsx';
import { Ago } from '../parts/time.tsx';
import type { Names } from '../names.ts';
import { inZone } from '../zone.ts';
import { query } from '../router.ts';
import { Cards, type Column } from '../parts/cards.tsx';

type View = Answer<'GET /plans/{plan}'>;

export function Plan({ names }: { readonly names: Names }): JSX.Element {
  const [round, setRound] = useState(0);
  return <Loaded key={round} plan={names['plan'] ?? ''} reload={() => setRound(round + 1)} />;
}

function Loaded({
  plan,
  reload,
}: {
  readonly plan: string;
  readonly reload: () => void;
}): JSX.Element {
  const desk = query.value.get('desk') ?? '';
  const page = query.value.get('page') ?? '';
  const { answer, failure } = useLoaded(
    'GET /plans/{plan}',
    { plan, ...(desk !== '' && { desk }), ...(page !== '' && { page }) },
    () => false, // it is computed again each time
  );
  useEffect(() => {
    document.title = `${answer?.playbook ?? plan} · deskhand`;
  }, [answer]);
  return (
    <>
      <Failed failure={failure} />
      {answer === undefined ? (
        <>
          <h1>{plan}</h1>
          {failure === undefined && <p role="status">The plan is computed again…</p>}
        </>
      ) : (
        <Shown view={answer} reload={reload} />
      )}
    </>
  );
}

const day = 86_400_000;

function Shown({
  view,
  reload,
}: {
  readonly view: View;
  readonly reload: () => void;
}): JSX.Element {
  const { notes, later } = view;
  const left = view.expiresAt - now.value;
  const state = stateOf(view, left);
  return (
    <>
      <div class="title">
        <h1>{view.playbook}</h1>
        <Pill tone={planTones[state]} text={state} />
        <Copied text={view.plan} />
        <span class="dim valid">
          {left > 0
            ? `valid for ${spoken(left < day ? left - (left % 1_000) : left - (left % 60_000))}`
            : 'expired'}
        </span>
      </div>
      <Origin view={view} />
      <PlanStart view={view} state={state} />
      {notes.length > 0 && (
        <Panel id="notes" title="Look at this first" tone="warn">
          <List of={notes} />
        </Panel>
      )}
      {view.unknown.length > 0 && (
        <Panel id="unknown" title={unknownTitle.replace(':', '')} tone="warn">
          <List of={view.unknown} />
        </Panel>
      )}
      <Lines view={view} />
      <AccountTotals table={view.accounts} />
      <div class="halves">
        <Guards guards={view.guards} />
        <PlanDecision view={view} isExpired={left <= 0} reload={reload} />
      </div>
      <Since view={view} />
      {later.length > 0 && (
        <Panel id="later" title="Read during the run, not part of the plan">
          <List of={later} />
        </Panel>
      )}
    </>
  );
}

/** The origin of a plan: its author, its accounts, and its time. */
function Origin({ view }: { readonly view: View }): JSX.Element {
  const { authors, commit, observedAt } = view;
  return (
    <p class="lead dim">
      <Target target={view.target} /> <b>{view.profile}</b>
      {view.keyFingerprint !== undefined && ` (key ${view.keyFingerprint})`} at {view.host}
      {view.otherAccounts.length > 0 && `, and ${view.otherAccounts.join(', ')}`}. Written by{' '}
      {authors.length === 0 ? 'an unknown author' : authors.join(', ')}
      {commit !== undefined && (
        <>
          , commit <code>{commit.slice(0, 7)}</code>
        </>
      )}
      . Prices were read <Ago at={observedAt} />. {view.file}
    </p>
  );
}

function List({ of }: { readonly of: readonly string[] }): JSX.Element {
  return (
    <ul class="lines">
      {of.map((text) => (
        <li>{inZone(text)}</li>
      ))}
    </ul>
  );
}

const quiet: ReadonlySet<string> = new Set(['none', 'skip', 'reused', 'read', 'local']);

function Lines({ view }: { readonly view: View }): JSX.Element {
  const [isAll, setAll] = useState(false);
  const { lines, left, what, cost, farthest, openAfter } = view;
  const others = lines.filter(({ kind }) => quiet.has(kind)).length;
  const wanted = isAll ? lines : lines.filter(({ kind }) => !quiet.has(kind));
  const { shown, pager } = paged(wanted, 'lines');
  return (
    <section class="panel flush" aria-labelledby="changes">
      <div class="filters">
        <h2 id="changes">
          What will change <small>{what}</small>{' '}
          <small class="dim">
            {cost}
            {farthest !== undefined && `, at most ${farthest} from mark`}
            {openAfter !== undefined && `, open after: ${openAfter}`}
          </small>
        </h2>
        {others > 0 && (
          <label class="check">
            <input type="checkbox" checked={isAll} onChange={() => setAll(!isAll)} /> show{' '}
            {count(others, 'other line')}
          </label>
        )}
      </div>
      <Cards
        name="Lines of the plan"
        kind="lines"
        columns={lineColumns}
        rows={shown}
        rowKind={({ kind }) => (quiet.has(kind) ? 'dim' : '')}
      />
      {pager}
      {left > 0 && <More text={moreText(left, 'line')} query={{ page: String(view.page + 1) }} />}
      <Pager page={view.page} pages={view.pages} />
    </section>
  );
}

const lineColumns: readonly Column<View['lines'][number]>[] = [
  {
    name: 'Change',
    isSign: true,
    cell: ({ kind, sign }) => (
      <b class={`sign ${changeSigns[kind].tone ?? ''}`} title={changeSigns[kind].word}>
        {sign}
      </b>
    ),
  },
  {
    name: 'What',
    kind: 'wraps',
    cell: ({ text, step, details }) => (
      <div>
        <code>{text}</code>
        <div class="dim">{[step, ...details].join(' · ')}</div>
      </div>
    ),
  },
  { name: numberColumns.mark, isNumber: true, cell: ({ mark }) => mark },
  {
    name: numberColumns.distance,
    isNumber: true,
    kind: ({ isFar }) => (isFar ? 'far' : ''),
    cell: ({ distance }) => distance,
  },
  { name: numberColumns.notional, isNumber: true, cell: ({ notional }) => notional },
  {
    name: 'Certainty',
    kind: 'wraps',
    cell: ({ certainty, isWarning }) =>
      certainty !== '' && <span class={`certainty ${isWarning ? 'warn' : ''}`}>{certainty}</span>,
  },
];

function Since({ view: { approvedLast } }: { readonly view: View }): JSX.Element | null {
  if (approvedLast === undefined) return null;
  const { plan, who, at, changes } = approvedLast;
  return (
    <Panel id="since" title="Since the last approved plan">
      <p>
        {plan}, approved by {who} <Ago at={at} />:{' '}
        {changes.length === 0 ? 'nothing differs' : `${count(changes.length, 'line')} changed`}
      </p>
      <Changes changes={changes} />
    </Panel>
  );
}
