/** One step or item of a run: where it belongs, its state, what it waits for, its items and events. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { query, runPath, stepPath } from '../router.ts';
import { Copied } from './copy.tsx';
import { EventLog } from './event-log.tsx';
import { Code, DataTable, FactList } from './inline.tsx';
import { Icon } from './icon.tsx';
import { Failed, Panel } from './panel.tsx';
import { liveTone, State } from './pill.tsx';
import { Progress } from './progress.tsx';
import { Items } from './strip.tsx';
import { stateWord } from '../../../report/states.ts';

type View = Answer<'GET /runs/{run}/step'>;

const interval = 1_000; // ms between two reads of a run in progress

interface Which {
  readonly run: string;
  readonly desk: string;
  readonly at: string;
}

export function Step({ run, desk }: Omit<Which, 'at'>): JSX.Element {
  const at = query.value.get('at') ?? '';
  const [from, page] = ['from', 'page'].map((name) => query.value.get(name) ?? '');
  const { answer, failure } = useLoaded(
    'GET /runs/{run}/step',
    { run, at, ...(desk && { desk }), ...(from && { from }), ...(page && { page }) },
    (notice) => notice.kind === 'run' && notice.run === run,
    interval,
  );
  const which = { run, desk, at };
  return (
    <>
      <Failed failure={failure} />
      {answer !== undefined && <Shown key={at} view={answer} which={which} />}
      {answer !== undefined && <EventLog run={run} desk={desk} of={at} />}
    </>
  );
}

function Shown({ view, which }: { readonly view: View; readonly which: Which }): JSX.Element {
  const { run, desk } = which;
  const { uses, state, title, facts, after, before, inside, requests, lines, place } = view;
  return (
    <>
      <section class="panel" aria-label={`Step ${view.name}`}>
        <Around view={view} which={which} />
        <div class="title">
          <h2>{view.name}</h2>
          <State state={state} />
          <code class="dim">{uses}</code>
        </div>
        {title !== undefined && <p>{title}</p>}
        <p class="dim">
          <Copied text={which.at} />
        </p>
        <FactList facts={facts} />
        <Links title="Waits for" links={after} which={which} />
        <Links title="Before" links={before} which={which} />
      </section>
      {view.items !== undefined && <Items which={which} />}
      {inside !== undefined && <Progress progress={inside} run={run} desk={desk} />}
      {requests !== undefined && (
        <Panel id="requests" title="Requests">
          <DataTable table={requests} name="Requests" />
        </Panel>
      )}
      {lines.length > 0 && (
        <Panel id="lines" title="Lines" note={place}>
          <Code lines={lines} name="Lines of the step" />
        </Panel>
      )}
    </>
  );
}

/** The way to the step: the run, and the steps and items around it. */
function Around({
  view: { around },
  which: { run, desk },
}: {
  readonly view: View;
  readonly which: Which;
}): JSX.Element {
  return (
    <nav class="around" aria-label="Around it">
      <a href={runPath(run, desk)}>All steps</a>
      {around.map(({ address, name }) => (
        <>
          {' / '}
          <a href={stepPath(run, desk, address)}>{name}</a>
        </>
      ))}
    </nav>
  );
}

function Links({
  title,
  links,
  which: { run, desk },
}: {
  readonly title: string;
  readonly links: View['after'];
  readonly which: Which;
}): JSX.Element | null {
  if (links.length === 0) return null;
  return (
    <div class="steps">
      <h3>{title}</h3>
      <ul>
        {links.map(({ address, name, state }) => (
          <li class={liveTone(state)}>
            <a href={stepPath(run, desk, address)}>
              <Icon name={liveTone(state)} />
              {name}
              <span class="unseen">, {stateWord(state)}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
