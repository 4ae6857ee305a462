/** How one action of a run ended. */
import type { ExitCode } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Address } from './entry.ts';

/** How the exchange's word on a write was obtained. */
export type Evidence = 'answered' | 'looked-up' | 'from-ledger' | 'from-plan' | 'by-person';

/** Whose word settles what the exchange's could not; when is the entry's own time. */
export interface PersonsWord {
  /** Their name on this machine. */
  readonly who: string;
  readonly comment?: string;
  /** Signed statement, if the exchange cannot prove it. */
  readonly statement?: SignedStatement;
}

/** A text and its SSH signature: whoever has the public key can check it. */
export interface SignedStatement {
  readonly body: string;
  readonly signature: string;
  /** Fingerprint of the key. */
  readonly key: string;
}

/** The step within, when a playbook that a step uses ended as one of its steps did. */
export interface Within {
  readonly step: string;
  readonly address: Address;
}

/** How one action ended; JSON. */
export type Outcome =
  | {
      readonly kind: 'done';
      readonly output: Json;
      readonly evidence: Evidence;
      readonly person?: PersonsWord;
    }
  /** With a person it may or may not have happened, and is abandoned here. */
  | { readonly kind: 'skipped'; readonly because: string; readonly person?: PersonsWord }
  /** The exchange refused it; nothing was executed. */
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      readonly exit: ExitCode;
      readonly at?: Within;
    }
  /** It failed here, with proof that nothing was executed; with a person it may be sent again. */
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
      readonly exit: ExitCode;
      readonly person?: PersonsWord;
      readonly at?: Within;
    }
  /** It may or may not have happened. */
  | { readonly kind: 'doubt'; readonly because: string; readonly at?: Within };
