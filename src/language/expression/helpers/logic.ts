/** Booleans, and defaults for missing values. */
import { anything, booleanType, unionOf, withoutEmpty } from '../type.ts';
import { areEqual } from './decimals.ts';
import { membersIn, truthOf, type Helper } from './define.ts';

const logic = { group: 'logic', gives: booleanType } as const;

export const logicHelpers: Readonly<Record<string, Helper>> = {
  and: {
    ...logic,
    usage: 'and a b …',
    description: 'Whether all are true.',
    example: ['and true false', 'false'],
    takes: ['boolean', 'boolean'],
    rest: 'boolean',
    evaluate: (args) => args.map(truthOf).every(Boolean),
  },
  or: {
    ...logic,
    usage: 'or a b …',
    description: 'Whether at least one is true.',
    example: ['or true false', 'true'],
    takes: ['boolean', 'boolean'],
    rest: 'boolean',
    evaluate: (args) => args.map(truthOf).some(Boolean),
  },
  not: {
    ...logic,
    usage: 'not a',
    description: 'The opposite.',
    example: ['not true', 'false'],
    takes: ['boolean'],
    evaluate: ([a]) => !truthOf(a),
  },
  in: {
    ...logic,
    usage: 'in value list',
    description: 'Whether a list holds a value.',
    example: ["in 'a' (split 'a,b' ',')", 'true'],
    takes: ['any', 'collection'],
    evaluate: ([value, list]) => membersIn(list).some((item) => areEqual(item, value)),
  },
  default: {
    group: 'logic',
    usage: 'default value otherwise',
    description: 'The value, or the other when it is missing, null or empty text.',
    example: ["default '' 'none'", 'none'],
    takes: ['any', 'any'],
    gives: ([value = anything, otherwise = anything]) => unionOf([withoutEmpty(value), otherwise]),
    evaluate: ([value, otherwise]) =>
      value === undefined || value === null || value === '' ? (otherwise ?? null) : value,
  },
};
