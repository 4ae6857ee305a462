/** Small schemas shared by parts of a scenario. */
import type { Permission } from '../../exchange/api/operation.ts';
import {
  integer,
  optional,
  text,
  type JsonSchema,
  type Schema,
} from '../../exchange/api/schema.ts';
import { decimalText, demoProductTypes, orderCategories } from '../../exchange/api/vocabulary.ts';

export const walletTypes = [...orderCategories, ...demoProductTypes] as const;
export const positionModes = ['one_way_mode', 'hedge_mode'] as const;
export const permissions: readonly [Permission, ...Permission[]] = [
  'account-read',
  'account-write',
  'trade-read',
  'trade-write',
  'agent',
];

export const closed = { additionalProperties: false };

/** Requires a field if another has one of some values. */
export function required(
  field: string,
  when: Readonly<Record<string, readonly string[]>>,
): JsonSchema {
  const other = Object.fromEntries(
    Object.entries(when).map(([name, values]) => [name, { enum: values }]),
  );
  const isSo = { properties: other, required: Object.keys(when) };
  return { anyOf: [{ not: isSo }, { required: [field] }] };
}

export const flag = (description: string): Schema<boolean> => ({
  json: { type: 'boolean', description },
});
export const number = (json: JsonSchema): Schema<number> => ({ json: { type: 'number', ...json } });
export const word = text({ minLength: 1 });
export const uid = text({ minLength: 1, description: 'Account' });
export const ratio = (description: string) => optional(decimalText(description));

/** The last millisecond of the year 2099: a later time is a mistake. */
const lastMoment = Date.UTC(2100, 0, 1) - 1;

/** A moment of business time in Unix milliseconds. */
export const moment = integer({ minimum: 0, maximum: lastMoment });
