/** Combines the limits of a profile and of a playbook: the tighter of each pair applies. */
import { decimal } from '../../base/decimal.ts';
import type { GuardRules } from '../../language/limits.ts';

/** The tighter of each pair: a playbook can never loosen its profile's guards. */
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
    ...stricter(a.doubts, b.doubts),
  };
}

function stricter(a: GuardRules['doubts'], b: GuardRules['doubts']): Pick<GuardRules, 'doubts'> {
  const doubts = a === 'block' || b === 'block' ? 'block' : (a ?? b);
  return doubts === undefined ? {} : { doubts };
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

/** What both lists allow; a single list allows its own values. */
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
