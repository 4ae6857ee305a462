/** Tasks for a person, runs in progress, and the last runs with a filter. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { count, spoken } from '../../../base/text.ts';
import type { Answer } from '../api.ts';
import { now } from '../clock.ts';
import { useLoaded } from '../loaded.ts';
import { Copied } from '../parts/copy.tsx';
import { Wide } from '../parts/inline.tsx';
import { Pager, paged } from '../parts/pager.tsx';
import { FirstRun } from '../parts/first-run.tsx';
import { Empty, Failed, Panel } from '../parts/panel.tsx';
import { Pill, State, Target } from '../parts/pill.tsx';
import { RunFilters, wantedIn, type Wanted } from '../parts/run-filters.tsx';
import { Ago, In } from '../parts/time.tsx';
import { Needs } from '../parts/needs.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { query, runPath } from '../router.ts';

type HomeAnswer = Answer<'GET /home'>;
type Row = HomeAnswer['runs'][number];

export function Home(): JSX.Element {
  const wanted = wantedIn(query.value, now.value);
  const { answer, failure } = useLoaded('GET /home', wanted);
  useEffect(() => {
    document.title =
      answer && answer.needs.length > 0
        ? `(${answer.needs.length}) Runs · deskhand`
        : 'Runs · deskhand';
  }, [answer]);
  return (
    <>
      <h1>Runs</h1>
      <Failed failure={failure} />
      {answer !== undefined && (
        <>
          <Needs needs={answer.needs} acknowledged={answer.acknowledged} />
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
        <Wide name="Runs">
          <table class="cards runs">
            <thead>
              <tr>
                <th>State</th>
                <th>Playbook</th>
                <th>Account</th>
                {hasDesks && <th>Desk</th>}
                <th>Run</th>
                <th>What it did</th>
                <th>By</th>
                <th>When</th>
                <th class="number">Took</th>
              </tr>
            </thead>
            <tbody>
              {runs.map((row) => (
                <RunRow key={`${row.desk}/${row.run}`} row={row} hasDesks={hasDesks} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
      <Pager page={page} pages={pages} />
    </section>
  );
}

function RunRow({ row, hasDesks }: { readonly row: Row; readonly hasDesks: boolean }): JSX.Element {
  const { run, desk, playbook, profile, target, state, what, doubts, people } = row;
  const accounts = [profile, ...(row.otherAccounts ?? [])].join(', ');
  return (
    <tr>
      <td data-label="State">
        <State state={doubts > 0 && state !== 'running' ? 'doubt' : state} />
      </td>
      <td data-label="Playbook">
        <a href={runPath(run, desk)} data-row>
          {playbook === '' ? run : playbook}
        </a>
      </td>
      <td data-label="Account">
        <Target target={target} /> {accounts === target ? '' : accounts}
      </td>
      {hasDesks && <td data-label="Desk">{desk}</td>}
      <td data-label="Run">
        <Copied text={run} />
      </td>
      <td data-label="What it did" class="wraps">
        {what}
        {doubts > 0 && <b class="doubt-text">, {doubts} in doubt</b>}
      </td>
      <td data-label="By" class={people.length === 0 ? 'dim none' : 'dim'}>
        {people.length === 0 ? '–' : people.join(', ')}
      </td>
      <td data-label="When" class="dim">
        {row.startedAt === 0 ? '–' : <Ago at={row.startedAt} />}
      </td>
      <td data-label="Took" class="number dim">
        {spoken(row.tookMs)}
      </td>
    </tr>
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
