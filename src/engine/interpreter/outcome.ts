/** Outcomes of items and steps, and which of several decides. */
import { exits, type ExitCode } from '../../base/error.ts';
import { doubtText } from '../journal/doubt.ts';
import type { Outcome, PersonsWord, StepStatus } from '../journal/entry.ts';
import { decidedWords } from '../plan/decided.ts';
import type { FailedMember } from '../plan/failed-items.ts';
import type { Item } from '../plan/items.ts';
import type { ItemResult as ItemValue } from '../plan/result-value.ts';
export { failureOf } from '../plan/read-failure.ts';
import type { Scope } from '../../language/expression/value.ts';

/** Why a run stops, for people, for `on-failure` and for the exit code. */
export interface Failure {
  readonly step: string;
  readonly address: string;
  readonly status: Exclude<StepStatus, 'done' | 'skipped'>;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly exit: ExitCode;
}

/** The result of one item: the response, and its outputs for later steps. */
export interface ItemResult extends ItemValue {
  /** The item, if only its position identifies it. */
  readonly item?: Item;
  readonly because?: string;
  readonly failure?: Failure;
  readonly abandoned?: Abandoned;
}

/** A person abandoned an action: steps that need it are not executed. */
export interface Abandoned {
  readonly because: string;
  readonly person: PersonsWord;
}

export interface StepResult {
  /** The required step that was not done: steps that need this one are not executed either. */
  readonly missing?: string;
  readonly status: StepStatus;
  readonly because?: string;
  readonly hint?: string;
  readonly items: readonly ItemResult[];
  /** The items without a result, of a step with `on-error: partial`. */
  readonly failed?: readonly FailedMember[];
  readonly failure?: Failure;
  readonly abandoned?: Abandoned;
}

/** The end of a walk and the resulting scope. */
export interface Walked {
  readonly scope: Scope;
  readonly failure?: Failure;
  readonly abandoned?: Abandoned;
  readonly isInterrupted: boolean;
  /** The results of the steps that ended, by id; without those of `on-failure` and `finally`. */
  readonly results: ReadonlyMap<string, StepResult>;
}

export function skippedItem(because: string, key?: string): ItemResult {
  return { status: 'skipped', because, response: null, outputs: null, ...(key && { key }) };
}

/** The action that a person abandoned, if that is the outcome. */
export function abandonedIn(outcome: Outcome | undefined): Abandoned | undefined {
  if (outcome?.kind !== 'skipped' || outcome.person === undefined) return undefined;
  const { because, person } = outcome;
  return { because, person };
}

/** An outcome other than `done` or `skipped`, as a failure; that of a nested step has its address. */
export function failureFrom(step: string, address: string, outcome: Outcome): Failure | undefined {
  if (outcome.kind === 'done' || outcome.kind === 'skipped') return undefined;
  const [status, code, message, exit] =
    outcome.kind === 'doubt'
      ? (['doubt', 'in-doubt', doubtText(outcome), exits.inDoubt] as const)
      : ([outcome.kind, outcome.code, outcome.message, outcome.exit] as const);
  const hint = outcome.kind === 'doubt' ? undefined : outcome.hint;
  const said = { status, code, exit, ...(hint !== undefined && { hint }) };
  const within = outcome.at;
  return within === undefined
    ? { step, address, ...said, message }
    : { ...within, ...said, message: message.slice(within.address.length + 2) };
}

/** The failure of a step or a playbook with steps that were left out because the run continued. */
export function leftOver(step: string): Failure {
  const message = `${decidedWords}: the rest of it is not done`;
  const hint = 'start a new run for the rest';
  return {
    step,
    address: step,
    status: 'failed',
    code: 'decided',
    message,
    hint,
    exit: exits.stopped,
  };
}

/** The deciding failure of several items: a doubt takes precedence. */
export function gravest(failures: readonly Failure[]): Failure | undefined {
  return failures.find(({ status }) => status === 'doubt') ?? failures[0];
}
