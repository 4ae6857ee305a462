/** Whether a stored entry has the format of its kind. A checksum proves that a line was not changed since, not who wrote it. */
import { shapeProblem } from '../../exchange/api/check.ts';
import { isNestedDeeper, isRecord } from '../../base/json.ts';
import { entryShapes } from './entry-schema.ts';

const depthMax = 64; // a value of a playbook may be 24 deep, and a response 32

/**
 * @param json the text of the value
 * @returns what is wrong with it; undefined for an entry, also with fields of a later version. A kind
 * that a later version adds is in journals of a later format.
 */
export function entryProblem(value: unknown, json: string): string | undefined {
  if (!isRecord(value)) return 'not an entry';
  const { kind } = value;
  const shape = typeof kind === 'string' ? entryShapes.get(kind) : undefined;
  if (shape === undefined) return 'not an entry of a known kind';
  if (isLong(json) && isNestedDeeper(value, depthMax)) return `nested deeper than ${depthMax}`;
  const problem = shapeProblem(shape, value);
  return problem === undefined ? undefined : `not an entry of kind ${String(kind)}: ${problem}`;
}

/** Whether a line has enough brackets to be nested too deep: most lines have a dozen. */
function isLong(json: string): boolean {
  let left = depthMax;
  for (const bracket of ['{', '[']) {
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) {
      if (--left < 0) return true;
    }
  }
  return false;
}
