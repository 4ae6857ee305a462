/** Inputs of a run: what was given, what defaults say, and everything wrong with them at once. */
import { InternalError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import type { Moment, Value } from './expression/value.ts';
import type { Playbook } from './playbook.ts';

export interface InputIssue {
  /** The input's name as given or declared. */
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
}

export interface ResolvedInputs {
  readonly inputs: Readonly<Record<string, Value>>;
  readonly problems: readonly InputIssue[];
}

/**
 * Texts (from `--var` or the environment) are read by the declared type; JSON is checked.
 * @param options.time the frozen time of the run, for defaults such as `{{ daysAgo 7 }}`
 */
export function resolveInputs(
  _playbook: Playbook,
  _given: ReadonlyMap<string, string | Json>,
  _options: { readonly time?: Moment } = {},
): ResolvedInputs {
  throw new InternalError('not written yet');
}
