/** The progress of a run, or of a playbook nested in it: its steps as a graph, and the time line. */
import type { JSX } from 'preact';
import { earlierText, moreText } from '../../../base/text.ts';
import type { Answer } from '../api.ts';
import { stepPath } from '../router.ts';
import { StepGraph } from './graph.tsx';
import { More } from './pager.tsx';
import { Panel } from './panel.tsx';
import { Timeline } from './timeline.tsx';

export function Progress({
  progress: { graph, timeline, from, earlier, later, total },
  run,
  desk,
}: {
  readonly progress: Answer<'GET /runs/{run}'>['progress'];
  readonly run: string;
  readonly desk: string;
}): JSX.Element {
  const linkOf = (address: string): string => stepPath(run, desk, address);
  const shown = graph.nodes.length;
  const note = shown < total ? { note: `${from + 1} to ${from + shown} of ${total}` } : {};
  const between = (part: JSX.Element): JSX.Element => (
    <>
      {earlier !== undefined && (
        <More text={earlierText(from, 'step')} query={{ from: String(earlier) }} />
      )}
      {part}
      {later !== undefined && (
        <More text={moreText(total - later, 'step')} query={{ from: String(later) }} />
      )}
    </>
  );
  return (
    <div class="progress">
      <Panel id="graph" title="Steps" {...note}>
        {between(<StepGraph graph={graph} linkOf={linkOf} />)}
      </Panel>
      <Panel id="time" title="Time line" {...note}>
        {between(<Timeline time={timeline} linkOf={linkOf} />)}
      </Panel>
    </div>
  );
}
