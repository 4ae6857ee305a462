/** Accounts of a run: its own, and those of other profiles that single steps name. */
import type { Exchange } from '../../exchange/api/exchange.ts';
import type { TermsOf } from '../../exchange/api/terms.ts';
import type { Destination } from '../journal/entry.ts';
import type { Ledger } from '../journal/ledger.ts';
import { evaluateTemplate } from '../../language/expression/evaluate.ts';
import { EvaluationError } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import type { GuardRules } from '../../language/limits.ts';
import type { Item } from './items.ts';

/** A second profile, on the same exchange as the run's. */
export interface Account {
  readonly exchange: Exchange;
  readonly destination: Destination;
  /** Trading rules that orders are checked against; absent if not known. */
  readonly terms?: TermsOf;
  /** The limits of the account's profile: they count its writes, in addition to the limits of the run. */
  readonly guards: GuardRules;
  /** The treatment of an order in doubt that cannot be found. */
  readonly onDoubt: 'ask' | 'resend';
  /** The writes of earlier runs on the account; default: those of the run's own account. */
  readonly ledger?: Ledger;
}

/** Opens a profile, once. @throws ConfigError when it is unknown, or on another exchange */
export type OpenAccount = (profile: string) => Promise<Account>;

/**
 * The profile of an item; undefined for the run's own.
 * @throws EvaluationError when it is not a name, or known only after a step
 */
export function profileOf(step: Step, item: Item): string | undefined {
  if (step.account === undefined) return undefined;
  const found = evaluateTemplate(step.account, item.scope);
  if (found.known && typeof found.value === 'string' && found.value !== '') return found.value;
  const why = found.known ? 'is not text' : `is known only after ${found.after}`;
  throw new EvaluationError(`${item.address}: account ${why}`, 'name a profile of deskhand.yaml');
}
