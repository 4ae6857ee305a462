/** A journal grouped by step and action for readers. */
import type { Millis } from '../base/clock.ts';
import { InternalError } from '../base/error.ts';
import type { Entry } from '../engine/journal/entry.ts';
import { visibilitiesIn, type Visibilities } from '../engine/journal/visibility.ts';
import { isOverIn } from '../engine/journal/finality.ts';
import { setAsideIn, type SetAsideWord } from '../engine/journal/unfinished.ts';
import { attemptsIn, changesAfter } from './attempts.ts';
import { ActionAccounts } from './action-accounts.ts';
import { forgetSettled, inTree, type Nesting } from './nesting.ts';
import { emptyStep, place, type EntryOf, type StepDraft, type StepStory } from './step-story.ts';

export type { ActionStory, StepStory } from './step-story.ts';

export interface Story {
  readonly started: EntryOf<'started'>;
  readonly finished?: EntryOf<'finished'>;
  readonly steps: readonly StepStory[];
  /** Start and end of each attempt: one, and one more for every resume. */
  readonly attempts: readonly { readonly from: Millis; readonly to: Millis }[];
  /** Order visibility of the run's accounts. */
  readonly visibilities: Visibilities;
  /** Number of the last entry. */
  readonly head: number;
  /** Whether failures of the run are final, because it continued from them: a resume retries nothing. */
  readonly isOver: boolean;
  /** Whether its doubts were settled after it ended, and it was not resumed since. */
  readonly isSettled: boolean;
  /** The last record of a command on the run, also after its end. */
  readonly until: Millis;
  /** A person's statement that the run is not continued. */
  readonly setAside?: SetAsideWord;
}

/**
 * Groups a journal.
 * @param entries a whole journal, in order
 * @throws InternalError when it does not start with the start of a run
 */
export function storyOf(entries: readonly Entry[]): Story {
  const [started] = entries;
  if (started?.kind !== 'started') throw new InternalError('a journal starts with `started`');
  const steps = new Map<string, StepDraft>();
  for (const [index, step] of started.steps.entries()) {
    steps.set(step.id, { ...emptyStep(step.id), ...step, number: index + 1 });
  }
  const accounts = new ActionAccounts();
  const failed = new Set<StepDraft>();
  for (const entry of entries) {
    accounts.add(entry);
    place({ byId: steps, failed }, entry);
  }
  if (started.imported !== undefined) {
    for (const { actions } of steps.values()) {
      for (const action of actions.values()) action.intents.length = 0; // the run sent nothing
    }
  }
  forgetSettled(steps.values());
  const finished = entries.findLast((entry) => entry.kind === 'finished');
  const setAside = setAsideIn(entries);
  const isEnded = finished !== undefined && !entries.some(changesAfter(finished.seq));
  return {
    started,
    ...(isEnded && { finished }),
    steps: inTree([...steps.values()].map((step) => onTheirAccounts(step, accounts))),
    attempts: attemptsIn(entries),
    visibilities: visibilitiesIn(entries),
    head: entries.at(-1)?.seq ?? 0,
    isOver: isOverIn(started, entries),
    isSettled: finished?.status === 'doubt' && !isEnded && entries.at(-1)?.kind === 'settled',
    until: entries.reduce((last, { at }) => Math.max(last, at), started.at),
    ...(setAside && { setAside }),
  };
}

/** The step with the accounts of its actions, files and failed expectations, in a run with several. */
function onTheirAccounts(
  step: StepDraft,
  accounts: ActionAccounts,
): Omit<StepStory, keyof Nesting> {
  const named = <T extends { readonly account?: string }>(
    line: T,
    account: string | undefined,
  ): T => (account === undefined ? line : { ...line, account });
  const { isDone: _isDone, ...rest } = step;
  return {
    ...rest,
    actions: [...step.actions.values()].map((each) => named(each, accounts.of(each.address))),
    files: step.files.map((each) => named(each, accounts.named(each))),
    unmet: step.unmet.map((each) => named(each, accounts.named(each))),
  };
}
