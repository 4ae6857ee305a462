/** Booleans, and defaults for missing values. */
import { anything, booleanType, unionOf, withoutEmpty } from '../type.ts';
import { areEqual } from './decimals.ts';
import { EvaluationError } from '../value.ts';
import { isPresent, membersIn, textOf, truthOf, type Helper } from './define.ts';

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
    mayMiss: 'first',
    gives: ([value = anything, otherwise = anything]) => unionOf([withoutEmpty(value), otherwise]),
    evaluate: ([value, otherwise]) => (isPresent(value) ? value : (otherwise ?? null)),
  },
  coalesce: {
    group: 'logic',
    usage: 'coalesce a b …',
    description: 'The first value that is not missing, null or empty text; otherwise the last.',
    example: ["coalesce '' 'alpha' 'bravo'", 'alpha'],
    takes: ['any', 'any'],
    rest: 'any',
    mayMiss: 'all-but-last',
    gives: (args) =>
      unionOf(args.map((type, at) => (at < args.length - 1 ? withoutEmpty(type) : type))),
    evaluate: (args) => args.find(isPresent) ?? args.at(-1) ?? null,
  },
  required: {
    group: 'logic',
    usage: "required value 'message'",
    description:
      'The value; when it is missing, null or empty text, the plan or the step ends with the message.',
    example: ["required 'alpha' 'name a desk'", 'alpha'],
    takes: ['any', 'text'],
    mayMiss: 'first',
    gives: ([value = anything]) => withoutEmpty(value),
    evaluate: ([value, message]) => {
      if (isPresent(value)) return value;
      throw new EvaluationError(textOf(message));
    },
  },
};
