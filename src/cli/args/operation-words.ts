/** Operations as people type them: without their group, or misspelled. */
import { UsageError } from '../../base/error.ts';
import { nearWord } from '../../base/text.ts';
import { fieldsOf } from '../../api/check.ts';
import { isOperation, operationNames, type OperationName } from '../../api/operations/index.ts';
import { pairsOf } from './pairs.ts';

/** @throws UsageError with a suggestion for an unknown operation */
export function operationNamed(name: string): OperationName {
  if (isOperation(name)) return name;
  const near = operationNear(name);
  throw new UsageError(
    `unknown operation ${JSON.stringify(name)}`,
    near ? `did you mean ${near}?` : '`deskhand explain` lists all 18',
  );
}

/**
 * `size=0.010` as fields; every field of this exchange is text.
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
    const near = nearWord(name, known);
    throw new UsageError(
      `${operation} has no field ${JSON.stringify(name)}`,
      near ? `did you mean ${near}?` : `see \`deskhand explain ${operation}\``,
    );
  }
  return fields;
}

/** The most similar operation; undefined when none is similar. */
export function operationNear(word: string): OperationName | undefined {
  const short = (name: string): string => name.slice(name.indexOf('/') + 1);
  const near = nearWord(word, operationNames) ?? nearWord(word, operationNames.map(short));
  return operationNames.find((name) => name === near || short(name) === near);
}
