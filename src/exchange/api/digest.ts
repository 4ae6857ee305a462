/** One digest over the whole API: a plan made with another one is not run. */
import { digestOf } from '../../base/json.ts';
import { asDeclared } from './schema.ts';
import { operations } from './operations/index.ts';

let known: string | undefined;

/** The sha256 of every operation: its fields, limits, windows and effect. */
export function contractDigest(): string {
  known ??= digestOf(asDeclared(operations));
  return known;
}
