/** The search in the events of all runs. Each answer has read some runs; the person goes on from there. */
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import { read, type Answer, type CallError, type Parameters } from '../api.ts';
import { now } from '../clock.ts';
import { Choice, Filters, Time, want } from '../parts/filter.tsx';
import { FoundEvents } from '../parts/found-events.tsx';
import { Empty, Failed } from '../parts/panel.tsx';
import { Saved } from '../parts/saved.tsx';
import { At } from '../parts/time.tsx';
import { periodOf } from '../period.ts';
import { query } from '../router.ts';
import { zone } from '../zone.ts';

type Found = Answer<'GET /search'>;
type Wanted = Parameters<'GET /search'>;

/** The words of events that people look for; any other is found as text. */
const kinds = [
  'started',
  'resumed',
  'taken over',
  'sent',
  'answer',
  'done',
  'refused',
  'failed',
  'in doubt',
  'skipped',
  'asks',
  'wrote',
  'warning',
  'unmet',
  'stopped',
  'interrupted',
];

export function Events(): JSX.Element {
  const key = `${query.value.toString()} ${zone.value}`;
  // A period that ends now is that of the moment at which the person asked.
  const wanted = useMemo(() => wantedIn(query.value, now.peek()), [key]);
  const { answers, isBusy, failure, goOn } = useSearch(wanted, key);
  const choices = useRef<Found | undefined>(undefined);
  const last = answers.at(-1);
  choices.current = last ?? choices.current; // those of the last search stay while the next one begins
  useEffect(() => {
    document.title = 'Events · deskhand';
  }, []);
  return (
    <>
      <h1>Events</h1>
      <Failed failure={failure} />
      {[...new Set(answers.flatMap(({ damages }) => damages))].map((damage) => (
        <p class="notice" key={damage}>
          Events may be missing: {damage}
        </p>
      ))}
      <section class="panel flush" aria-label="Events" aria-busy={isBusy}>
        <EventFilters choices={choices.current} wanted={wanted} />
        <Saved />
        <p class="count dim" role="status">
          {isBusy && 'Searching… '}
          {last !== undefined && <Reached answers={answers} last={last} />}
        </p>
        <Results answers={answers} isBusy={isBusy} />
        {last?.next !== undefined && (
          <p class="pager">
            <button type="button" disabled={isBusy} onClick={goOn}>
              Search older runs
            </button>
          </p>
        )}
      </section>
    </>
  );
}

function Results({ answers, isBusy }: Pick<Searched, 'answers' | 'isBusy'>): JSX.Element | null {
  const events = answers.flatMap((answer) => answer.events);
  const last = answers.at(-1);
  if (events.length > 0) {
    return <FoundEvents events={events} hasDesks={(last?.desks.length ?? 0) > 1} />;
  }
  if (isBusy || last === undefined) return null;
  const isEnd = last.next === undefined;
  return <Empty text={isEnd ? 'No event matches the filter.' : 'Nothing found so far.'} />;
}

/** The filter in an address. @param at the current time, for periods that end now */
function wantedIn(from: URLSearchParams, at: number): Wanted {
  const names = ['desk', 'playbook', 'account', 'run', 'kind', 'text'] as const;
  const texts = names.map((name) => [name, from.get(name)?.trim() ?? ''] as const);
  const period = periodOf(from.get('time') ?? '', at);
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value !== '')),
    ...(period && { since: String(period.since) }),
    ...(period?.until !== undefined && { until: String(period.until) }),
  };
}

/** How far the search came: `12 events in 100 runs, searched back to …`. */
function Reached({
  answers,
  last: { next, back, unread },
}: {
  readonly answers: readonly Found[];
  readonly last: Found;
}): JSX.Element {
  const [events, runs] = [
    answers.reduce((sum, answer) => sum + answer.events.length, 0),
    answers.reduce((sum, answer) => sum + answer.read, 0),
  ];
  return (
    <>
      {count(events, 'event')} in {count(runs, 'run')},{' '}
      {next === undefined ? (
        'all were searched'
      ) : back === undefined ? (
        'more are left'
      ) : (
        <>
          searched back to <At at={back} />
        </>
      )}
      {unread > 0 && `; ${unread} older ones are still being read`}
    </>
  );
}

interface Searched {
  readonly answers: readonly Found[];
  readonly isBusy: boolean;
  readonly failure?: CallError;
}

const callsMax = 10; // until a person says that it goes on; each reads a hundred runs

/** Searches again whenever `key` changes. */
function useSearch(wanted: Wanted, key: string): Searched & { readonly goOn: () => void } {
  const [state, setState] = useState<Searched>(nothing);
  const ended = useRef(new AbortController());
  const searchOn = async (before: readonly Found[]): Promise<void> => {
    const { signal } = ended.current;
    let answers = before;
    setState({ answers, isBusy: true });
    try {
      for (let calls = 0; calls < callsMax; calls++) {
        const next = answers.at(-1)?.next;
        const more = await read('GET /search', { ...wanted, ...(next && { next }) }, signal);
        if (signal.aborted) return;
        answers = [...answers, more];
        const isEnough = more.events.length > 0 || more.next === undefined;
        setState({ answers, isBusy: !isEnough && calls < callsMax - 1 });
        if (isEnough) return;
      }
    } catch (failure) {
      if (!signal.aborted) setState({ answers, isBusy: false, failure: failure as CallError });
    }
  };
  useEffect(() => {
    ended.current = new AbortController();
    void searchOn([]);
    return () => ended.current.abort();
  }, [key]);
  return { ...state, goOn: () => void searchOn(state.answers) };
}

const nothing: Searched = { answers: [], isBusy: true };

function EventFilters({
  choices,
  wanted,
}: {
  readonly choices: Found | undefined;
  readonly wanted: Wanted;
}): JSX.Element {
  const { playbooks = [], accounts = [], desks = [] } = choices ?? {};
  return (
    <Filters>
      <Words name="text" label="Words in events" hint="Words: symbol, address, code" isFirst />
      <Choice name="kind" label="Kind" values={kinds} value={wanted.kind} />
      <Words name="run" label="Run" hint="Run: r-…" />
      <Choice name="playbook" label="Playbook" values={playbooks} value={wanted.playbook} />
      <Choice name="account" label="Account" values={accounts} value={wanted.account} />
      {desks.length > 1 && <Choice name="desk" label="Desk" values={desks} value={wanted.desk} />}
      <Time />
      <button type="submit">Search</button>
    </Filters>
  );
}

/** A text that is searched when it is complete: with Enter, the button, or on leaving it. */
function Words({
  name,
  label,
  hint,
  isFirst = false,
}: {
  readonly name: 'text' | 'run';
  readonly label: string;
  readonly hint: string;
  readonly isFirst?: boolean;
}): JSX.Element {
  const value = query.value.get(name) ?? '';
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <input
      type="search"
      class={isFirst ? '' : 'short'}
      data-filter={isFirst ? '' : undefined}
      aria-label={label}
      placeholder={hint}
      maxLength={isFirst ? 200 : 64}
      spellcheck={false}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onChange={({ currentTarget }) => want(name, currentTarget.value.trim())}
    />
  );
}
