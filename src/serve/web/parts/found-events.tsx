/** Events of several runs as a table: each with its run, and with a link to the events around it. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
import { runPath } from '../router.ts';
import { inZone } from '../zone.ts';
import { Pill } from './pill.tsx';
import { ExactTime } from './time.tsx';
import { Cards, deskColumn, type Column } from './cards.tsx';

type Event = Answer<'GET /search'>['events'][number];

export function FoundEvents({
  events,
  hasDesks,
}: {
  readonly events: readonly Event[];
  readonly hasDesks: boolean;
}): JSX.Element {
  const columns: readonly Column<Event>[] = [
    { name: 'When', kind: 'dim', cell: ({ at }) => <ExactTime at={at} /> },
    { name: 'Run', cell: (event) => <Run event={event} /> },
    ...deskColumn<Event>(hasDesks),
    { name: 'Event', cell: ({ tone, word }) => <Pill tone={tone} text={word} /> },
    { name: 'Step', kind: 'wraps', cell: (event) => <Step event={event} /> },
    { name: 'What happened', kind: 'wraps', cell: ({ text }) => inZone(text) },
  ];
  return (
    <Cards
      name="Events, table"
      kind="placed events"
      columns={columns}
      rows={events}
      rowKey={({ desk, run, seq }) => `${desk}/${run}/${seq}`}
    />
  );
}

function Run({ event: { run, desk, playbook } }: { readonly event: Event }): JSX.Element {
  return (
    <>
      <a href={runPath(run, desk)} data-row>
        {playbook === '' ? run : playbook}
      </a>{' '}
      <code class="dim">{run}</code>
    </>
  );
}

/** The address of an event, with a link to the events around it. */
function Step({ event: { run, desk, address, account } }: { readonly event: Event }): JSX.Element {
  const find = new URLSearchParams({ find: address }).toString();
  return (
    <>
      {address !== '' && <a href={`${runPath(run, desk)}&${find}`}>{address}</a>}
      {account !== undefined && ` on ${account}`}
    </>
  );
}
