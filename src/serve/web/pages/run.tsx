/** One run: its outcome, its doubts, the time line, its events, orders, files and playbook. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Compare } from '../parts/compare.tsx';
import { Copied } from '../parts/copy.tsx';
import { Downloads } from '../parts/downloads.tsx';
import { EventLog } from '../parts/event-log.tsx';
import { Code, Drawn, FactList, FactRow } from '../parts/inline.tsx';
import { Listed } from '../parts/listed.tsx';
import { Failed, Panel } from '../parts/panel.tsx';
import { Pill, Target } from '../parts/pill.tsx';
import { Questions } from '../parts/questions.tsx';
import { RelatedLinks, type Related } from '../parts/related.tsx';
import { RunActions } from '../parts/run-actions.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Unbegun } from '../parts/unbegun.tsx';
import type { Names } from '../names.ts';
import { inZone } from '../zone.ts';
import { query, runPath } from '../router.ts';

type View = Answer<'GET /runs/{run}'>;

const interval = 1_000; // ms between two reads of a run in progress
const relatedInterval = 5_000; // ms

export function Run({ names }: { readonly names: Names }): JSX.Element {
  const { run = '' } = names;
  const desk = query.value.get('desk') ?? '';
  const { answer, failure } = useLoaded(
    'GET /runs/{run}',
    { run, ...(desk !== '' && { desk }) },
    (notice) => notice.kind === 'run' && notice.run === run,
    interval,
  );
  useEffect(() => {
    document.title = `${answer?.row.playbook ?? 'Run'} ${run} · deskhand`;
  }, [answer, run]);
  const { answer: related } = useLoaded(
    'GET /runs/{run}/related',
    { run, ...(desk !== '' && { desk }) },
    (notice) => notice.kind === 'run',
    relatedInterval,
  );
  if (answer === undefined) return <Unbegun run={run} desk={desk} failure={failure} />;
  return (
    <>
      <Failed failure={failure} />
      <Head view={answer} desk={desk} related={related} />
      <Tabs view={answer} desk={desk} related={related} />
    </>
  );
}

interface Shown {
  readonly view: View;
  readonly desk: string;
  readonly related: Related | undefined;
}

function Head({ view, desk, related }: Shown): JSX.Element {
  const { row, headline, tone, facts, lead, rest, next } = view;
  const isRunning = row.state === 'running';
  const origin = (
    <>
      <FactRow facts={facts} />
      {related !== undefined && <RelatedLinks related={related} row={row} />}
    </>
  );
  // What a person must settle comes before where the run came from.
  const isSettledFirst = view.doubts.length > 0;
  return (
    <>
      <div class="title">
        <h1>{row.playbook}</h1>
        <Target target={row.target} />
        <Pill tone={isRunning ? 'running' : tone} text={headline} />
        <Copied text={row.run} />
      </div>
      {!isSettledFirst && origin}
      {lead !== '' && (
        <p class="lead">
          <b>{inZone(lead)}</b> {inZone(rest)}
        </p>
      )}
      <RunActions view={view} desk={desk} />
      {isSettledFirst && origin}
      {row.asks !== undefined && <Questions run={row.run} desk={desk} />}
      {next.length > 0 && (
        <Panel id="next" title="Next">
          <dl class="definitions commands">
            {next.map(({ command, why }) => (
              <div>
                <dt>
                  <Copied text={command} />
                </dt>
                <dd>{why}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
      <Tallies view={view} />
      <Stop view={view} />
      <Warnings view={view} />
      <Outputs view={view} />
    </>
  );
}

function Tallies({ view }: { readonly view: View }): JSX.Element {
  return (
    <section class="tallies" aria-label="The outcome in numbers">
      {view.tallies.map(({ name, n, tone, note }) => (
        <div class={`tally ${n === 0 ? 'zero' : tone}`}>
          <h2>{name}</h2>
          <b>{n}</b>
          <p>{note}</p>
        </div>
      ))}
    </section>
  );
}

function Stop({ view: { stop } }: { readonly view: View }): JSX.Element | null {
  if (stop === undefined) return null;
  const { title, code, message, source, place, lines, hint } = stop;
  return (
    <Panel id="stop" title={title} tone="bad">
      <p>
        {code !== '' && <code>{code}</code>} <b>{message}</b>
      </p>
      <p class="dim">
        <Drawn of={source} />
      </p>
      {lines.length > 0 && (
        <figure>
          <figcaption class="dim">{place}</figcaption>
          <Code lines={lines} name={place} />
        </figure>
      )}
      {hint !== undefined && <p>{hint}</p>}
    </Panel>
  );
}

function Warnings({ view: { warnings } }: { readonly view: View }): JSX.Element | null {
  if (warnings.length === 0) return null;
  return (
    <Panel id="warnings" title="Warnings" tone="warn">
      <FactList facts={warnings} />
    </Panel>
  );
}

function Outputs({ view: { outputs } }: { readonly view: View }): JSX.Element | null {
  if (outputs.length === 0) return null;
  return (
    <Panel id="outputs" title="Outputs">
      <FactList facts={outputs} />
    </Panel>
  );
}

interface Tab {
  readonly name: string;
  readonly label: string;
  /** The number of entries that the tab lists. */
  readonly size?: number;
  readonly body: () => JSX.Element;
}

function tabsOf(shown: Shown): readonly Tab[] {
  const { view, desk } = shown;
  const { orders, files, requests, outcome } = view;
  const sizeOf = (table: View['orders']): { readonly size?: number } =>
    table === undefined ? {} : { size: table.rows.length + table.left };
  return [
    {
      name: '',
      label: 'Progress',
      body: () => <Progress view={view} desk={desk} />,
    },
    {
      name: 'outcome',
      label: 'Outcome',
      body: () => <Listed id="outcome" title="Outcome" table={outcome} none="nothing yet" />,
    },
    {
      name: 'orders',
      label: 'Orders',
      ...sizeOf(orders),
      body: () => (
        <Listed id="orders" title="Orders" note={view.ordersNote} table={orders} none="no orders" />
      ),
    },
    {
      name: 'files',
      label: 'Files',
      ...sizeOf(files),
      body: () => (
        <>
          <Downloads view={view} desk={desk} />
          <Listed id="files" title="Files" table={files} none="no files" />
        </>
      ),
    },
    {
      name: 'requests',
      label: 'Requests',
      ...sizeOf(requests),
      body: () => <Listed id="requests" title="Requests" table={requests} none="no requests" />,
    },
    ...lastTabs(shown),
  ];
}

/** What the run was made from, and beside others. */
function lastTabs({ view, desk, related }: Shown): readonly Tab[] {
  return [
    {
      name: 'playbook',
      label: 'Playbook',
      body: () => <PlaybookText view={view} />,
    },
    {
      name: 'compare',
      label: 'Compare',
      body: () =>
        related === undefined ? (
          <></>
        ) : (
          <Compare run={view.row.run} desk={desk} related={related} />
        ),
    },
    {
      name: 'provenance',
      label: 'Provenance',
      body: () => (
        <Panel id="provenance" title="Provenance">
          <FactList facts={view.provenance} />
        </Panel>
      ),
    },
  ];
}

function Progress({ view, desk }: { readonly view: View; readonly desk: string }): JSX.Element {
  return (
    <>
      <Panel id="time" title="Time line">
        <Timeline time={view.timeline} />
      </Panel>
      <EventLog run={view.row.run} desk={desk} />
    </>
  );
}

function PlaybookText({ view }: { readonly view: View }): JSX.Element {
  return (
    <Panel id="playbook" title="Playbook as it was run" note={view.file}>
      <Code lines={view.playbook} name="Playbook as it was run" />
    </Panel>
  );
}

/** The tabs of a run. The tab is in the address, so that a link shows the same. */
function Tabs(shown: Shown): JSX.Element {
  const { view, desk } = shown;
  const tabs = tabsOf(shown);
  const wanted = query.value.get('tab') ?? '';
  const current = tabs.find(({ name }) => name === wanted) ?? tabs[0];
  return (
    <>
      <nav class="tabs" aria-label="Run">
        {tabs.map(({ name, label, size }) => (
          <a
            href={runPath(view.row.run, desk, name)}
            aria-current={name === current?.name ? 'page' : undefined}
          >
            {label}
            {size !== undefined && <span class="size"> {size}</span>}
          </a>
        ))}
      </nav>
      {current?.body()}
    </>
  );
}
