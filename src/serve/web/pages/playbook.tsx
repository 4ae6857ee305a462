/** One playbook: its problems, a plan from its inputs, its steps, its tests, and its text. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { write, type Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Action } from '../parts/action.tsx';
import { ByWorkerField, workerField, type ByWorker } from '../parts/by-worker.tsx';
import { Code } from '../parts/inline.tsx';
import { fieldName, Inputs } from '../parts/inputs.tsx';
import { Empty, Failed, Panel } from '../parts/panel.tsx';
import { Target } from '../parts/pill.tsx';
import { RunPlan } from '../parts/run-plan.tsx';
import { Tests } from '../parts/tests.tsx';
import { query, runsPath } from '../router.ts';
import { Problems } from './playbooks.tsx';

type View = Answer<'GET /playbook'>['view'];
type Made = Answer<'POST /plans'>;

export function Playbook(): JSX.Element {
  const file = query.value.get('file') ?? '';
  const desk = query.value.get('desk') ?? '';
  const [round, setRound] = useState(0);
  return (
    <Shown
      key={`${file}\n${desk}\n${round}`}
      file={file}
      desk={desk}
      onTested={() => setRound(round + 1)}
    />
  );
}

function Shown({
  file,
  desk,
  onTested,
}: {
  readonly file: string;
  readonly desk: string;
  readonly onTested: () => void;
}): JSX.Element {
  const which = { file, ...(desk !== '' && { desk }) };
  const { answer, failure } = useLoaded('GET /playbook', which, () => false);
  const { answer: about } = useLoaded('GET /about', {}, () => false);
  useEffect(() => {
    document.title = `${answer?.view.row.name || file} · deskhand`;
  }, [answer, file]);
  if (answer === undefined) {
    return (
      <>
        <h1>{file}</h1>
        <Failed failure={failure} />
      </>
    );
  }
  const { view, tests, byWorker } = answer;
  const { row } = view;
  const mayAct = about !== undefined && !about.isReadOnly && about.role !== 'viewer';
  return (
    <>
      <div class="title">
        <h1>{row.name || file}</h1>
        <Target target={row.target} />
        <Problems row={row} />
        <code class="dim">{file}</code>
        {row.name !== '' && <a href={runsPath({ playbook: row.name, desk })}>Its runs</a>}
      </div>
      <Failed failure={failure} />
      <Frames view={view} />
      {mayAct && row.errors === 0 && <Plan view={view} which={which} byWorker={byWorker} />}
      <Steps view={view} />
      <Panel id="tests" title="Tests">
        <Tests tests={tests} which={which} mayRun={mayAct} onRun={onTested} />
      </Panel>
      <Panel id="text" title="Playbook" note={`${file}, edited in Git`}>
        <Code lines={view.lines} name="Playbook" />
      </Panel>
    </>
  );
}

function Frames({ view: { problems } }: { readonly view: View }): JSX.Element | null {
  if (problems.length === 0) return null;
  const isBad = problems.some(({ level }) => level === 'error');
  return (
    <Panel id="problems" title="Problems" tone={isBad ? 'bad' : 'warn'}>
      {problems.map(({ frame, code }, index) => (
        <pre
          class="said printed"
          tabIndex={0}
          role="region"
          aria-label={`Problem ${index + 1}, ${code}`}
        >
          {frame}
        </pre>
      ))}
    </Panel>
  );
}

function Plan({
  view,
  which,
  byWorker,
}: {
  readonly view: View;
  readonly byWorker: ByWorker;
  readonly which: { readonly file: string; readonly desk?: string };
}): JSX.Element {
  const [made, setMade] = useState<Made>();
  return (
    <Panel id="plan" title="Plan">
      <Action
        label="Plan it"
        isMain
        act={async ({ press }, fieldOf) => {
          const given = view.inputs.flatMap(({ name }) => {
            const value = fieldOf(fieldName(name));
            return value === '' ? [] : [[name, value] as const];
          });
          const isQueued = fieldOf(workerField) !== '';
          const inputs = Object.fromEntries(given);
          const body = { ...which, press, inputs, ...(isQueued && { isQueued }) };
          setMade(undefined);
          setMade(await write('POST /plans', {}, body));
          return [];
        }}
      >
        <p>Reads the exchange and shows what a run would do. Sends no order.</p>
        <Inputs inputs={view.inputs} />
        <ByWorkerField by={byWorker} />
      </Action>
      {made !== undefined && <Planned made={made} desk={view.row.desk} byWorker={byWorker} />}
    </Panel>
  );
}

function Planned({
  made: { plan, target, live, lines },
  desk,
  byWorker,
}: {
  readonly made: Made;
  readonly desk: string;
  readonly byWorker: ByWorker;
}): JSX.Element {
  const start = {
    isHere: live === undefined,
    byWorker,
    ...(live !== undefined && { confirm: live }),
  };
  return (
    <div class="planned" role="status">
      <p>
        {plan === undefined ? (
          <b>It cannot be planned:</b>
        ) : (
          <>
            Plan <a href={`/plans/${plan}`}>{plan}</a> <Target target={target} />
          </>
        )}
      </p>
      <pre class="said printed" tabIndex={0} role="region" aria-label="The plan as text">
        {lines.join('\n')}
      </pre>
      {plan !== undefined && <RunPlan plan={plan} desk={desk} start={start} />}
    </div>
  );
}

function Steps({ view: { steps } }: { readonly view: View }): JSX.Element {
  const groups = ['steps', 'on-failure', 'finally'] as const;
  return (
    <Panel id="steps" title="Steps">
      {steps.length === 0 && <Empty text="Its problems come first." />}
      {groups
        .map((group) => ({ group, own: steps.filter((step) => step.group === group) }))
        .filter(({ own }) => own.length > 0)
        .map(({ group, own }) => (
          <>
            {group !== 'steps' && <h3>{group}</h3>}
            <ol class="graph">
              {own.map(({ id, uses, depth, words }) => (
                <li style={{ marginLeft: `${Math.min(depth, 8) * 18}px` }}>
                  <b>{id}</b> <code>{uses}</code> <span class="dim">{words}</span>
                </li>
              ))}
            </ol>
          </>
        ))}
    </Panel>
  );
}
