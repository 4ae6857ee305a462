/** Runs a plan of sandbox accounts, as it was shown. */
import type { JSX } from 'preact';
import { write } from '../api.ts';
import { go, runPath } from '../router.ts';
import { Action } from './action.tsx';

export function RunPlan({
  plan,
  desk,
}: {
  readonly plan: string;
  readonly desk: string;
}): JSX.Element {
  return (
    <Action
      label="Run it"
      act={async ({ press }) => {
        const which = { plan, ...(desk !== '' && { desk }) };
        const { run } = await write('POST /plans/{plan}/run', which, { press });
        if (run === undefined) return ['The run is being prepared; it appears among the runs.'];
        go(runPath(run, desk));
        return [];
      }}
    >
      <p>Sends what this plan shows to the sandbox, once. Prices and limits are checked again.</p>
    </Action>
  );
}
