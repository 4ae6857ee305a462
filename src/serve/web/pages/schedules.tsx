/** Schedules: their occurrences on a line, and pause, resume, run now. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { write, type Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Action } from '../parts/action.tsx';
import { want } from '../parts/filter.tsx';
import { History } from '../parts/history.tsx';
import { Occurrences } from '../parts/occurrences.tsx';
import { Empty, Failed } from '../parts/panel.tsx';
import { Pill, State, Target } from '../parts/pill.tsx';
import { Ago } from '../parts/time.tsx';
import { inZone, momentText } from '../zone.ts';
import { go, hereWith, query, runPath } from '../router.ts';
import { useMayAct } from '../who.ts';

type View = Answer<'GET /schedules'>;
type Schedule = View['schedules'][number];

const ranges = { '1': 'a day', '7': 'a week', '30': '30 days' } as const;

export function Schedules(): JSX.Element {
  const days = query.value.get('days');
  const wanted = days === '7' || days === '30' ? days : '1';
  const { answer, failure } = useLoaded('GET /schedules', { days: wanted }, undefined, 1_000);
  useEffect(() => {
    document.title = 'Schedules · deskhand';
  }, []);
  return (
    <>
      <div class="title">
        <h1>Schedules</h1>
        <select
          aria-label="Time shown before and after now"
          value={wanted}
          onChange={({ currentTarget }) => want('days', currentTarget.value)}
        >
          {Object.entries(ranges).map(([value, label]) => (
            <option value={value}>{label}</option>
          ))}
        </select>
      </div>
      <Failed failure={failure} />
      {answer !== undefined && <All view={answer} />}
    </>
  );
}

function All({ view }: { readonly view: View }): JSX.Element {
  const { schedules, left, isKept, without } = view;
  const chosen = query.value.get('schedule') ?? '';
  const shown = schedules.filter(({ id }) => chosen === '' || id === chosen);
  return (
    <>
      {without.length > 0 && (
        <p class="notice">
          Schedules are shown when one repository is served: <code>deskhand --dir DIR serve</code>
        </p>
      )}
      {!isKept && without.length === 0 && schedules.length > 0 && (
        <p class="notice">
          This server does not start what is due; another scheduler may:{' '}
          <code>deskhand schedule serve</code>
        </p>
      )}
      {left.map(({ file, because }) => (
        <p class="notice">
          {file} is skipped: {because}
        </p>
      ))}
      {schedules.length === 0 && (
        <section class="panel flush" aria-label="Schedules">
          <Empty text="No playbook here has a schedule. See:" command="deskhand help schedules" />
        </section>
      )}
      {chosen !== '' && (
        <p>
          <a href="/schedules">All schedules</a>{' '}
          {shown.length === 0 && `There is no schedule ${chosen} any more.`}
        </p>
      )}
      {shown.map((schedule) => (
        <One key={`${schedule.desk}/${schedule.id}`} schedule={schedule} view={view} />
      ))}
      {chosen !== '' &&
        shown.map(({ id, desk }) => <History key={id} of={{ schedule: id }} desk={desk} />)}
    </>
  );
}

const listed = 6; // past occurrences below the line

function One({
  schedule,
  view,
}: {
  readonly schedule: Schedule;
  readonly view: View;
}): JSX.Element {
  const { id, playbook, file, profile, target, paused } = schedule;
  return (
    <section class="panel" aria-labelledby={id}>
      <div class="title">
        <h2 id={id}>
          {playbook}{' '}
          <small class="dim">
            {file} {id}
          </small>
        </h2>
        <Target target={target} /> {profile === target ? '' : profile}
        {paused !== undefined && <Pill tone="warn" text="paused" />}
        {query.value.get('schedule') !== id && (
          <a href={hereWith({ schedule: id })}>
            History<span class="unseen"> of {playbook}</span>
          </a>
        )}
      </div>
      <Terms schedule={schedule} />
      {paused !== undefined && (
        <p>
          Paused by {paused.who} <Ago at={paused.at} />: {paused.why}
        </p>
      )}
      <Occurrences schedule={schedule} window={view} />
      <Past schedule={schedule} />
      <Actions schedule={schedule} />
    </section>
  );
}

/** The times of a schedule, and its options. */
function Terms({ schedule }: { readonly schedule: Schedule }): JSX.Element {
  const { cron, timezone, only, paused } = schedule;
  const [next] = schedule.next;
  return (
    <ul class="facts">
      <li>
        <code>{cron}</code> {timezone}
      </li>
      {only.length > 0 && <li>only {only.join(', ')}</li>}
      <li>{schedule.writes ? 'writes' : 'only reads'}</li>
      <li>
        if missed: {schedule.missed}; overlap: {schedule.overlap}
      </li>
      <li>
        {paused === undefined ? 'next' : 'next if resumed'}{' '}
        {next === undefined ? 'never again' : momentText(next + schedule.delayMs)}
      </li>
    </ul>
  );
}

function Past({ schedule: { past, desk } }: { readonly schedule: Schedule }): JSX.Element | null {
  if (past.length === 0) return null;
  return (
    <ul class="plain past">
      {past.slice(0, listed).map(({ kind, from, to, text, run }) => (
        <li>
          <State state={kind} /> {momentText(from)}
          {to !== from && ` to ${momentText(to)}`}{' '}
          {run !== undefined && (
            <a href={runPath(run, desk)} data-row>
              {run}
            </a>
          )}{' '}
          {text !== kind && <span class="dim">{inZone(text)}</span>}
        </li>
      ))}
    </ul>
  );
}

function Actions({ schedule }: { readonly schedule: Schedule }): JSX.Element | null {
  const mayAct = useMayAct('operator');
  if (!mayAct) return null;
  const { id, desk, playbook, paused, target } = schedule;
  return (
    <div class="side-by-side">
      {paused === undefined ? (
        <Action
          label={`Pause ${playbook}`}
          act={async (_press, fieldOf) => {
            const name = fieldOf('what') === '' ? playbook : fieldOf('what');
            await write('POST /schedules/pause', { desk }, { name, reason: fieldOf('reason') });
            return [`${name} is paused.`];
          }}
        >
          <p>No scheduler starts it until it is resumed. A run in progress continues.</p>
          <label>
            What
            <select name="what">
              <option value={playbook}>all schedules of {playbook}</option>
              <option value={id}>only {id}</option>
            </select>
          </label>
          <label>
            Reason
            <input type="text" name="reason" required maxLength={300} autocomplete="off" />
          </label>
        </Action>
      ) : (
        <Action
          label={`Resume ${paused.name}`}
          act={async () => {
            await write('POST /schedules/resume', { desk }, { name: paused.name });
            return [`${paused.name} is resumed.`];
          }}
        >
          <p>It runs again from its next occurrence. Those of the pause are not run.</p>
        </Action>
      )}
      <Action
        label={`Run ${playbook} now`}
        act={async ({ press }) => {
          const { run, state } = await write('POST /schedules/{id}/run', { id, desk }, { press });
          if (run !== undefined) go(runPath(run, desk));
          return [`${run ?? 'The run'} is ${state}.`];
        }}
      >
        <p>
          Runs its last occurrence if that did not run, else the same steps without one, in a
          process of its own.
          {target !== 'sandbox' &&
            ' A plan that writes needs its approvals, as on the command line.'}
        </p>
      </Action>
    </div>
  );
}
