/** Whether an action is done by a worker, which has the keys, or by a process of the server. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';

export type ByWorker = Answer<'GET /playbook'>['byWorker'];

/** The name of the field in the form of an action: not empty if a worker is wanted. */
export const workerField = 'worker';

/**
 * The choice of a worker; nothing without workers. If a worker could take the work now, it is the
 * default.
 */
export function ByWorkerField({ by }: { readonly by: ByWorker }): JSX.Element | null {
  if (by === 'no') return null;
  return (
    <label class="check">
      <input type="checkbox" name={workerField} defaultChecked={by === 'served'} />
      <span>
        on a worker, which has the key{' '}
        {by === 'possible' && <span class="dim">(none that has it is running now)</span>}
      </span>
    </label>
  );
}
