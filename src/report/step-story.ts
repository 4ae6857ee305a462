/** The steps of a run and their actions, made from the entries of its journal one after another. */
import type { Millis } from '../base/clock.ts';
import type { Json } from '../base/json.ts';
import type { OperationName } from '../exchange/api/operations/index.ts';
import type { Address, Entry, Event, Outcome, StepStatus } from '../engine/journal/entry.ts';
import type { OnAccount } from './accounts.ts';
import type { Nesting } from './nesting.ts';
import { stepOf } from './step-of.ts';

export type EntryOf<K extends Event['kind']> = Extract<Entry, { readonly kind: K }>;

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
  /** The question that people were asked. */
  readonly asked?: EntryOf<'asked'>;
  /** The final outcome of the action. */
  readonly outcome?: Outcome;
  readonly settledAt?: Millis;
  /** The time when the action began to wait, for a time or for people. */
  readonly begunAt?: Millis;
  /** Whether something was sent after the last outcome, or without any outcome. */
  readonly isOpen: boolean;
}

export interface StepStory extends Nesting {
  readonly id: string;
  readonly uses: string;
  readonly name?: string;
  readonly line?: number;
  /** The accounts of the step's planned actions, in a run with several. */
  readonly accounts?: readonly string[];
  /** Number of the step, from 1, in the order of the run; absent for steps of `on-failure` and `finally`. */
  readonly number?: number;
  readonly isOpened: boolean;
  /**
   * The time when the step was opened first; a resume that opens a done step again does not change
   * it.
   */
  readonly openedAt?: Millis;
  /** The time when the step was closed last. */
  readonly closedAt?: Millis;
  readonly status?: StepStatus;
  /** Whether the step ended in doubt, and its doubts were settled since: a resume closes it. */
  readonly isSettled: boolean;
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

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type ActionDraft = Omit<Mutable<ActionStory>, 'intents' | 'answers' | 'waits'> & {
  readonly intents: EntryOf<'intended'>[];
  readonly answers: EntryOf<'answered'>[];
  readonly waits: EntryOf<'waited'>[];
};
export type StepDraft = Omit<Mutable<StepStory>, keyof Nesting | 'actions' | 'files' | 'unmet'> & {
  readonly actions: Map<Address, ActionDraft>;
  /** Whether the step was closed as done before: a resume that opens it again sends nothing. */
  isDone: boolean;
  readonly files: (EntryOf<'wrote'> & OnAccount)[];
  readonly unmet: (EntryOf<'unmet'> & OnAccount)[];
};

export function emptyStep(id: string): StepDraft {
  return {
    id,
    uses: '',
    isOpened: false,
    isDone: false,
    isSettled: false,
    isForEach: false,
    continues: false,
    actions: new Map(),
    files: [],
    unmet: [],
  };
}

/** The steps of a journal that is read. */
export interface StepDrafts {
  readonly byId: Map<string, StepDraft>;
  /** Steps that failed, while no step started after them: a run of thousands of steps does not look at all. */
  readonly failed: Set<StepDraft>;
}

/** Adds an entry to the step that it is about. */
export function place({ byId: steps, failed }: StepDrafts, entry: Entry): void {
  switch (entry.kind) {
    case 'started':
    case 'resumed':
    case 'taken-over':
    case 'visibility':
    case 'clock-outlier':
    case 'signalled':
    case 'finished':
    case 'reading':
    case 'paged':
    case 'document':
      return;
    case 'opened':
      continueAfterFailed({ byId: steps, failed }, entry.step);
      failed.delete(stepIn(steps, entry.step));
      return open(stepIn(steps, entry.step), entry);
    case 'closed': {
      const step = stepIn(steps, entry.step);
      if (entry.status === 'refused' || entry.status === 'failed') failed.add(step);
      else failed.delete(step);
      if (!step.isDone) step.closedAt = entry.at;
      step.isDone = entry.status === 'done';
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
    case 'clock': {
      const step = steps.get(stepOf(entry.address, (id) => steps.has(id)));
      const action = step?.actions.get(entry.address);
      if (action !== undefined) action.begunAt ??= entry.at;
      return;
    }
    case 'unmet':
      stepAt(steps, entry.address).unmet.push(entry);
      return;
    case 'intended':
    case 'settled':
    case 'waited':
    case 'answered':
    case 'asked':
      return addAction(actionIn(stepAt(steps, entry.address), entry.address), entry);
  }
}

/**
 * Marks failed steps after which a run continued. Older journals do not record that: a step that started
 * after a failed one shows it.
 */
function continueAfterFailed({ byId, failed }: StepDrafts, id: string): void {
  if (byId.get(id)?.number === undefined) return; // on-failure and finally run after every end
  for (const step of failed) if (step.number !== undefined) step.continues = true;
  failed.clear();
}

/** Opens a step. A resumed run opens its steps again: earlier results no longer apply. */
function open(step: StepDraft, entry: EntryOf<'opened'>): void {
  step.isOpened = true;
  step.openedAt ??= entry.at;
  if (!step.isDone) delete step.closedAt;
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
  entry: EntryOf<'intended' | 'settled' | 'waited' | 'answered' | 'asked'>,
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
    case 'asked':
      action.asked = entry;
      action.begunAt ??= entry.at;
      return;
    case 'answered':
      action.operation ??= entry.operation;
      action.answers.push(entry);
      return;
  }
}

function stepAt(steps: Map<string, StepDraft>, address: Address): StepDraft {
  return stepIn(
    steps,
    stepOf(address, (id) => steps.has(id)),
  );
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
    const none = { isOpen: false, intents: [], answers: [], waits: [] };
    action = { address, ...(key !== undefined && { key }), ...none };
    step.actions.set(address, action);
  }
  return action;
}
