/** One run: its outcome, its doubts, the time line, its events, orders, files and playbook. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Compare } from '../parts/compare.tsx';
import { Copied } from '../parts/copy.tsx';
import { Downloads } from '../parts/downloads.tsx';
import { EventLog } from '../parts/event-log.tsx';
import { Code, FactList, FactRow } from '../parts/inline.tsx';
import { Listed } from '../parts/listed.tsx';
import { Failed, Panel } from '../parts/panel.tsx';
import { Pill, Target } from '../parts/pill.tsx';
import { Questions } from '../parts/questions.tsx';
import { RelatedLinks, type Related } from '../parts/related.tsx';
import { isAtWork } from '../parts/run-state.tsx';
import { RunActions } from '../parts/run-actions.tsx';
import { RunOutcome } from '../parts/run-outcome.tsx';
import { Progress } from '../parts/progress.tsx';
import { Step } from '../parts/step.tsx';
import { Unbegun } from '../parts/unbegun.tsx';
import type { Names } from '../names.ts';
import { tookText } from '../took.ts';
import { inZone } from '../zone.ts';
import { query, runPath, stepPath } from '../router.ts';

type View = Answer<'GET /runs/{run}'>;

const interval = 1_000; // ms between two reads of a run in progress
const relatedInterval = 5_000; // ms

export function Run({ names }: { readonly names: Names }): JSX.Element {
  const { run = '' } = names;
  const desk = query.value.get('desk') ?? '';
  const [from, page] = ['from', 'page'].map((name) => query.value.get(name) ?? '');
  const { answer, failure } = useLoaded(
    'GET /runs/{run}',
    { run, ...(desk !== '' && { desk }), ...(from && { from }), ...(page && { page }) },
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
      <Title view={answer} />
      {query.value.get('tab') !== 'step' && <Head view={answer} desk={desk} related={related} />}
      <Tabs view={answer} desk={desk} related={related} />
    </>
  );
}

interface Shown {
  readonly view: View;
  readonly desk: string;
  readonly related: Related | undefined;
}

function Title({ view: { row, headline, tone } }: { readonly view: View }): JSX.Element {
  return (
    <div class="title">
      <h1>{row.playbook}</h1>
      <Target target={row.target} />
      <Pill tone={isAtWork(row) ? 'running' : tone} text={headline} />
      <Copied text={row.run} />
    </div>
  );
}

function Head({ view, desk, related }: Shown): JSX.Element {
  const { row, facts, lead, rest, next } = view;
  const origin = (
    <>
      <FactRow facts={[...facts.filter(([name]) => name !== 'run'), ...goingFacts(row)]} />
      <RelatedLinks related={related} row={row} />
    </>
  );
  // What a person must settle comes before where the run came from.
  const isSettledFirst = view.doubts.length > 0;
  return (
    <>
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
                <dd>{inZone(why)}</dd>
              </div>
            ))}
          </dl>
        </Panel>
      )}
      <RunOutcome view={view} />
    </>
  );
}

/** How long a run in progress has been at it. */
function goingFacts(row: View['row']): View['facts'] {
  if (row.state !== 'running') return [];
  return [[isAtWork(row) ? 'running for' : 'open for', tookText(row)]];
}

interface Tab {
  readonly name: string;
  readonly label: string;
  /** The number of entries that the tab lists. */
  readonly size?: number;
  readonly body: () => JSX.Element;
}

function tabsOf(shown: Shown): readonly Tab[] {
  return [...progressTabs(shown), ...tableTabs(shown), ...lastTabs(shown)];
}

/** The progress of the run, and the step or item that a link led to. */
function progressTabs({ view, desk }: Shown): readonly Tab[] {
  const { run } = view.row;
  const progress = {
    name: '',
    label: 'Progress',
    body: () => (
      <>
        <Progress progress={view.progress} run={run} desk={desk} />
        <EventLog run={run} desk={desk} />
      </>
    ),
  };
  if (query.value.get('tab') !== 'step') return [progress];
  return [progress, { name: 'step', label: 'Step', body: () => <Step run={run} desk={desk} /> }];
}

function tableTabs({ view, desk }: Shown): readonly Tab[] {
  const { orders, files, requests, sent, outcome } = view;
  const sizeOf = (table: View['orders']): { readonly size?: number } =>
    table === undefined
      ? {}
      : { size: (table.paging?.before ?? 0) + table.rows.length + table.left };
  return [
    {
      name: 'outcome',
      label: 'Outcome',
      body: () => (
        <Listed
          id="outcome"
          title="Outcome"
          table={outcome}
          none="nothing yet"
          more={runPath(view.row.run, desk)}
        />
      ),
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
      ...(requests && { size: sent }),
      body: () => <Listed id="requests" title="Requests" table={requests} none="no requests" />,
    },
  ];
}

/** The tabs about the source of the run, and about other runs beside it. */
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
            href={
              name === 'step'
                ? stepPath(view.row.run, desk, query.value.get('at') ?? '')
                : runPath(view.row.run, desk, name)
            }
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
