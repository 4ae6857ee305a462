/** The things that belong to a run: its playbook, its plan, its orders, the runs beside it, and running it again. */
import type { JSX } from 'preact';
import type { Answer } from '../api.ts';
import {
  againPath,
  hereWith,
  ordersPath,
  planPath,
  playbookPath,
  runPath,
  runsPath,
} from '../router.ts';
import { useMayAct } from '../who.ts';

export type Related = Answer<'GET /runs/{run}/related'>;

export function RelatedLinks({
  related: { file, plan, before, after, reused } = {},
  row: { run, desk, playbook },
}: {
  /** The related runs; absent until loaded. Their row is there before, so that nothing below it moves. */
  readonly related: Partial<Related> | undefined;
  readonly row: Answer<'GET /runs/{run}'>['row'];
}): JSX.Element {
  const mayAct = useMayAct('operator');
  return (
    <nav class="related" aria-label="What belongs to the run">
      {file !== undefined && <a href={playbookPath(file, desk)}>Playbook</a>}
      {plan !== undefined && <a href={planPath(plan, desk)}>Plan {plan}</a>}
      <a href={runsPath({ playbook, desk })}>Its runs</a>
      <a href={ordersPath({ playbook, desk, time: 'all' })}>Orders of all its runs</a>
      {before !== undefined && <a href={runPath(before, desk)}>Run before</a>}
      {after !== undefined && <a href={runPath(after, desk)}>Run after</a>}
      {reused !== undefined && <a href={runPath(reused, desk)}>Reused from {reused}</a>}
      {before !== undefined && (
        <a href={hereWith({ tab: 'compare' })}>Compare with the run before</a>
      )}
      {mayAct && file !== undefined && (
        <a class="button" href={againPath(file, desk, run)}>
          Run again
        </a>
      )}
    </nav>
  );
}
