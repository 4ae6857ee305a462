/** Computes a playbook's outputs. */
import type { Json } from '../../base/json.ts';
import { outputsIn } from '../plan/step-value.ts';
import { toJson, Unknown, type Scope } from '../../language/expression/value.ts';
import type { Playbook } from '../../language/playbook.ts';

/**
 * The outputs of a playbook; an output that depends on a skipped step is null instead of a late failure.
 */
export function outputsOf(playbook: Playbook, scope: Scope): Json {
  return Object.fromEntries(
    Object.entries(outputsIn(playbook, scope)).map(([name, value]) => [
      name,
      value instanceof Unknown ? null : toJson(value),
    ]),
  );
}
