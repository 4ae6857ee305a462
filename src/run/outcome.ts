/** How items and steps ended, and which of several endings decides. */
import { exits, type ExitCode } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Outcome, PersonsWord, StepStatus } from '../journal/entry.ts';
import type { Scope } from '../playbook/expression/value.ts';

/** Why a run stops, in words for people, for `on-failure` and for the exit code. */
export interface Failure {
  readonly step: string;
  readonly address: string;
  readonly status: Exclude<StepStatus, 'done' | 'skipped'>;
  readonly code: string;
  readonly message: string;
  readonly exit: ExitCode;
}

/** One item's end: what the exchange answered, and what of it later steps may use. */
export interface ItemResult {
  readonly key?: string;
  readonly status: StepStatus;
  readonly because?: string;
  readonly response: Json;
  readonly outputs: Json;
  readonly file?: string;
  readonly rows?: number;
  readonly failure?: Failure;
  readonly abandoned?: Abandoned;
}

/** A person left an action undone: what rests on it is not done either. */
export interface Abandoned {
  readonly because: string;
  readonly person: PersonsWord;
}

export interface StepResult {
  /** Not done because a step it needs was not: those that need it are not done either. */
  readonly isLeftOut?: true;
  readonly status: StepStatus;
  readonly because?: string;
  readonly items: readonly ItemResult[];
  readonly failure?: Failure;
  readonly abandoned?: Abandoned;
}

/** How far a walk came, and what it left in the scope. */
export interface Walked {
  readonly scope: Scope;
  readonly failure?: Failure;
  readonly abandoned?: Abandoned;
  readonly isInterrupted: boolean;
}

export function skippedItem(because: string, key?: string): ItemResult {
  return { status: 'skipped', because, response: null, outputs: null, ...(key && { key }) };
}

/** What a person left undone, when that is how it ended. */
export function abandonedIn(outcome: Outcome | undefined): Abandoned | undefined {
  if (outcome?.kind !== 'skipped' || outcome.person === undefined) return undefined;
  const { because, person } = outcome;
  return { because, person };
}

/** An outcome that is not `done` or `skipped`, as a failure. */
export function failureFrom(step: string, address: string, outcome: Outcome): Failure | undefined {
  switch (outcome.kind) {
    case 'done':
    case 'skipped':
      return undefined;
    case 'refused':
    case 'failed': {
      const { kind, code, message, exit } = outcome;
      return { step, address, status: kind, code, message, exit };
    }
    case 'doubt':
      return {
        step,
        address,
        status: 'doubt',
        code: 'in-doubt',
        message: outcome.because,
        exit: exits.inDoubt,
      };
  }
}

/** The failure that decides when several items failed: a doubt outweighs everything. */
export function gravest(failures: readonly Failure[]): Failure | undefined {
  return failures.find(({ status }) => status === 'doubt') ?? failures[0];
}
