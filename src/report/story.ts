/** A journal grouped by step and action for readers. */
import type { Millis } from '../base/clock.ts';
import { InternalError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { OperationName } from '../exchange/api/operations/index.ts';
import type { Address, Entry, Event, Outcome, StepStatus } from '../engine/journal/entry.ts';
import { visibilitiesIn, type Visibilities } from '../engine/journal/visibility.ts';
import { isOverIn } from '../engine/journal/finality.ts';
import { setAsideIn, type SetAsideWord } from '../engine/journal/unfinished.ts';
import type { OnAccount } from './accounts.ts';
import { attemptsIn, changesAfter } from './attempts.ts';
import { ActionAccounts } from './action-accounts.ts';
import { stepOf } from './step-of.ts';

type EntryOf<K extends Event['kind']> = Extract<Entry, { readonly kind: K }>;

/** One action: the only action of a step, or one item of a for-each. */
export interface ActionStory {
  readonly address: Address;
  readonly key?: string;
  /** Profile of the action's account, in a run with several accounts. */
  readonly account?: string;
  readonly operation?: OperationName;
  /** The input that was sent; absent if nothing was sent. */
  readonly input?: Json;
  readonly intents: readonly EntryOf<'intended'>[];
  readonly answers: readonly EntryOf<'answered'>[];
  readonly waits: readonly EntryOf<'waited'>[];
  /** The final outcome of the action. */
  readonly outcome?: Outcome;
  readonly settledAt?: Millis;
  /** Whether something was sent after the last outcome, or without any outcome. */
  readonly isOpen: boolean;
}

export interface StepStory {
  readonly id: string;
  readonly uses: string;
  readonly name?: string;
  readonly line?: number;
  /** The accounts of the step's planned actions, in a run with several. */
  readonly accounts?: readonly string[];
  /** Number of the step, from 1, in the order of the run; absent for steps of `on-failure` and `finally`. */
  readonly number?: number;
  readonly isOpened: boolean;
  readonly status?: StepStatus;
  readonly because?: string;
  readonly hint?: string;
  /** The step that this one needs, if it was not completed. */
  readonly missing?: string;
  /** Whether the step failed and the run continued. */
  readonly continues: boolean;
  /** The earlier run that did the step: it was not executed in this one. */
  readonly reused?: string;
  readonly actions: readonly ActionStory[];
  readonly isForEach: boolean;
  readonly files: readonly (EntryOf<'wrote'> & OnAccount)[];
  readonly unmet: readonly (EntryOf<'unmet'> & OnAccount)[];
}

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
  for (const entry of entries) {
    accounts.add(entry);
    place(steps, entry);
  }
  if (started.imported !== undefined) {
    for (const { actions } of steps.values()) {
      for (const action of actions.values()) action.intents.length = 0; // the run sent nothing
    }
  }
  const finished = entries.findLast((entry) => entry.kind === 'finished');
  const setAside = setAsideIn(entries);
  const isEnded = finished !== undefined && !entries.some(changesAfter(finished.seq));
  return {
    started,
    ...(isEnded && { finished }),
    steps: [...steps.values()].map((step) => onTheirAccounts(step, accounts)),
    attempts: attemptsIn(entries),
    visibilities: visibilitiesIn(entries),
    head: entries.at(-1)?.seq ?? 0,
    isOver: isOverIn(started, entries),
    ...(setAside && { setAside }),
  };
}

/** The step with the accounts of its actions, files and failed expectations, in a run with several. */
function onTheirAccounts(step: StepDraft, accounts: ActionAccounts): StepStory {
  const named = <T extends { readonly account?: string }>(
    line: T,
    account: string | undefined,
  ): T => (account === undefined ? line : { ...line, account });
  return {
    ...step,
    actions: [...step.actions.values()].map((each) => named(each, accounts.of(each.address))),
    files: step.files.map((each) => named(each, accounts.named(each))),
    unmet: step.unmet.map((each) => named(each, accounts.named(each))),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type ActionDraft = Omit<Mutable<ActionStory>, 'intents' | 'answers' | 'waits'> & {
  readonly intents: EntryOf<'intended'>[];
  readonly answers: EntryOf<'answered'>[];
  readonly waits: EntryOf<'waited'>[];
};
type StepDraft = Omit<Mutable<StepStory>, 'actions' | 'files' | 'unmet'> & {
  readonly actions: Map<Address, ActionDraft>;
  readonly files: (EntryOf<'wrote'> & OnAccount)[];
  readonly unmet: (EntryOf<'unmet'> & OnAccount)[];
};

function emptyStep(id: string): StepDraft {
  return {
    id,
    uses: '',
    isOpened: false,
    isForEach: false,
    continues: false,
    actions: new Map(),
    files: [],
    unmet: [],
  };
}

function place(steps: Map<string, StepDraft>, entry: Entry): void {
  switch (entry.kind) {
    case 'started':
    case 'resumed':
    case 'taken-over':
    case 'visibility':
    case 'clock-outlier':
    case 'clock':
    case 'signalled':
    case 'finished':
    case 'reading':
    case 'paged':
    case 'document':
      return;
    case 'opened':
      continueAfterFailed(steps, entry.step);
      return open(stepIn(steps, entry.step), entry);
    case 'closed': {
      const step = stepIn(steps, entry.step);
      step.status = entry.status;
      step.continues = entry.continues === true;
      delete step.because;
      delete step.hint;
      delete step.missing;
      if (entry.because !== undefined) step.because = entry.because;
      if (entry.hint !== undefined) step.hint = entry.hint;
      if (entry.missing !== undefined) step.missing = entry.missing;
      if (entry.reused !== undefined) step.reused = entry.reused;
      return;
    }
    case 'wrote': {
      const { files } = stepIn(steps, entry.step);
      const earlier = files.findIndex(({ file }) => file === entry.file);
      files.splice(earlier === -1 ? files.length : earlier, 1, entry);
      return;
    }
    case 'unmet':
      stepIn(
        steps,
        stepOf(entry.address, (id) => steps.has(id)),
      ).unmet.push(entry);
      return;
    case 'intended':
    case 'settled':
    case 'waited':
    case 'answered':
      return addAction(
        actionIn(
          stepIn(
            steps,
            stepOf(entry.address, (id) => steps.has(id)),
          ),
          entry.address,
        ),
        entry,
      );
  }
}

/**
 * Marks failed steps after which a run continued. Older journals do not record that: a step that started
 * after a failed one shows it.
 */
function continueAfterFailed(steps: ReadonlyMap<string, StepDraft>, id: string): void {
  if (steps.get(id)?.number === undefined) return; // on-failure and finally run after every end
  for (const step of steps.values()) {
    const isFailed = step.status === 'refused' || step.status === 'failed';
    if (isFailed && step.number !== undefined) step.continues = true;
  }
}

/** Opens a step. A resumed run opens its steps again: earlier results no longer apply. */
function open(step: StepDraft, entry: EntryOf<'opened'>): void {
  step.isOpened = true;
  if (step.uses === '' && entry.uses !== undefined) step.uses = entry.uses;
  step.isForEach = entry.items !== undefined;
  step.continues = false;
  delete step.status;
  delete step.because;
  delete step.hint;
  delete step.missing;
  step.unmet.length = 0;
  if (entry.items === undefined) actionIn(step, step.id);
  for (const key of entry.items ?? []) actionIn(step, `${step.id}[${key}]`);
}

function addAction(
  action: ActionDraft,
  entry: EntryOf<'intended' | 'settled' | 'waited' | 'answered'>,
): void {
  switch (entry.kind) {
    case 'intended':
      action.intents.push(entry);
      action.operation = entry.operation;
      action.input = entry.input;
      action.isOpen = true;
      return;
    case 'settled':
      action.outcome = entry.outcome;
      action.settledAt = entry.at;
      action.isOpen = false;
      return;
    case 'waited':
      // The lookup after an order is done is not part of its duration.
      if (action.outcome?.kind !== 'done') action.waits.push(entry);
      return;
    case 'answered':
      action.operation ??= entry.operation;
      action.answers.push(entry);
      return;
  }
}

function stepIn(steps: Map<string, StepDraft>, id: string): StepDraft {
  let step = steps.get(id);
  if (step === undefined) steps.set(id, (step = emptyStep(id)));
  return step;
}

function actionIn(step: StepDraft, address: Address): ActionDraft {
  let action = step.actions.get(address);
  if (action === undefined) {
    const key = address === step.id ? undefined : address.slice(step.id.length + 1, -1);
    action = { address, ...(key !== undefined && { key }), isOpen: false, ...noEvents() };
    step.actions.set(address, action);
  }
  return action;
}

function noEvents(): Pick<ActionDraft, 'intents' | 'answers' | 'waits'> {
  return { intents: [], answers: [], waits: [] };
}
