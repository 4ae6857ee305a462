/** Tasks for a person, runs in progress, and the last runs with a filter. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import type { Answer } from '../api.ts';
import { now } from '../clock.ts';
import { useLoaded } from '../loaded.ts';
import { Copied } from '../parts/copy.tsx';
import { Pager, paged } from '../parts/pager.tsx';
import { FirstRun } from '../parts/first-run.tsx';
import { Empty, Failed, Panel } from '../parts/panel.tsx';
import { Pill, Target } from '../parts/pill.tsx';
import { RunState } from '../parts/run-state.tsx';
import { RunFilters, wantedIn, type Wanted } from '../parts/run-filters.tsx';
import { Ago, In } from '../parts/time.tsx';
import { Needs } from '../parts/needs.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { query, runPath } from '../router.ts';
import { tookText } from '../took.ts';
import { inZone } from '../zone.ts';
import { Cards, deskColumn, type Column } from '../parts/cards.tsx';

type HomeAnswer = Answer<'GET /home'>;
type Row = HomeAnswer['runs'][number];

export function Home(): JSX.Element {
  const wanted = wantedIn(query.value, now.value);
  const { answer, failure } = useLoaded('GET /home', wanted);
  useEffect(() => {
    document.title =
      answer && answer.needs.length > 0
        ? `(${answer.needs.length + answer.moreNeeds}) Runs · deskhand`
        : 'Runs · deskhand';
  }, [answer]);
  return (
    <>
      <h1>Runs</h1>
      <Failed failure={failure} />
      {answer !== undefined && (
        <>
          <Needs
            needs={answer.needs}
            moreNeeds={answer.moreNeeds}
            acknowledged={answer.acknowledged}
          />
          <Queue waiting={answer.waiting} />
          <Next next={answer.next} />
          {answer.all === 0 && answer.unread === 0 && Object.keys(wanted).length === 0 ? (
            <FirstRun />
          ) : (
            <Runs answer={answer} wanted={wanted} />
          )}
        </>
      )}
    </>
  );
}

function Queue({ waiting }: { readonly waiting: HomeAnswer['waiting'] }): JSX.Element | null {
  if (waiting.length === 0) return null;
  const { shown, pager } = paged(waiting, 'waiting');
  return (
    <Panel id="waiting" title="Waiting for a worker">
      {shown.map((job) => (
        <Waiting key={`${job.desk}/${job.job}`} job={job} />
      ))}
      {pager}
    </Panel>
  );
}

function Runs({
  answer,
  wanted,
}: {
  readonly answer: HomeAnswer;
  readonly wanted: Wanted;
}): JSX.Element {
  const { runs, matching, all, unread, page, pages } = answer;
  const hasDesks = answer.desks.length > 1;
  const { page: _page, ...filter } = wanted;
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <section class="panel flush" aria-label="Last runs">
      <RunFilters answer={answer} wanted={wanted} />
      <p class="count dim" role="status">
        {isFiltered ? `${matching} of ${count(all, 'run')}` : count(all, 'run')}
        {unread > 0 && `; ${unread} older ones are still being read`}
      </p>
      {runs.length === 0 ? (
        <Empty text="No run matches the filter." />
      ) : (
        <Cards
          name="Runs"
          kind="runs"
          columns={columnsWith(hasDesks)}
          rows={runs}
          rowKey={({ desk, run }) => `${desk}/${run}`}
        />
      )}
      <Pager page={page} pages={pages} />
    </section>
  );
}

const columnsWith = (hasDesks: boolean): readonly Column<Row>[] => [
  {
    name: 'State',
    cell: (row) => <RunState row={row} />,
  },
  {
    name: 'Playbook',
    cell: ({ run, desk, playbook }) => (
      <a href={runPath(run, desk)} data-row>
        {playbook === '' ? run : playbook}
      </a>
    ),
  },
  { name: 'Account', cell: (row) => <Accounts row={row} /> },
  ...deskColumn<Row>(hasDesks),
  { name: 'Run', cell: ({ run }) => <Copied text={run} /> },
  {
    name: 'What it did',
    kind: 'wraps',
    cell: ({ what, doubts, setAside }) => (
      <>
        {inZone(what)}
        {doubts > 0 && <b class="doubt-text">, {doubts} in doubt</b>}
        {setAside !== undefined && <span class="dim">, set aside</span>}
      </>
    ),
  },
  {
    name: 'By',
    kind: ({ people }) => (people.length === 0 ? 'dim none' : 'dim'),
    cell: ({ people }) => (people.length === 0 ? '–' : people.join(', ')),
  },
  {
    name: 'When',
    kind: 'dim',
    cell: ({ startedAt }) => (startedAt === 0 ? '–' : <Ago at={startedAt} />),
  },
  { name: 'Took', isNumber: true, kind: 'dim', cell: tookText },
];

function Accounts({
  row: { profile, target, otherAccounts = [] },
}: {
  readonly row: Row;
}): JSX.Element {
  const accounts = [profile, ...otherAccounts].join(', ');
  return (
    <>
      <Target target={target} /> {accounts === target ? '' : accounts}
    </>
  );
}

const nextShown = 5; // their page has all

function Next({ next }: { readonly next: HomeAnswer['next'] }): JSX.Element | null {
  if (next.length === 0) return null;
  return (
    <section class="panel next" aria-labelledby="next">
      <h2 id="next">Next</h2>
      <ul class="facts">
        {next.slice(0, nextShown).map(({ schedule, playbook, cron, timezone, at, isPaused }) => (
          <li key={schedule} title={`${cron} ${timezone}`}>
            <b>{playbook}</b>{' '}
            {isPaused ? (
              <Pill tone="warn" text="paused" />
            ) : at === undefined ? (
              'never again'
            ) : (
              <In at={at} />
            )}
          </li>
        ))}
      </ul>
      <a href="/schedules">Schedules</a>
    </section>
  );
}
