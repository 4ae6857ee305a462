/** Converts inputs of an embedding program to the forms of the command line. */
import { UsageError } from '../../base/error.ts';
import { isRecord, JsonError, parseJson, type Json } from '../../base/json.ts';
import type { PlanChoice } from '../planning/chosen.ts';
import type { PlanOptions } from './options.ts';

/** The given inputs as JSON. @throws UsageError for a value that JSON does not have */
export function inputsGiven({
  inputs = {},
}: Pick<PlanOptions, 'inputs'>): ReadonlyMap<string, Json> {
  return new Map(
    Object.entries(inputs).map(([name, value]) => [
      name,
      jsonOf(`input ${JSON.stringify(name)}`, value),
    ]),
  );
}

/** @param what the value, for messages. @throws UsageError */
export function jsonOf(what: string, value: unknown): Json {
  try {
    const text: string | undefined = JSON.stringify(value, refuseLossy);
    if (text !== undefined) return parseJson(text);
  } catch (error) {
    const isOfJson = error instanceof TypeError || error instanceof JsonError;
    if (!isOfJson) throw error; // from a toJSON of the caller
  }
  throw new UsageError(
    `${what} is not JSON`,
    'give a text, a number, true, false, null, a list or an object; exact decimals as texts',
  );
}

/** Refuses values that JSON would write as null or `{}`, or leave out. @throws TypeError */
function refuseLossy(_key: string, value: unknown): unknown {
  const isLossy =
    typeof value === 'function' ||
    (typeof value === 'number' && !Number.isFinite(value)) ||
    (isRecord(value) && Symbol.iterator in value); // Map and Set
  if (isLossy) throw new TypeError('not JSON');
  return value;
}

export function choiceOf({ only = [], scheduledFor, expires }: Partial<PlanOptions>): PlanChoice {
  return {
    only,
    ...(scheduledFor !== undefined && { scheduledFor }),
    ...(expires !== undefined && { expires }),
  };
}
