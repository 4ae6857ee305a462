/** Runs a plan as it was shown: here if its accounts are sandboxes, or by a worker. */
import type { JSX } from 'preact';
import { write, type Answer } from '../api.ts';
import { go, runPath } from '../router.ts';
import { Action } from './action.tsx';
import { Copied } from './copy.tsx';
import { ByWorkerField, workerField } from './by-worker.tsx';

export function RunPlan({
  plan,
  desk,
  start: { isHere, byWorker, confirm },
  target = 'live',
}: {
  readonly plan: string;
  readonly desk: string;
  readonly start: Answer<'GET /plans/{plan}'>['start'];
  readonly target: Answer<'GET /plans/{plan}'>['target'] | undefined;
}): JSX.Element {
  if (!isHere && byWorker === 'no') {
    return (
      <p>
        A plan of an account that is not of a sandbox is run in a terminal:{' '}
        <Copied text={`deskhand run ${plan}`} />
      </p>
    );
  }
  return (
    <Action
      label="Run it"
      does="Run this plan"
      isMain
      confirm={confirm}
      isGrave={!isHere}
      act={async (press, fieldOf) => {
        const which = { plan, ...(desk !== '' && { desk }) };
        const isQueued = !isHere || fieldOf(workerField) !== '';
        const body = { ...press, ...(isQueued && { isQueued }) };
        const { run } = await write('POST /plans/{plan}/run', which, body);
        if (run === undefined) return ['The run is being prepared; it appears among the runs.'];
        go(runPath(run, desk));
        return [];
      }}
    >
      {isHere ? (
        <>
          <p>
            Sends what this plan shows to the sandbox, once. Prices and limits are checked again.
          </p>
          <ByWorkerField by={byWorker} />
        </>
      ) : (
        <p>
          A worker sends what this plan shows, once, as{' '}
          {target === 'demo' ? 'orders of demo trading' : 'real orders'}. It checks approvals,
          prices and limits again.
          {byWorker === 'possible' &&
            ' None that has the key is running now: the plan waits for one.'}
        </p>
      )}
    </Action>
  );
}
