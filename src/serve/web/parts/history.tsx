/** The history of a playbook or of a schedule: a calendar of its days, the last runs, and the runs of a day. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
import { now } from '../clock.ts';
import { useLoaded } from '../loaded.ts';
import { hereWith, query } from '../router.ts';
import { dayOf, daysShown, moved, weeksTo, type CalendarDay } from '../weeks.ts';
import { HistoryTable } from './history-table.tsx';
import { Icon } from './icon.tsx';
import { Pager } from './pager.tsx';
import { Empty, Failed, Panel } from './panel.tsx';
import { ZoneName } from './time.tsx';
import { byTone, statesText, type States } from './tones.ts';
import { Trend } from './trend.tsx';

type Found = Answer<'GET /history'>;

const interval = 5_000; // ms between two reads while runs are in progress

export function History({
  of,
  desk,
}: {
  readonly of: { readonly playbook: string } | { readonly schedule: string };
  readonly desk: string;
}): JSX.Element {
  const weeks = weeksTo(dayOf(query.value.get('to'), now.value));
  const days = weeks.flat();
  const day = days.find(({ name }) => name === query.value.get('day'));
  const page = query.value.get('page') ?? '';
  const { answer, failure } = useLoaded(
    'GET /history',
    {
      ...of,
      ...(desk !== '' && { desk }),
      days: [...days.map(({ at }) => at), days.at(-1)?.until].join(','),
      ...(day && { since: String(day.at), until: String(day.until) }),
      ...(day && /^[1-9]\d{0,5}$/.test(page) && { page }),
    },
    ({ kind }) => kind === 'run' || kind === 'schedules',
    interval,
  );
  return (
    <Panel id="history" title="History">
      <Failed failure={failure} />
      {answer !== undefined &&
        (answer.first === undefined ? (
          <Empty text="It has not run yet." />
        ) : (
          <>
            <div class="halves">
              <Calendar weeks={weeks} answer={answer} />
              <Trend items={answer.trend} desk={desk} ticks={answer.ticks} />
            </div>
            {day !== undefined && <OfDay day={day} answer={answer} desk={desk} />}
          </>
        ))}
    </Panel>
  );
}

function Calendar({
  weeks,
  answer: { days, first = 0 },
}: {
  readonly weeks: readonly (readonly CalendarDay[])[];
  readonly answer: Found;
}): JSX.Element {
  const [begin] = weeks.flat();
  const end = weeks.flat().at(-1);
  const found = new Map(days.map(({ at, states }) => [at, states]));
  const lastDay = end?.name ?? '';
  return (
    <div>
      <nav class="pager" aria-label="Weeks">
        {begin !== undefined && first < begin.at && (
          <a href={hereWith({ to: moved(lastDay, -daysShown), day: '', page: '' })}>Earlier</a>
        )}
        <span class="dim">
          days in <ZoneName />
        </span>
        {end !== undefined && end.until <= now.value && (
          <a href={hereWith({ to: laterThan(lastDay), day: '', page: '' })}>Later</a>
        )}
      </nav>
      <table class="calendar">
        <caption class="unseen">Runs by day</caption>
        <thead>
          <tr>
            {['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]?.name}>
              {week.map((day) => (
                <td key={day.name}>
                  <DayCell day={day} states={found.get(day.at)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Five weeks later; '' for the weeks that end now, which move on with time. */
function laterThan(name: string): string {
  const later = moved(name, daysShown);
  return later < dayOf(null, now.value) ? later : '';
}

function DayCell({
  day: { name, at, label, words },
  states,
}: {
  readonly day: CalendarDay;
  readonly states: States | undefined;
}): JSX.Element {
  const isFuture = at > now.value;
  if (states === undefined) return <span class={`day ${isFuture ? 'future' : ''}`}>{label}</span>;
  const tones = byTone(states);
  const isChosen = query.value.get('day') === name;
  return (
    <a
      class={`day ${tones[0]?.tone ?? ''}`}
      href={hereWith({ day: isChosen ? '' : name, page: '' })}
      aria-current={isChosen ? 'true' : undefined}
      title={statesText(states)}
    >
      <span class="unseen">{`${words}: ${statesText(states)}`}</span>
      <span aria-hidden="true">
        {label}
        {tones.map(({ tone, n }) => (
          <b key={tone} class={tone}>
            <Icon name={tone} />
            {n}
          </b>
        ))}
      </span>
    </a>
  );
}

function OfDay({
  day: { words },
  answer: { listed, page, pages },
  desk,
}: {
  readonly day: CalendarDay;
  readonly answer: Found;
  readonly desk: string;
}): JSX.Element {
  return (
    <section aria-labelledby="day">
      <h3 id="day">{words}</h3>
      <HistoryTable items={listed} desk={desk} name={words} />
      <Pager page={page} pages={pages} />
    </section>
  );
}
