/** Responses without their rows: a long record keeps the digest and the counts of what nothing uses. */
import { canonicalJson, isJsonRecord, isRecord, sha256, type Json } from '../../base/json.ts';
import type { Outcome } from '../journal/entry.ts';

/** The length of a response that is recorded whole in any case, in characters. */
const short = 4_096;

/** A done read with the counts and the digest of its response; another outcome is returned unchanged. */
export function withoutRows(outcome: Outcome): Outcome {
  if (outcome.kind !== 'done') return outcome;
  const text = canonicalJson(outcome.output);
  if (text.length <= short) return outcome;
  const omitted = { characters: text.length, digest: sha256(text), rows: countsIn(outcome.output) };
  return { ...outcome, output: { omitted } };
}

/** Whether a recorded response is one that was shortened. */
export function isShortened(output: Json): boolean {
  return isRecord(output) && isRecord(output['omitted']) && 'digest' in output['omitted'];
}

/** The number of rows of each list of a response, by its field; '' for a response that is a list. */
function countsIn(output: Json): Record<string, number> {
  const fields = isJsonRecord(output) ? Object.entries(output) : [['', output] as const];
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.length]] : [])),
  );
}
