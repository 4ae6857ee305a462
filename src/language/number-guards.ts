/** Guards whose value is a number: their keys, their meaning, and which of two values is tighter. */
import { decimal, isDecimalText, shareText } from '../base/decimal.ts';
import type { JsonSchema } from '../exchange/api/schema.ts';

/** The configured limits: counts as numbers, amounts and shares as texts of decimals. */
export interface NumberRules {
  readonly maxWrites?: number;
  /** Maximum total value of all orders, in dollars: USDT, USDC and USD count equally. */
  readonly maxNotional?: string;
  readonly maxOrderNotional?: string;
  /** Maximum distance of a price from the mark price: `0.05`. */
  readonly maxDistance?: string;
  /** Maximum value that the position of a symbol may have after an order, in dollars. */
  readonly maxPosition?: string;
  readonly maxLeverage?: number;
}

export type NumberGuardName = keyof NumberRules;

export interface NumberGuard {
  /** `count`: a whole number; `amount`: a decimal as text; `share`: `5%`, kept as the ratio `0.05`. */
  readonly kind: 'count' | 'amount' | 'share';
  /** The minimum of a count. */
  readonly least?: number;
  /** The key in a playbook, also its name in messages, plans and reports. */
  readonly key: string;
  /** The key in a profile. */
  readonly profileKey: string;
  /** The meaning of the guard, for editors. */
  readonly title: string;
  /** The writes that the guard blocks, for `explain guards`. */
  readonly blocks: string;
}

const dollars = 'in dollars (USDT, USDC and USD count equally)';

type Kind<V> = V extends number ? 'count' : 'amount' | 'share';

export const numberGuards: {
  readonly [N in NumberGuardName]: NumberGuard & {
    readonly kind: Kind<NonNullable<NumberRules[N]>>;
  };
} = {
  maxWrites: {
    kind: 'count',
    least: 0,
    key: 'max-writes',
    profileKey: 'writes',
    title: 'Maximum number of writes in one run',
    blocks: 'more writes in one run',
  },
  maxNotional: {
    kind: 'amount',
    key: 'max-notional',
    profileKey: 'notional',
    title: `Maximum total value of the orders of a run, ${dollars}`,
    blocks: 'orders with a higher total value in dollars',
  },
  maxOrderNotional: {
    kind: 'amount',
    key: 'max-order-notional',
    profileKey: 'order',
    title: `Maximum value of one order, ${dollars}`,
    blocks: 'an order with a higher value in dollars',
  },
  maxDistance: {
    kind: 'share',
    key: 'max-distance',
    profileKey: 'distance',
    title: 'Maximum distance of a price from the mark price: 5%, or 0.05',
    blocks: 'a price farther from the mark: 5% or 0.05',
  },
  maxPosition: {
    kind: 'amount',
    key: 'max-position',
    profileKey: 'position',
    title: `Maximum value of the position of a symbol after an order, ${dollars}`,
    blocks: 'an order that opens, if the position of its symbol could then have a higher value',
  },
  maxLeverage: {
    kind: 'count',
    least: 1,
    key: 'max-leverage',
    profileKey: 'leverage',
    title: 'Maximum leverage',
    blocks: 'higher leverage',
  },
};

/** A guard with the name of its rule. */
export interface NamedGuard extends NumberGuard {
  readonly name: NumberGuardName;
}

const names = Object.keys(numberGuards) as readonly NumberGuardName[];

export const numberGuardList: readonly NamedGuard[] = names.map((name) => ({
  name,
  ...numberGuards[name],
}));

/** The limits for which there is a value, in the form that is kept: counts as numbers, others as text. */
export function numberRules(
  valueOf: (guard: NamedGuard) => number | string | undefined,
): NumberRules {
  const found = numberGuardList.flatMap((guard) => {
    const value = valueOf(guard);
    return value === undefined ? [] : [[guard.name, value] as const];
  });
  return Object.fromEntries(found);
}

/** The tighter of two limits, for each guard. */
export function tighterNumbers(a: NumberRules, b: NumberRules): NumberRules {
  return numberRules(({ name }) => {
    const [first, second] = [a[name], b[name]];
    if (first === undefined || second === undefined) return first ?? second;
    return decimal(String(first)).lt(decimal(String(second))) ? first : second;
  });
}

/** The value of a guard of a playbook, in the form that is kept. */
export function keptNumber({ kind }: NumberGuard, text: string): number | string | undefined {
  if (kind === 'count') return Number(text);
  return kind === 'share' ? shareText(text) : text;
}

/** The required form of a guard's value, with an example; undefined if the text has it. */
export function numberFault(
  { kind }: NumberGuard,
  text: string,
): { readonly must: string; readonly example: string } | undefined {
  switch (kind) {
    case 'count':
      return undefined; // the schema has checked it
    case 'amount':
      return isDecimalText(text) && !text.startsWith('-')
        ? undefined
        : { must: 'a plain decimal number, 0 or above', example: '10000' };
    case 'share':
      return shareText(text) === undefined
        ? { must: 'a share of the mark price', example: '5% or 0.05' }
        : undefined;
  }
}

/** A decimal may be written as a number of YAML. */
export function numberSchema({ kind, least = 0, title }: NumberGuard): JsonSchema {
  return kind === 'count'
    ? { type: 'integer', minimum: least, description: title }
    : { type: ['number', 'string'], description: title };
}
