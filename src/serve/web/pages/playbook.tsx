/** One playbook: its problems, a plan from its inputs, its steps, its tests, and its text. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { count } from '../../../base/text.ts';
import { write, type Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Action } from '../parts/action.tsx';
import { ByWorkerField, workerField, type ByWorker } from '../parts/by-worker.tsx';
import { Changes } from '../parts/changes.tsx';
import { History } from '../parts/history.tsx';
import { Code } from '../parts/inline.tsx';
import { fieldName, Inputs } from '../parts/inputs.tsx';
import { Empty, Failed, Panel } from '../parts/panel.tsx';
import { Target } from '../parts/pill.tsx';
import { RunPlan } from '../parts/run-plan.tsx';
import { Tests } from '../parts/tests.tsx';
import { ordersPath, query, runPath, runsPath } from '../router.ts';
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
        {row.name !== '' && (
          <>
            <a href={runsPath({ playbook: row.name, desk })}>Its runs</a>
            <a href={ordersPath({ playbook: row.name, desk })}>Its orders</a>
          </>
        )}
      </div>
      <Failed failure={failure} />
      <Frames view={view} />
      {mayAct && row.errors === 0 && <PlanPanel view={view} which={which} byWorker={byWorker} />}
      {row.name !== '' && <History of={{ playbook: row.name }} desk={row.desk} />}
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

interface Planning {
  readonly view: View;
  readonly byWorker: ByWorker;
  readonly which: { readonly file: string; readonly desk?: string };
}

/** The form of a plan: empty, or with the inputs of a run that is to be done again. */
function PlanPanel(planning: Planning): JSX.Element {
  const of = query.value.get('of') ?? '';
  return of === '' ? <Plan {...planning} /> : <PlanAgain {...planning} run={of} />;
}

function PlanAgain({ run, ...planning }: Planning & { readonly run: string }): JSX.Element {
  const { desk } = planning.which;
  const which = { run, ...(desk !== undefined && { desk }) };
  const { answer, failure } = useLoaded('GET /runs/{run}/related', which, () => false);
  if (answer === undefined) return <Failed failure={failure} />;
  const given = new Map(answer.inputs.map(({ name, value }) => [name, value]));
  return <Plan {...planning} again={{ run, given }} />;
}

interface Again {
  readonly run: string;
  /** The inputs that the run had. */
  readonly given: ReadonlyMap<string, string>;
}

function Plan({
  view,
  which,
  byWorker,
  again,
}: Planning & { readonly again?: Again }): JSX.Element {
  const [made, setMade] = useState<Made>();
  const names = new Set(view.inputs.map(({ name }) => name));
  const gone = [...(again?.given.keys() ?? [])].filter((name) => !names.has(name));
  return (
    <Panel id="plan" title={again === undefined ? 'Plan' : `Plan, with the inputs of ${again.run}`}>
      {gone.length > 0 && (
        <p class="notice">The playbook has no longer these inputs of the run: {gone.join(', ')}</p>
      )}
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
        <Inputs inputs={view.inputs} {...(again && { given: again.given })} />
        <ByWorkerField by={byWorker} />
      </Action>
      {again !== undefined && made?.plan !== undefined && (
        <SinceRun run={again.run} plan={made.plan} desk={view.row.desk} />
      )}
      {made !== undefined && <Planned made={made} desk={view.row.desk} byWorker={byWorker} />}
    </Panel>
  );
}

/** The differences between the plan and the run. */
function SinceRun({
  run,
  plan,
  desk,
}: {
  readonly run: string;
  readonly plan: string;
  readonly desk: string;
}): JSX.Element {
  const { answer, failure } = useLoaded(
    'GET /runs/{run}/plan-since',
    { run, plan, desk },
    () => false,
  );
  return (
    <div role="status">
      <Failed failure={failure} />
      {answer !== undefined && (
        <>
          <h3>
            Since <a href={runPath(run, desk)}>{run}</a>:{' '}
            {answer.changes.length === 0
              ? 'it would write the same again'
              : `${count(answer.changes.length, 'line')} changed`}
          </h3>
          <Changes changes={answer.changes} />
        </>
      )}
    </div>
  );
}

function Planned({
  made: { plan, target, confirm, lines },
  desk,
  byWorker,
}: {
  readonly made: Made;
  readonly desk: string;
  readonly byWorker: ByWorker;
}): JSX.Element {
  const start = {
    isHere: confirm === undefined,
    byWorker,
    ...(confirm !== undefined && { confirm }),
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
      {plan !== undefined && <RunPlan plan={plan} desk={desk} start={start} target={target} />}
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
