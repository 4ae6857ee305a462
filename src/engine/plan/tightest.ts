/** Combines the limits of a profile and of a playbook: the tighter of each pair applies. */
import type { GuardRules } from '../../language/limits.ts';
import { tighterNumbers } from '../../language/number-guards.ts';

/** The tighter of each pair: a playbook can never loosen its profile's guards. */
export function tightest(a: GuardRules, b: GuardRules): GuardRules {
  const hours = [...(a.hours ?? []), ...(b.hours ?? []).filter((list) => !isIn(list, a.hours))];
  return {
    ...tighterNumbers(a, b),
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

/** The values that both lists allow; a single list allows its own values. */
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
