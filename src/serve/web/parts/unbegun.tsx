/** A run that waits for a worker: it has no journal yet, and is shown when it begins. */
import type { JSX } from 'preact';
import type { CallError } from '../api.ts';
import { useLoaded } from '../loaded.ts';
import { Failed, Panel } from './panel.tsx';
import { Waiting } from './waiting.tsx';

const interval = 1_000; // ms between two reads

export function Unbegun({
  run,
  desk,
  failure,
}: {
  readonly run: string;
  readonly desk: string;
  readonly failure: CallError | undefined;
}): JSX.Element {
  const { answer } = useLoaded(
    'GET /runs/{run}/actions',
    { run, ...(desk !== '' && { desk }) },
    ({ kind }) => kind === 'queue',
    interval,
  );
  return (
    <>
      <h1>{run}</h1>
      {answer?.waiting === undefined ? (
        <Failed failure={failure} />
      ) : (
        <Panel id="waiting" title="Waiting for a worker">
          <Waiting job={answer.waiting} />
        </Panel>
      )}
    </>
  );
}
