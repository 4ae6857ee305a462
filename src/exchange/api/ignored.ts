/** Fields of an input that the exchange accepts and ignores. */
import { fieldOf } from '../../base/json.ts';
import type { IgnoredFields } from './operation.ts';
import { operationOf, type OperationName } from './operations/index.ts';

export interface IgnoredField extends Pick<IgnoredFields, 'level' | 'hint'> {
  readonly field: string;
  readonly message: string;
}

/**
 * @param known fields with certain values, as sent
 * @param given every field that is present; an unknown one may have any value, or none
 */
export function ignoredFields(
  operation: OperationName,
  known: unknown,
  given: readonly string[],
): readonly IgnoredField[] {
  const holds = (
    conditions: IgnoredFields['when'],
    isMet: (value: string, values: readonly string[]) => boolean,
  ): boolean =>
    Object.entries(conditions ?? {}).every(([field, values]) => {
      const value = given.includes(field) ? fieldOf(known, field) : '';
      return typeof value === 'string' && isMet(value, values);
    });
  return (operationOf(operation).ignored ?? [])
    .filter(({ when }) => holds(when, (value, values) => values.includes(value)))
    .filter(({ unless }) => holds(unless, (value, values) => !values.includes(value)))
    .flatMap(({ fields, level, because, hint }) =>
      fields
        .filter((field) => given.includes(field) && fieldOf(known, field) !== '')
        .map((field) => ({ field, level, hint, message: `${field} is ignored: ${because}` })),
    );
}
