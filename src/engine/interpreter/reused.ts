/** The steps of a playbook that an earlier run did: they end at once, with its results. */
import type { Scope } from '../../language/expression/value.ts';
import { reusedWords } from '../plan/reused-step.ts';
import type { InterpreterContext } from './interpreter-context.ts';
import type { StepResult } from './outcome.ts';
import { withStep } from './scope.ts';

/** Closes each reused step in the journal. @returns the scope with their values, and their results by id */
export function afterReused(
  start: Scope,
  { playbook, reused, durable }: InterpreterContext,
): { readonly scope: Scope; readonly results: Map<string, StepResult> } {
  const results = new Map<string, StepResult>();
  let scope = start;
  for (const step of playbook.steps) {
    const found = reused.get(step.path);
    if (found === undefined) continue;
    const { run, status, results: items } = found;
    const because = reusedWords(found);
    durable.emit({ kind: 'closed', step: step.path, status, because, reused: run });
    const result = { status, items };
    results.set(step.id, result);
    scope = withStep(scope, step, result);
  }
  return { scope, results };
}
