/** A run in progress or at its end: its steps and items with their states now. */
import { plainText, spoken } from '../../../base/text.ts';
import type { Address } from '../../../engine/journal/entry.ts';
import { recordedDoubts } from '../../../report/answers.ts';
import type { ItemLine, StepLine } from '../../../report/step-lines.ts';
import type { ActionStory, StepStory, Story } from '../../../report/story.ts';
import type { Summary } from '../../../report/summary.ts';
import type { Structure, Structures } from './structures.ts';

/** A state of a step or an item; `running` only while a process executes the run. */
export type LiveState = StepLine['status'] | ItemLine['state'] | 'running';

/** What answers about the steps of a run are made from. */
export interface Reading {
  readonly story: Story;
  readonly summary: Summary;
  readonly isRunning: boolean;
  readonly structures: Structures;
}

export interface LiveItem {
  readonly action: ActionStory;
  readonly line: ItemLine;
  readonly state: LiveState;
}

/** The state of a step. */
export function stateOfStep(line: StepLine | undefined, { isRunning }: Reading): LiveState {
  const { status = 'not-sent' } = line ?? {};
  return status === 'open' && isRunning ? 'running' : status;
}

/** The items of a for-each, in the order of the playbook. */
export function itemsOf(step: StepStory, line: StepLine, reading: Reading): readonly LiveItem[] {
  const { story, isRunning } = reading;
  const recorded = recordedDoubts(story);
  const begun = new Set(story.steps.flatMap(({ parent }) => parent ?? []));
  return step.actions.flatMap((action, at) => {
    const own = line.items[at];
    if (own === undefined) return [];
    // A write without a response is not in doubt while its process may still hear it.
    const isSent = own.state === 'doubt' && !recorded.has(own.address);
    const isOpen =
      own.state === 'not-sent' &&
      action.outcome === undefined &&
      (action.isOpen || action.begunAt !== undefined || begun.has(action.address));
    const state = isRunning && (isSent || isOpen) ? 'running' : own.state;
    return [{ action, line: own, state }];
  });
}

/** The lines of the steps, by their ids in the journal. */
export function linesOf({ story, summary }: Reading): ReadonlyMap<string, StepLine> {
  return new Map(
    story.steps.flatMap((step, at) => {
      const line = summary.steps[at];
      return line === undefined ? [] : [[step.id, line]];
    }),
  );
}

/** The id of a step in its own playbook. */
export function ownId({ id, parent }: Pick<StepStory, 'id' | 'parent'>): string {
  return parent === undefined ? id : id.slice(parent.length + 1);
}

/**
 * The actions around an action whose nested playbook is shown, outermost first, itself last.
 * @returns undefined unless the run has the action
 */
export function actionsAround(
  scope: Address,
  { story }: Reading,
): readonly { readonly step: StepStory; readonly address: Address }[] | undefined {
  const owners = new Map(
    story.steps.flatMap((step) => step.actions.map(({ address }) => [address, step] as const)),
  );
  const around: { readonly step: StepStory; readonly address: Address }[] = [];
  for (let address: Address | undefined = scope; address !== undefined;) {
    const step: StepStory | undefined = owners.get(address);
    if (step === undefined) return undefined;
    around.unshift({ step, address });
    address = step.parent;
  }
  return around;
}

/** The structure of the run's playbook, or of that which an action runs. */
export function structureIn(scope: Address | undefined, reading: Reading): Structure | undefined {
  const around = scope === undefined ? [] : actionsAround(scope, reading);
  if (around === undefined) return undefined;
  const ids = around.map(({ step }) => ownId(step));
  return reading.structures.of(reading.story.started, ids);
}

/** The name of an action among those of its step: its key, or the name of its step. */
export function shortName(step: StepStory, { key }: Pick<ActionStory, 'key'>): string {
  return plainText(key ?? ownId(step), 80);
}

/** The duration of a step or an item, when it has ended: that of one in progress is not known. */
export function tookWords(line: Pick<StepLine, 'ms'> | undefined, state: LiveState): string {
  return line === undefined || line.ms === 0 || state === 'running' ? '' : spoken(line.ms);
}
