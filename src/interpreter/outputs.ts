/** Computes a playbook's outputs. */
import { DeskhandError } from '../base/error.ts';
import type { Json } from '../base/json.ts';
import { evaluateTemplate } from '../playbook/expression/evaluate.ts';
import { toJson, type Scope } from '../playbook/expression/value.ts';
import type { Playbook } from '../playbook/playbook.ts';

/**
 * Outputs of the playbook; one that depends on a skipped step is null instead of a late failure.
 */
export function outputsOf(playbook: Playbook, scope: Scope): Json {
  return Object.fromEntries(
    [...playbook.outputs].map(([name, template]) => [name, valueOrNull(template, scope)]),
  );
}

function valueOrNull(template: Parameters<typeof evaluateTemplate>[0], scope: Scope): Json {
  try {
    const found = evaluateTemplate(template, scope);
    return found.known ? toJson(found.value) : null;
  } catch (error) {
    if (error instanceof DeskhandError) return null;
    throw error;
  }
}
