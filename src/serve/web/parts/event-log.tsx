/** The events of a run as they are recorded. Each answer continues after the last entry that is
 * shown, so that none is missing and none is shown twice, whatever happens to the connection.
 */
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { earlierText } from '../../../base/text.ts';
import { read, type Answer } from '../api.ts';
import { atMost } from '../clock.ts';
import { onNotice } from '../live.ts';
import { Search } from './filter.tsx';
import { ClockTime, ZoneName } from './time.tsx';
import { query } from '../router.ts';
import { inZone } from '../zone.ts';
import { More } from './pager.tsx';

type Event = Answer<'GET /runs/{run}/events'>['events'][number];

const shownMax = 2_000; // lines in the page, and as many with each link to earlier ones

export function EventLog({
  run,
  desk,
  of = '',
}: {
  readonly run: string;
  readonly desk: string;
  /** The step or item; default: all of the run. */
  readonly of?: string;
}): JSX.Element {
  const known = useEvents(run, desk, of);
  const events = known ?? [];
  const words = query.value.get('find') ?? '';
  const [isFollowing, setFollowing] = useState(true);
  const log = useRef<HTMLDivElement>(null);
  const found = events.filter((event) => hasWords(event, words));
  const lines = Math.max(shownMax, Number(query.value.get('lines') ?? 0) || 0);
  const shown = found.slice(-lines);
  useEffect(() => {
    if (isFollowing && log.current !== null) log.current.scrollTop = log.current.scrollHeight;
  }, [shown.at(-1)?.seq, isFollowing]);
  return (
    <section class="panel flush" aria-labelledby="events">
      <Filters words={words} isFollowing={isFollowing} follow={setFollowing} />
      {shown.length < found.length && (
        <More
          text={earlierText(found.length - shown.length, 'line')}
          query={{ lines: String(lines + shownMax) }}
        />
      )}
      <div
        class="log"
        role="log"
        aria-label="Events"
        aria-busy={known === undefined}
        tabIndex={0}
        ref={log}
      >
        {shown.map((event) => (
          <Line key={event.seq} event={event} />
        ))}
      </div>
    </section>
  );
}

function Filters({
  words,
  isFollowing,
  follow,
}: {
  readonly words: string;
  readonly isFollowing: boolean;
  readonly follow: (follows: boolean) => void;
}): JSX.Element {
  return (
    <div class="filters">
      <h2 id="events">
        Events{' '}
        <small class="dim">
          times in <ZoneName />
        </small>
      </h2>
      <Search name="find" label="Find in events" hint="symbol, address, code" value={words} />
      <label>
        <input
          type="checkbox"
          checked={isFollowing}
          onChange={({ currentTarget }) => follow(currentTarget.checked)}
        />{' '}
        follow
      </label>
    </div>
  );
}

function Line({
  event: { seq, at, word, text, tone, ...place },
}: {
  readonly event: Event;
}): JSX.Element {
  return (
    <div class={tone} data-seq={seq}>
      <ClockTime at={at} />
      <span class="dim">{placeOf(place)}</span>
      <b>{word}</b>
      <span>{inZone(text)}</span>
    </div>
  );
}

function placeOf({ address, account }: Pick<Event, 'address' | 'account'>): string {
  return account === undefined ? address : `${address} on ${account}`;
}

function hasWords({ word, text, ...place }: Event, words: string): boolean {
  const line = `${placeOf(place)} ${word} ${text}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((each) => line.includes(each));
}

/** The events so far; undefined before the first answer. */
function useEvents(run: string, desk: string, of: string): readonly Event[] | undefined {
  const [events, setEvents] = useState<readonly Event[]>();
  useEffect(() => {
    let known: Event[] = [];
    let isReading = false;
    let isBehind = false;
    const abort = new AbortController();
    const place = { run, ...(desk !== '' && { desk }), ...(of !== '' && { of }) };
    setEvents(known);
    const more = async (): Promise<void> => {
      isBehind = true;
      if (isReading) return;
      isReading = true;
      try {
        while (isBehind && !abort.signal.aborted) {
          isBehind = false;
          const after = String(known.at(-1)?.seq ?? 0);
          const answer = await read('GET /runs/{run}/events', { ...place, after }, abort.signal);
          if (answer.events.length > 0) known = [...known, ...answer.events];
          setEvents(known);
          if (answer.events.length === 0) continue;
          isBehind ||= (known.at(-1)?.seq ?? 0) < answer.seq;
        }
      } catch {
        isBehind = false; // the next notice tries again; the shell shows that the server is gone
      } finally {
        isReading = false;
      }
    };
    const soon = atMost(200, abort.signal, () => void more());
    soon();
    const end = onNotice((notice) => {
      if (notice.kind === 'reset' || (notice.kind === 'run' && notice.run === run)) soon();
    });
    return () => {
      end();
      abort.abort();
    };
  }, [run, desk, of]);
  return events;
}
