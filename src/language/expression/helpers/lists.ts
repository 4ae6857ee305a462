/** Lists, and maps used as the list of their values. */
import { grouped } from '../../../base/text.ts';
import {
  anything,
  booleanType,
  composedText,
  integerType,
  listOf,
  membersOf,
  recordOf,
  type Type,
} from '../type.ts';
import { EvaluationError, isList, itemsHint, TooManyError, type Value } from '../value.ts';
import { areEqual, sameness } from './decimals.ts';
import {
  countOf,
  isPlainMap,
  isPresent,
  joined,
  membersIn,
  numberOf,
  shown,
  textOf,
  wordOf,
  type Helper,
  type Named,
} from './define.ts';

const farthest = 1_000_000_000_000; // so that every number of a range is exact

const lists = { group: 'lists' } as const;
const listItems = ([list = anything]: readonly Type[]): Type => listOf(membersOf(list) ?? anything);
const item = ([list = anything]: readonly Type[]): Type => membersOf(list) ?? anything;

export const listHelpers: Readonly<Record<string, Helper>> = {
  length: {
    ...lists,
    usage: 'length list',
    description: 'How many members a list or map has.',
    example: ["length (split 'a,b' ',')", '2'],
    takes: ['collection'],
    gives: integerType,
    seesUnknown: true,
    evaluate: ([list]) => membersIn(list).length,
  },
  first: {
    ...lists,
    usage: 'first list',
    description: 'The first member; an error when there is none.',
    example: ["first (split 'a,b' ',')", 'a'],
    takes: ['collection'],
    gives: item,
    seesUnknown: true,
    evaluate: ([list]) => memberAt(list, 0),
  },
  last: {
    ...lists,
    usage: 'last list',
    description: 'The last member; an error when there is none.',
    example: ["last (split 'a,b' ',')", 'b'],
    takes: ['collection'],
    gives: item,
    seesUnknown: true,
    evaluate: ([list]) => memberAt(list, membersIn(list).length - 1),
  },
  at: {
    ...lists,
    usage: 'at list index',
    description: 'The member at a place, counted from 0; an error when there is none.',
    example: ["at (split 'a,b' ',') 1", 'b'],
    takes: ['collection', 'number'],
    gives: item,
    seesUnknown: true,
    evaluate: ([list, index]) => memberAt(list, countOf(index, 'index')),
  },
  pluck: {
    ...lists,
    usage: "pluck list 'field' default=0",
    description:
      'One field of every member of a list, or of every value of a map; default= where it is missing, null or empty.',
    example: ["pluck steps.ladder.outputs 'clientOid'", 'the ids of all orders'],
    takes: ['collection', 'text'],
    named: { default: { kind: 'any' } },
    gives: ([list = anything]) => listOf(membersOf(list) ?? anything),
    seesUnknown: true,
    evaluate: ([list, field], { default: otherwise }) => {
      const name = textOf(field);
      const plucked = (member: Value): Value => fieldIn(member, name, otherwise);
      return membersIn(list).map(plucked);
    },
  },
  filter: {
    ...lists,
    usage: "filter list 'field' 'gt' value",
    description: 'The members whose field matches the comparison: eq, ne, lt, lte, gt or gte.',
    example: ["filter response.list 'side' 'eq' 'buy'", 'the buy orders'],
    takes: ['collection', 'text', 'text', 'any'],
    proofs: [undefined, undefined, comparisonOf],
    gives: listItems,
    evaluate: ([list, field, word, value]) =>
      membersIn(list).filter((member) =>
        compares(fieldIn(member, textOf(field)), comparisonOf(word), value),
      ),
  },
  unique: {
    ...lists,
    usage: 'unique list',
    description: 'The list without duplicates; the first is kept.',
    example: ["join (unique (split 'a,b,a' ',')) '+'", 'a+b'],
    takes: ['collection'],
    gives: listItems,
    evaluate: ([list]) => [
      ...membersIn(list)
        .reduce(
          (seen, member) =>
            seen.has(sameness(member)) ? seen : seen.set(sameness(member), member),
          new Map<string, Value>(),
        )
        .values(),
    ],
  },
  sort: {
    ...lists,
    usage: "sort list by='field' order='desc'",
    description: 'The list in order: numbers by value, everything else as text.',
    example: ["join (sort (split '10,9' ',')) ','", '9,10'],
    takes: ['collection'],
    named: { by: { kind: 'text' }, order: { kind: 'text', proof: orderOf } },
    gives: listItems,
    evaluate: ([list], named) => sorted(membersIn(list), named),
  },
  join: {
    ...lists,
    usage: "join list ', '",
    description: 'The members as one text with a separator.',
    example: ["join (split 'a,b' ',') ' and '", 'a and b'],
    takes: ['scalars', 'text'],
    gives: composedText,
    evaluate: ([list, between]) => joined(membersIn(list).map(textOf), textOf(between)),
  },
  range: {
    ...lists,
    usage: 'range from to',
    description:
      'Whole numbers from one to another, both included; at most 10,000, or plan.items of the profile.',
    example: ["join (range 1 3) ','", '1,2,3'],
    takes: ['number', 'number'],
    gives: listOf(integerType),
    evaluate: ([from, to], _named, _now, itemsMax) => {
      const start = countOf(from, 'from', farthest);
      const length = countOf(to, 'to', farthest) - start + 1;
      if (length > itemsMax) {
        const most = grouped(String(itemsMax));
        throw new TooManyError(`range has more than ${most} numbers`, itemsHint(itemsMax));
      }
      return Array.from({ length: Math.max(0, length) }, (_, index) => start + index);
    },
  },
  zip: {
    ...lists,
    usage: 'zip a b',
    description: 'Pairs of two lists of one length, as { first, second }.',
    example: ['length (zip (range 1 2) (range 3 4))', '2'],
    takes: ['collection', 'collection'],
    gives: ([a = anything, b = anything]) =>
      listOf(recordOf({ first: membersOf(a) ?? anything, second: membersOf(b) ?? anything })),
    evaluate: ([a, b]) => {
      const [left, right] = [membersIn(a), membersIn(b)];
      if (left.length !== right.length) {
        throw new EvaluationError(
          `zip takes lists of one length, not ${left.length} and ${right.length}`,
        );
      }
      return left.map((first, index) => ({ first, second: right[index] ?? null }));
    },
  },
  containsAll: {
    ...lists,
    usage: 'containsAll list wanted',
    description: 'Whether a list holds every member of another.',
    example: ["containsAll (split 'a,b' ',') (split 'b' ',')", 'true'],
    takes: ['collection', 'collection'],
    gives: booleanType,
    evaluate: ([list, wanted]) => {
      const members = new Set(membersIn(list).map(sameness));
      return membersIn(wanted).every((member) => members.has(sameness(member)));
    },
  },
};

function memberAt(list: Value | undefined, index: number): Value {
  const members = membersIn(list);
  const found = index >= 0 ? members[index] : undefined;
  if (found !== undefined) return found;
  throw new EvaluationError(`a list of ${members.length} has no member ${index}`);
}

/** @param otherwise instead of a value that is missing, null or empty text */
function fieldIn(member: Value, field: string, otherwise?: Value): Value {
  if (isPlainMap(member)) {
    const found = Object.hasOwn(member, field) ? member[field] : undefined;
    if (otherwise !== undefined && !isPresent(found)) return otherwise;
    if (found !== undefined) return found;
  }
  if (typeof member === 'object' && member !== null && 'after' in member && !isList(member))
    return member;
  throw new EvaluationError(`a member has no field ${JSON.stringify(field)}: ${shown(member)}`);
}

const comparisons = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'] as const;
type Comparison = (typeof comparisons)[number];

function comparisonOf(word: Value | undefined): Comparison {
  return wordOf(word, 'the comparison', comparisons);
}

function compares(value: Value, word: Comparison, other: Value | undefined): boolean {
  switch (word) {
    case 'eq':
      return areEqual(value, other);
    case 'ne':
      return !areEqual(value, other);
    case 'lt':
      return numberOf(value).lt(numberOf(other));
    case 'lte':
      return numberOf(value).lte(numberOf(other));
    case 'gt':
      return numberOf(value).gt(numberOf(other));
    case 'gte':
      return numberOf(value).gte(numberOf(other));
  }
}

function sorted(members: readonly Value[], named: Named): Value {
  const by = named['by'];
  const keyOf = (member: Value): Value => (by === undefined ? member : fieldIn(member, textOf(by)));
  const isDescending = orderOf(named['order']) === 'desc';
  const ordered = members.toSorted((a, b) => compareValues(keyOf(a), keyOf(b)));
  return isDescending ? ordered.toReversed() : ordered;
}

function orderOf(order: Value | undefined): 'asc' | 'desc' {
  return order === undefined ? 'asc' : wordOf(order, 'order', ['asc', 'desc']);
}

function compareValues(a: Value, b: Value): number {
  try {
    return numberOf(a).cmp(numberOf(b));
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const [left, right] = [textOf(a), textOf(b)];
    return left < right ? -1 : left > right ? 1 : 0;
  }
}
