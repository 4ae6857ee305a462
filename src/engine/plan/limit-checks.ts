/** One check for each configured limit, by name. */
import type { Millis } from '../../base/clock.ts';
import { setsLeverage } from '../../exchange/api/shown-state.ts';
import type { Address } from '../journal/entry.ts';
import { hoursIn, isWithin } from '../../language/hours.ts';
import type { GuardRules } from '../../language/limits.ts';
import { numberGuardList } from '../../language/number-guards.ts';
import {
  largestOf,
  orderOf,
  type Checking,
  type GuardedWrite,
  type LimitCheck,
} from './limit-check.ts';
import { isOutbound } from './outbound.ts';
import { maxPosition } from './position-check.ts';
import { maxDistance, maxNotional, maxOrderNotional } from './value-checks.ts';

type MakeCheck<R> = (rule: R, checking: Checking) => LimitCheck;
type Rules = Required<GuardRules>;
type Checked = Exclude<keyof GuardRules, 'doubts'>;
type MakeChecks = { readonly [N in Checked]: MakeCheck<Rules[N]> };

const make: MakeChecks = {
  maxNotional,
  maxOrderNotional,
  maxDistance,
  maxPosition,
  maxWrites: (limit) => {
    const counted = new Set<Address>();
    return {
      limit: String(limit),
      used: () => String(counted.size),
      count: ({ address }) => counted.add(address),
      forget: (address) => counted.delete(address),
      breaks: ({ address }) => {
        const writes = counted.size + (counted.has(address) ? 0 : 1);
        return writes > limit ? `${address} is write ${writes}; ${limit} are allowed` : undefined;
      },
    };
  },
  maxLeverage: (limit) => {
    const largest = largestOf<number>(0, (a, b) => a > b);
    const leverageOf = ({ operation, input }: GuardedWrite): number | undefined =>
      setsLeverage(operation) && input['leverage'] !== undefined
        ? Number(input['leverage'])
        : undefined;
    return {
      limit: String(limit),
      used: () => String(largest.value()),
      forget: largest.forget,
      count: (write) => largest.set(write.address, leverageOf(write)),
      breaks: (write) => {
        const leverage = leverageOf(write);
        if (leverage === undefined || leverage <= limit) return undefined;
        return `${write.address}: leverage ${leverage} is above ${limit}`;
      },
    };
  },
  symbols: (allowed) => {
    const names = new Set(allowed.map((symbol) => symbol.toUpperCase()));
    return listCheck(allowed, 'an allowed symbol', (write) => {
      const symbol = orderOf(write)?.symbol;
      if (symbol === undefined) return undefined;
      return { name: symbol.toUpperCase(), isAllowed: names.has(symbol.toUpperCase()) };
    });
  },
  operations: (allowed) =>
    listCheck(allowed, 'an allowed operation', ({ operation }) => {
      if (isOutbound(operation)) return undefined; // not an operation of the exchange
      return { name: operation, isAllowed: allowed.includes(operation) };
    }),
  accounts: (allowed) =>
    listCheck(allowed, 'an allowed account', ({ account }) => {
      if (account === undefined) return undefined;
      const { profile, keyFingerprint = '' } = account;
      return {
        name: profile,
        isAllowed: allowed.includes(profile) || allowed.includes(keyFingerprint),
      };
    }),
  hours: (lists, { isPlan }) => {
    const limit = hoursText(lists);
    return {
      limit,
      used: (at) => (isOpenAt(lists, at) ? 'within' : 'outside now'),
      count: () => undefined,
      forget: () => undefined,
      breaks: ({ address }, at) =>
        isPlan || isOpenAt(lists, at) ? undefined : `${address}: it is outside the hours ${limit}`,
    };
  },
};

/** The checks of the configured limits, by name. */
export function checksOf(rules: GuardRules, checking: Checking): ReadonlyMap<string, LimitCheck> {
  const set: { readonly [N in Checked]?: Rules[N] } = rules;
  const of = <N extends Checked>(name: N, key: string = name): [string, LimitCheck][] => {
    const rule = set[name];
    return rule === undefined ? [] : [[key, make[name](rule, checking)]];
  };
  return new Map([
    ...numberGuardList.flatMap(({ key, name }) => of(name, key)),
    ...of('symbols'),
    ...of('operations'),
    ...of('accounts'),
    ...of('hours'),
  ]);
}

/** Hours as text: one entry of every list must match. */
export function hoursText(lists: readonly (readonly string[])[]): string {
  return lists.map((texts) => texts.join(' or ')).join(', and ');
}

/** Whether an entry of every list matches a time of the exchange's clock. */
export function isOpenAt(lists: readonly (readonly string[])[], at: Millis): boolean {
  return lists.every((texts) =>
    texts.flatMap((text) => hoursIn(text) ?? []).some((hours) => isWithin(hours, at)),
  );
}

/** The check of an allowlist of names. */
function listCheck(
  allowed: readonly string[],
  what: string,
  look: (write: GuardedWrite) => { readonly name: string; readonly isAllowed: boolean } | undefined,
): LimitCheck {
  const counted = new Map<Address, string>();
  return {
    limit: allowed.join(' '),
    used: () => [...new Set(counted.values())].join(' '),
    forget: (address) => counted.delete(address),
    count: (write) => {
      const found = look(write);
      if (found !== undefined) counted.set(write.address, found.name);
    },
    breaks: (write) => {
      const found = look(write);
      if (found === undefined || found.isAllowed) return undefined;
      return `${write.address}: ${found.name} is not ${what}`;
    },
  };
}
