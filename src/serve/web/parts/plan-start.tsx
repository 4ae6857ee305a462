/** The state of a plan, and what follows its approval: its run, or the button that starts it. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
import { runPath } from '../router.ts';
import { useMayAct } from '../who.ts';
import { Panel } from './panel.tsx';
import { Thumb } from './thumb.tsx';
import { RunPlan } from './run-plan.tsx';

type View = Answer<'GET /plans/{plan}'>;

type PlanState = keyof typeof planTones;

export const planTones = {
  started: 'idle',
  declined: 'bad',
  expired: 'idle',
  approved: 'good',
  'ready to run': 'good',
  'waits for approval': 'warn',
} as const;

/**
 * The state of a plan.
 * @param left ms until it expires
 */
export function stateOf({ required, run }: View, left: number): PlanState {
  if (run !== undefined) return 'started';
  if (required.some(({ declined }) => declined.length > 0)) return 'declined';
  if (left <= 0) return 'expired';
  if (required.length === 0) return 'ready to run';
  const isEnough = required.every((each) => each.approved.length >= each.count);
  const isSound = required.every(({ trouble }) => trouble === undefined);
  return isEnough && isSound ? 'approved' : 'waits for approval';
}

export function PlanStart({
  view: { plan, desk, run, start, target, guards },
  state,
}: {
  readonly view: View;
  readonly state: PlanState;
}): JSX.Element | null {
  const mayAct = useMayAct('operator');
  if (run !== undefined) {
    return (
      <p>
        It was started: run <a href={runPath(run, desk)}>{run}</a>.
      </p>
    );
  }
  const isReady = state === 'approved' || state === 'ready to run';
  if (!mayAct || !isReady || guards.some(({ isKept }) => !isKept)) return null;
  return (
    <Panel id="start" title="Run">
      <Thumb of="decision">
        <RunPlan plan={plan} desk={desk} start={start} target={target} />
      </Thumb>
    </Panel>
  );
}
