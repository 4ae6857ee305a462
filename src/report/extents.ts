/** The time range of each step and action: of its requests, of the playbook that it runs, or of what it does here. */
import { appendTo } from '../base/groups.ts';
import type { Address } from '../engine/journal/entry.ts';
import type { ActionStory, StepStory, Story } from './story.ts';
import { elapsedOf, extentOf, type Extent } from './timing.ts';

export interface Extents {
  /** Undefined if the step was not opened. */
  readonly step: (step: StepStory) => Extent | undefined;
  /** Undefined if nothing of the action is recorded but its outcome. */
  readonly action: (action: ActionStory, step: StepStory) => Extent | undefined;
  /** The steps of the nested playbook that an action runs. */
  readonly below: (action: ActionStory) => readonly StepStory[];
}

/** The time ranges of a story, without the pauses between its attempts. */
export function extentsOf(story: Story): Extents {
  const elapsed = elapsedOf(story);
  const nested = new Map<Address, StepStory[]>();
  for (const step of story.steps) {
    if (step.parent !== undefined) appendTo(nested, step.parent, step);
  }
  const below = ({ address }: ActionStory): readonly StepStory[] => nested.get(address) ?? [];
  const ofStep = (step: StepStory): Extent | undefined => {
    const { actions, openedAt, closedAt = Infinity } = step;
    if (actions.some(isSent)) return extentOf(actions, elapsed);
    if (openedAt === undefined) return undefined;
    return { from: elapsed(openedAt), to: elapsed(closedAt) };
  };
  const ofAction = (action: ActionStory, step: StepStory): Extent | undefined => {
    if (isSent(action)) return extentOf([action], elapsed);
    if (!step.isForEach) return ofStep(step);
    const parts = below(action).flatMap((each) => ofStep(each) ?? []);
    const { begunAt, settledAt = Infinity } = action;
    const starts = [...parts.map(({ from }) => from), ...(begunAt ? [elapsed(begunAt)] : [])];
    if (starts.length === 0) return undefined;
    return { from: Math.min(...starts), to: elapsed(settledAt) };
  };
  return { step: ofStep, action: ofAction, below };
}

/** The length of a time range; 0 if nothing is recorded. */
export function lengthOf(extent: Extent | undefined): number {
  return extent === undefined ? 0 : extent.to - extent.from;
}

function isSent({ intents, answers, waits }: ActionStory): boolean {
  return intents.length + answers.length + waits.length > 0;
}
