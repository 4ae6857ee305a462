/** Actions of a person on a run: resume it, settle its doubts, set it aside, stop it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { moreText } from '../../../base/text.ts';
import { write, type Answer } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Action, Said, type ActionListener } from './action.tsx';
import { ByWorkerField, workerField } from './by-worker.tsx';
import { More } from './pager.tsx';
import { Panel } from './panel.tsx';
import { SetAside } from './set-aside.tsx';
import { Doubts } from './doubts.tsx';
import { Thumb } from './thumb.tsx';
import { Ago } from './time.tsx';
import { Waiting } from './waiting.tsx';

type Offered = Answer<'GET /runs/{run}/actions'>;

interface Which {
  readonly run: string;
  readonly desk?: string;
}

type View = Answer<'GET /runs/{run}'>;

export function RunActions({
  view,
  desk,
}: {
  readonly view: View;
  readonly desk: string;
}): JSX.Element {
  const { run } = view.row;
  const which = { run, ...(desk !== '' && { desk }) };
  const { answer: about } = useLoaded('GET /about', {}, () => false);
  const { answer } = useLoaded(
    'GET /runs/{run}/actions',
    which,
    (notice) => notice.kind === 'queue' || (notice.kind === 'run' && notice.run === run),
    1_000,
  );
  // While a command has the run, it appears as running: what was pressed stays as it was.
  const [before, setBefore] = useState<Pressed>();
  const [lines, setLines] = useState<readonly string[]>();
  const offer = before?.offer ?? answer;
  const doubts = before?.doubts ?? view.doubts;
  const left = view.row.doubts - view.doubts.length;
  const rest =
    left > 0 ? (
      <More text={moreText(left, 'doubt')} query={{ tab: 'outcome', page: '' }} />
    ) : undefined;
  if (about === undefined || about.isReadOnly || about.role === 'viewer' || offer === undefined) {
    return <Doubts doubts={doubts} rest={rest} />;
  }
  const listener: ActionListener = {
    begun: () => {
      setBefore({ offer, doubts });
      setLines(undefined);
    },
    ended: (found) => {
      setBefore(undefined);
      setLines(found);
    },
  };
  const { doubts: offers, confirm } = offer;
  return (
    <>
      <Doubts doubts={doubts} rest={rest} settling={{ which, offers, confirm, listener, lines }} />
      <Others
        which={which}
        offer={offer}
        listener={listener}
        lines={doubts.length === 0 ? lines : undefined}
      />
    </>
  );
}

/** The offer that the page showed when a button was pressed. */
interface Pressed {
  readonly offer: Offered;
  readonly doubts: View['doubts'];
}

/** The actions on the whole run, and what the last action said. */
function Others({
  which,
  offer: { resume, doubts, setAside, stop, waiting, holder, confirm },
  listener,
  lines,
}: {
  readonly which: Which;
  readonly offer: Offered;
  readonly listener: ActionListener;
  readonly lines: readonly string[] | undefined;
}): JSX.Element | null {
  // What only a person can settle comes before a resume, which could not look it up.
  const isForPerson = doubts.length > 0 && doubts.every(({ settledBy }) => settledBy === 'person');
  const isFirst = doubts.every(({ settledBy }) => settledBy === 'resume');
  const isEmpty = [resume, setAside, stop, waiting, lines].every((each) => each === undefined);
  if (isEmpty) return null;
  return (
    <Panel id="actions" title="Actions">
      {holder !== undefined && <Holder holder={holder} />}
      {waiting !== undefined && <Waiting job={waiting} listener={listener} />}
      <Thumb of="action">
        {stop !== undefined && <Stop which={which} stop={stop} listener={listener} />}
        {resume !== undefined && !isForPerson && (
          <Resume
            which={which}
            resume={resume}
            confirm={confirm}
            listener={listener}
            isMain={isFirst}
          />
        )}
        {setAside !== undefined && (
          <SetAside which={which} offer={setAside} confirm={confirm} listener={listener} />
        )}
        <Said lines={lines} />
      </Thumb>
    </Panel>
  );
}

function Holder({ holder }: { readonly holder: NonNullable<Offered['holder']> }): JSX.Element {
  const { pid, host, who, since, isAlive } = holder;
  return (
    <p class="dim">
      {isAlive ? 'Executed by' : 'Taken by'} process {pid} on {host}
      {who !== undefined && `, started by ${who}`} {since !== undefined && <Ago at={since} />}
    </p>
  );
}

function Stop({
  which,
  stop,
  listener,
}: {
  readonly which: Which;
  readonly stop: NonNullable<Offered['stop']>;
  readonly listener: ActionListener;
}): JSX.Element {
  if (stop.askedBy !== undefined) {
    return (
      <p role="status">
        It is stopping, asked by {stop.askedBy}: nothing new is sent, and responses are awaited.
      </p>
    );
  }
  return (
    <Action
      listener={listener}
      label="Stop"
      does="Stop the run"
      isGrave
      act={(press) => stopRun(which, press.press)}
    >
      <p>{stop.why}. Resume continues it later.</p>
    </Action>
  );
}

async function stopRun(which: Which, press: string): Promise<readonly string[]> {
  const { lines } = await write('POST /runs/{run}/stop', which, { press });
  return lines.length > 0 ? lines : [`${which.run} is stopping`];
}

function Resume({
  which,
  isMain,
  listener,
  resume,
  confirm,
}: {
  readonly which: Which;
  readonly listener: ActionListener;
  readonly resume: NonNullable<Offered['resume']>;
  readonly confirm: string | undefined;
  readonly isMain: boolean;
}): JSX.Element {
  const { why, command, open, doubts, left, byWorker } = resume;
  return (
    <Action
      label="Resume"
      does="Resume the run"
      isMain={isMain}
      listener={listener}
      confirm={confirm}
      isGrave={confirm !== undefined}
      act={async (press, fieldOf) => {
        const isQueued = fieldOf(workerField) !== '';
        const body = { ...press, ...(isQueued && { isQueued }) };
        const { state } = await write('POST /runs/{run}/resume', which, body);
        return [resumedWords[state]];
      }}
    >
      <p>
        Resume {why}. It does what <code>{command}</code> does.
      </p>
      {doubts.length > 0 && <Lines title="Looked up first" lines={doubts} />}
      {open.length > 0 ? (
        <Lines
          title="Still open: planned again, then sent"
          lines={open.map(({ text, detail }) => (detail === '' ? text : `${text}: ${detail}`))}
        />
      ) : (
        <p class="dim">No other write is open.</p>
      )}
      {left > 0 && <More text={moreText(left, 'line')} query={{ tab: 'outcome', page: '' }} />}
      <ByWorkerField by={byWorker} />
    </Action>
  );
}

const resumedWords = {
  running: 'The run continues.',
  ended: 'The run has ended.',
  starting: 'The run is being prepared; it appears when its first entry is recorded.',
  queued: 'The run was queued for a worker.',
} as const;

function Lines({
  title,
  lines,
}: {
  readonly title: string;
  readonly lines: readonly string[];
}): JSX.Element {
  return (
    <>
      <p>{title}:</p>
      <ul class="lines">
        {lines.map((line) => (
          <li>{line}</li>
        ))}
      </ul>
    </>
  );
}
