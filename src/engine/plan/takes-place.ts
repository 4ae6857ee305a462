/** Whether a planned action may change the state that later reads find. */
import type { Step } from '../../language/playbook.ts';
import type { PlannedAction } from './plan.ts';

/** Whether a step may change the state: it writes, waits, for people, too, or starts a program. */
export function takesPlace(step: Step, { change }: PlannedAction): boolean {
  const { action } = step;
  switch (change.kind) {
    case 'create':
    case 'set':
    case 'later':
      return true;
    case 'outbound':
      return step.uses === 'shell/run';
    case 'local':
      return action.kind === 'built-in' && (action.name === 'wait' || action.name === 'approve');
    case 'none':
    case 'read':
    case 'skip':
    case 'reused':
      return false;
  }
}
