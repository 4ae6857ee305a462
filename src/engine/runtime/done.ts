/** The outcome of a task of the engine itself. */
import type { Json } from '../../base/json.ts';
import type { Outcome } from '../journal/entry.ts';

export function done(output: Json): Outcome {
  return { kind: 'done', output, evidence: 'answered' };
}
