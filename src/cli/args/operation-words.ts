/** Operations as people type them, with their fields. */
import { UsageError } from '../../base/error.ts';
import { nearWord, plainText } from '../../base/text.ts';
import { fieldsOf } from '../../exchange/api/check.ts';
import { fieldNamed } from '../../exchange/api/other-names.ts';
import { operationNear } from '../../exchange/api/near-operation.ts';
import { isOperation, type OperationName } from '../../exchange/api/operations/index.ts';
import { fieldMoment, timeHint } from '../../language/written-time.ts';
import { pairsOf } from './pairs.ts';

/** The operation of a name. @throws UsageError with a suggestion for an unknown operation */
export function operationNamed(name: string): OperationName {
  if (isOperation(name)) return name;
  const near = operationNear(name);
  throw new UsageError(
    `unknown operation ${JSON.stringify(name)}`,
    near ? `did you mean ${near}?` : '`deskhand explain` lists all operations',
  );
}

/**
 * Parses `size=0.010` and others as fields; every field of this exchange is text.
 * @throws UsageError with a suggestion for an unknown field
 */
export function fieldsFrom(
  operation: OperationName,
  words: readonly string[],
): ReadonlyMap<string, string> {
  const known = fieldsOf(operation);
  const fields = pairsOf(words, 'a field');
  for (const name of fields.keys()) {
    if (known.includes(name)) continue;
    const near = fieldNamed(name, known) ?? nearWord(name, known);
    throw new UsageError(
      `${operation} has no field ${JSON.stringify(name)}`,
      near ? `did you mean ${near}?` : `see \`deskhand explain ${operation}\``,
    );
  }
  return fields;
}

/**
 * Converts dates in the fields of a read of all pages: the exchange accepts Unix milliseconds, and
 * people write dates.
 * @throws UsageError for a time that is neither
 */
export function timesIn(fields: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...fields].map(([name, value]) => [name, timeOf(name, value)]));
}

/** A date in Unix milliseconds. */
function timeOf(name: string, value: string): string {
  if (!name.endsWith('Time') || /^\d+$/.test(value) || value.includes('{{')) return value;
  const ms = fieldMoment(name, value);
  if (ms !== undefined) return String(ms);
  throw new UsageError(`${name} is not a time: ${plainText(value, 60)}`, timeHint);
}
