/** What needs a person, what is running, and the last runs with a filter. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { count, spoken } from '../../base/text.ts';
import type { Answer, Parameters } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Wide } from '../parts/inline.tsx';
import { Empty, Failed, Panel } from '../parts/panel.tsx';
import { Pill, State, Target } from '../parts/pill.tsx';
import { Ago, In } from '../parts/time.tsx';
import { go, planPath, query, runPath } from '../router.ts';

type HomeAnswer = Answer<'GET /home'>;
type Row = HomeAnswer['runs'][number];
type Wanted = Parameters<'GET /home'>;

const states = [
  'running',
  'doubt',
  'stopped',
  'interrupted',
  'unfinished',
  'damaged',
  'done',
  'not begun',
] as const;

export function Home(): JSX.Element {
  const wanted = wantedIn(query.value);
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
          <Needs needs={answer.needs} />
          <Runs answer={answer} wanted={wanted} />
          <Next next={answer.next} />
        </>
      )}
    </>
  );
}

/** The filter is in the address, so that it can be bookmarked. */
function wantedIn(from: URLSearchParams): Wanted {
  const state = states.find((each) => each === from.get('state'));
  const text = (name: string): string | undefined => from.get(name) ?? undefined;
  const [playbook, account, person, words] = ['playbook', 'account', 'person', 'text'].map(text);
  return {
    ...(state && { state }),
    ...(playbook && { playbook }),
    ...(account && { account }),
    ...(person && { person }),
    ...(words && { text: words }),
  };
}

function want(name: string, value: string): void {
  const next = new URLSearchParams(query.value);
  if (value === '') next.delete(name);
  else next.set(name, value);
  const text = next.toString();
  go(text === '' ? '/' : `/?${text}`, true);
}

function Needs({ needs }: { readonly needs: HomeAnswer['needs'] }): JSX.Element | null {
  if (needs.length === 0) return null;
  return (
    <Panel id="needs" title="Needs you">
      <ul class="needs">
        {needs.map((need) => (
          <li>
            <Pill tone={tones[need.kind]} text={need.label} />
            <div>
              <a href={placeOf(need)} data-row>
                {need.title}
              </a>{' '}
              <span class="dim">{need.text}</span>
              {need.command !== undefined && (
                <div>
                  <code>{need.command}</code>
                </div>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const tones = {
  doubt: 'doubt',
  damaged: 'bad',
  unfinished: 'warn',
  approval: 'warn',
  missed: 'bad',
  drift: 'warn',
} as const;

function placeOf({ kind, run, plan, desk }: HomeAnswer['needs'][number]): string {
  if (run !== undefined) return runPath(run, desk);
  if (plan !== undefined) return planPath(plan, desk);
  return kind === 'drift' ? '/accounts' : '/schedules';
}

function Runs({
  answer,
  wanted,
}: {
  readonly answer: HomeAnswer;
  readonly wanted: Wanted;
}): JSX.Element {
  const { runs, running, matching, all, unread } = answer;
  const isFiltered = Object.keys(wanted).length > 0;
  const others = isFiltered ? runs : runs.filter(({ state }) => state !== 'running');
  const rows = isFiltered ? others : [...running, ...others];
  return (
    <section class="panel flush" aria-label="Last runs">
      <Filters answer={answer} wanted={wanted} />
      <p class="count dim" role="status">
        {isFiltered ? `${matching} of ${count(all, 'run')}` : count(all, 'run')}
        {rows.length < matching && `, the newest ${rows.length} are listed`}
        {unread > 0 && `; ${unread} older ones are still being read`}
      </p>
      {rows.length === 0 ? (
        <None isFiltered={isFiltered} />
      ) : (
        <Wide name="Runs">
          <table class="cards">
            <thead>
              <tr>
                <th>State</th>
                <th>Playbook</th>
                <th>Account</th>
                <th>Run</th>
                <th>What it did</th>
                <th>By</th>
                <th>When</th>
                <th class="number">Took</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <RunRow key={`${row.desk}/${row.run}`} row={row} />
              ))}
            </tbody>
          </table>
        </Wide>
      )}
    </section>
  );
}

function None({ isFiltered }: { readonly isFiltered: boolean }): JSX.Element {
  if (isFiltered) return <Empty text="No run matches the filter." />;
  return <Empty text="No runs yet. Run a playbook:" command="deskhand run playbooks/NAME.yaml" />;
}

function RunRow({ row }: { readonly row: Row }): JSX.Element {
  const { run, desk, playbook, profile, target, state, what, doubts, people } = row;
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
        <Target target={target} /> {profile === target ? '' : profile}
      </td>
      <td data-label="Run">
        <code class="dim">{run}</code>
      </td>
      <td data-label="What it did" class="wraps">
        {what}
        {doubts > 0 && <b class="doubt-text">, {doubts} in doubt</b>}
      </td>
      <td data-label="By" class="dim">
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

function Next({ next }: { readonly next: HomeAnswer['next'] }): JSX.Element | null {
  if (next.length === 0) return null;
  return (
    <section class="panel flush" aria-labelledby="next">
      <div class="filters">
        <h2 id="next">Next on the schedule</h2>
        <a href="/schedules">Schedules</a>
      </div>
      <Wide name="Next occurrences">
        <table class="cards">
          <tbody>
            {next.map(({ schedule, playbook, cron, timezone, at, missed, isPaused }) => (
              <tr key={schedule}>
                <td data-label="Playbook">{playbook}</td>
                <td data-label="Times">
                  <code>{cron}</code>
                </td>
                <td data-label="Zone" class="dim">
                  {timezone}
                </td>
                <td data-label="Next">
                  {isPaused ? (
                    <Pill tone="warn" text="paused" />
                  ) : at === undefined ? (
                    'never again'
                  ) : (
                    <In at={at} />
                  )}
                </td>
                <td data-label="If missed" class="dim">
                  if missed: {missed}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </section>
  );
}

function Filters({
  answer,
  wanted,
}: {
  readonly answer: HomeAnswer;
  readonly wanted: Wanted;
}): JSX.Element {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        data-filter
        aria-label="Filter runs"
        placeholder="Filter: run, symbol, clientOid"
        value={wanted.text ?? ''}
        onInput={({ currentTarget }) => want('text', currentTarget.value)}
      />
      <Choice name="state" label="State" values={states} value={wanted.state} />
      <Choice name="playbook" label="Playbook" values={answer.playbooks} value={wanted.playbook} />
      <Choice name="account" label="Account" values={answer.accounts} value={wanted.account} />
      {answer.people.length > 0 && (
        <Choice name="person" label="Person" values={answer.people} value={wanted.person} />
      )}
    </form>
  );
}

function Choice({
  name,
  label,
  values,
  value,
}: {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string | undefined;
}): JSX.Element {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => want(name, currentTarget.value)}
    >
      <option value="">{label}: all</option>
      {values.map((each) => (
        <option value={each}>{each === 'doubt' ? 'in doubt' : each}</option>
      ))}
    </select>
  );
}
