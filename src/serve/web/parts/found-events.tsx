/** Events of several runs as a table: each with its run, and with a link to the events around it. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
import { runPath } from '../router.ts';
import { inZone } from '../zone.ts';
import { Wide } from './inline.tsx';
import { Pill } from './pill.tsx';
import { ExactTime } from './time.tsx';

type Event = Answer<'GET /search'>['events'][number];

export function FoundEvents({
  events,
  hasDesks,
}: {
  readonly events: readonly Event[];
  readonly hasDesks: boolean;
}): JSX.Element {
  return (
    <Wide name="Events, table">
      <table class="cards events">
        <thead>
          <tr>
            <th>When</th>
            <th>Run</th>
            {hasDesks && <th>Desk</th>}
            <th>Event</th>
            <th>Step</th>
            <th>What happened</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <Row
              key={`${event.desk}/${event.run}/${event.seq}`}
              event={event}
              hasDesks={hasDesks}
            />
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Row({
  event: { run, desk, playbook, at, address, account, word, text, tone },
  hasDesks,
}: {
  readonly event: Event;
  readonly hasDesks: boolean;
}): JSX.Element {
  const page = runPath(run, desk);
  return (
    <tr>
      <td data-label="When" class="dim">
        <ExactTime at={at} />
      </td>
      <td data-label="Run">
        <a href={page} data-row>
          {playbook === '' ? run : playbook}
        </a>{' '}
        <code class="dim">{run}</code>
      </td>
      {hasDesks && <td data-label="Desk">{desk}</td>}
      <td data-label="Event">
        <Pill tone={tone} text={word} />
      </td>
      <td data-label="Step" class="wraps">
        {address !== '' && (
          <a href={`${page}&${new URLSearchParams({ find: address }).toString()}`}>{address}</a>
        )}
        {account !== undefined && ` on ${account}`}
      </td>
      <td data-label="What happened" class="wraps">
        {inZone(text)}
      </td>
    </tr>
  );
}
