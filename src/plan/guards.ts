/** Limits nobody may pass by mistake: kept while planning, and once more before each send. */
import { decimal } from '../base/decimal.ts';
import type { GuardResult } from '../journal/entry.ts';
import type { GuardRules } from '../playbook/limits.ts';
import { judgesOf, type GuardedWrite, type Judging } from './judges.ts';

/** The tighter of each pair: an author's guards can never loosen the profile's. */
export function tightest(a: GuardRules, b: GuardRules): GuardRules {
  const hours = [...(a.hours ?? []), ...(b.hours ?? []).filter((list) => !isIn(list, a.hours))];
  return {
    ...smaller('maxWrites', a, b),
    ...smaller('maxLeverage', a, b),
    ...lower('maxNotional', a, b),
    ...lower('maxOrderNotional', a, b),
    ...lower('maxDistance', a, b),
    ...inBoth('symbols', a.symbols?.map(upper), b.symbols?.map(upper)),
    ...inBoth('operations', a.operations, b.operations),
    ...inBoth('accounts', a.accounts, b.accounts),
    ...(hours.length > 0 && { hours }),
  };
}

/** Counts writes against the rules. */
export interface GuardBook {
  /** Counts a write in and returns what it breaks, in words; nothing when it may go. */
  add(write: GuardedWrite): readonly string[];
  /** How much of every limit is used, of its children, too. */
  results(): readonly GuardResult[];
  /**
   * A book of limits beside these, told with them: of a playbook within, of another account.
   * @param place where they stand
   */
  child(rules: GuardRules, place: string): GuardBook;
}

/** Counts in both: a playbook within another has limits of its own beside those around it. */
export function bothBooks(outer: GuardBook, inner: GuardBook): GuardBook {
  return {
    add: (write) => [...new Set([...outer.add(write), ...inner.add(write)])],
    results: () => outer.results(),
    child: (rules, place) => outer.child(rules, place),
  };
}

/** @param place where the limits stand, when that is not the whole run */
export function guardBook(rules: GuardRules, judging: Judging, place?: string): GuardBook {
  const judges = judgesOf(rules, judging);
  const broken = new Map<string, string>();
  const children: GuardBook[] = [];
  return {
    add: (write) => {
      const found = [...judges].flatMap(([name, judge]) => {
        const message = judge.add(write);
        if (message !== undefined && !broken.has(name)) broken.set(name, message);
        return message ?? [];
      });
      return [...new Set(found)];
    },
    results: () => [
      ...[...judges].map(([name, judge]) => ({
        guard: place === undefined ? name : `${name} of ${place}`,
        limit: judge.limit,
        used: judge.used(),
        isKept: !broken.has(name),
        message: broken.get(name) ?? '',
      })),
      ...children.flatMap((book) => book.results()),
    ],
    child: (own, where) => {
      const book = guardBook(own, judging, where);
      children.push(book);
      return book;
    },
  };
}

function isIn(list: readonly string[], lists: GuardRules['hours'] = []): boolean {
  return lists.some((other) => other.join('\n') === list.join('\n'));
}

function upper(text: string): string {
  return text.toUpperCase();
}

function smaller(name: 'maxWrites' | 'maxLeverage', a: GuardRules, b: GuardRules): GuardRules {
  const both = [a[name], b[name]].filter((value) => value !== undefined);
  return both.length === 0 ? {} : { [name]: Math.min(...both) };
}

function lower(
  name: 'maxNotional' | 'maxOrderNotional' | 'maxDistance',
  a: GuardRules,
  b: GuardRules,
): GuardRules {
  const [first, second] = [a[name], b[name]];
  if (first === undefined || second === undefined) {
    const only = first ?? second;
    return only === undefined ? {} : { [name]: only };
  }
  return { [name]: decimal(first).lt(decimal(second)) ? first : second };
}

/** What both lists allow; one alone allows what it says. */
function inBoth<K extends string, T extends string>(
  name: K,
  a: readonly T[] | undefined,
  b: readonly T[] | undefined,
): { readonly [P in K]?: readonly T[] } {
  const both = a && b ? a.filter((item) => b.includes(item)) : (a ?? b);
  const kept: { [P in K]?: readonly T[] } = {};
  if (both !== undefined) kept[name] = both;
  return kept;
}
