/** One judge for each limit: counts writes in, and says what breaks it. */
import type { Millis } from '../base/clock.ts';
import { decimal, decimalText, divide, wholeDecimal, zero, type Decimal } from '../base/decimal.ts';
import type { Json } from '../base/json.ts';
import type { OperationName } from '../contract/operations/index.ts';
import type { Destination } from '../journal/entry.ts';
import { hoursIn, isWithin } from '../playbook/hours.ts';
import type { GuardRules } from '../playbook/limits.ts';
import { notionalOf } from './measure.ts';

/** A write as the guards see it. */
export interface GuardedWrite {
  readonly address: string;
  readonly operation: OperationName;
  readonly input: { readonly [field: string]: Json };
  readonly account: Destination;
  /** The symbol's mark price, where it is known. */
  readonly mark?: string;
  /** Some of its values are known only after a step: what cannot be told yet is asked then. */
  readonly isPartial?: boolean;
}

/** When and with what knowledge writes are judged. */
export interface Judging {
  readonly now: () => Millis;
  /** A plan may be made outside the hours it is run in. */
  readonly isPlan?: boolean;
  /** Nothing was read: what rests on a mark price cannot be told. */
  readonly isOffline?: boolean;
}

export interface Judge {
  readonly limit: string;
  /** What the write breaks, in words; it is counted either way. */
  add(write: GuardedWrite): string | undefined;
  used(): string;
}

type MakeJudge<R> = (rule: R, judging: Judging) => Judge;
type Judges = {
  readonly [N in keyof GuardRules]-?: MakeJudge<NonNullable<GuardRules[N]>>;
};

const judges: Judges = {
  maxWrites: (limit) => {
    let writes = 0;
    return {
      limit: String(limit),
      used: () => String(writes),
      add: ({ address }) => {
        writes += 1;
        return writes > limit ? `${address} is write ${writes}; ${limit} are allowed` : undefined;
      },
    };
  },
  maxNotional: (limit, judging) => {
    let sum = zero;
    return {
      limit,
      used: () => decimalText(sum),
      add: worthOf(judging, ({ address }, worth) => {
        sum = sum.plus(worth);
        if (!sum.gt(decimal(limit))) return undefined;
        return `${address}: all orders together are worth ${decimalText(sum)}; ${limit} is allowed`;
      }),
    };
  },
  maxOrderNotional: (limit, judging) => {
    let largest = zero;
    return {
      limit,
      used: () => decimalText(largest),
      add: worthOf(judging, ({ address }, worth) => {
        if (worth.gt(largest)) largest = worth;
        if (!worth.gt(decimal(limit))) return undefined;
        return `${address}: the order is worth ${decimalText(worth)}; ${limit} is allowed`;
      }),
    };
  },
  maxDistance: (limit, judging) => {
    let largest = zero;
    return {
      limit,
      used: () => decimalText(largest),
      add: (write) => {
        const { address, mark, isPartial, input } = write;
        const price = input['price'];
        if (!isOrder(write) || input['orderType'] !== 'limit') return undefined;
        if (typeof price !== 'string') return isPartial ? undefined : untold(address, 'distance');
        const base = decimal(mark ?? '0');
        if (base.eq(zero)) {
          return judging.isOffline || isPartial ? undefined : untold(address, 'distance');
        }
        const away = decimal(price).minus(base);
        const ratio = divide(away, base, { scale: 4, rounding: 'half-up' });
        if (ratio.abs().gt(largest)) largest = ratio.abs();
        if (!away.abs().gt(decimal(limit).times(base))) return undefined;
        return `${address}: its price is ${percent(ratio)} away from the mark price; ${percent(decimal(limit))} is allowed`;
      },
    };
  },
  maxLeverage: (limit) => {
    let largest = 0;
    return {
      limit: String(limit),
      used: () => String(largest),
      add: ({ address, operation, input }) => {
        const given = input['leverage'];
        if (operation !== 'futures/set-all-leverage' || given === undefined) return undefined;
        const leverage = Number(given);
        largest = Math.max(largest, leverage);
        if (leverage <= limit) return undefined;
        return `${address}: leverage ${leverage} is above ${limit}`;
      },
    };
  },
  symbols: (allowed) => {
    const names = new Set(allowed.map((symbol) => symbol.toUpperCase()));
    return listJudge(allowed, 'an allowed symbol', (write) => {
      const symbol = write.input['symbol'];
      if (!isOrder(write) || typeof symbol !== 'string') return undefined;
      return { name: symbol.toUpperCase(), isAllowed: names.has(symbol.toUpperCase()) };
    });
  },
  operations: (allowed) =>
    listJudge(allowed, 'an allowed operation', ({ operation }) => ({
      name: operation,
      isAllowed: allowed.includes(operation),
    })),
  accounts: (allowed) =>
    listJudge(allowed, 'an allowed account', ({ account: { profile, keyFingerprint = '' } }) => ({
      name: profile,
      isAllowed: allowed.includes(profile) || allowed.includes(keyFingerprint),
    })),
  hours: (lists, { now, isPlan }) => {
    const read = lists.map((texts) => texts.flatMap((text) => hoursIn(text) ?? []));
    const isOpen = (): boolean =>
      read.every((list) => list.some((hours) => isWithin(hours, now())));
    const limit = lists.map((texts) => texts.join(' or ')).join(', and ');
    return {
      limit,
      used: () => (isOpen() ? 'within' : 'outside now'),
      add: ({ address }) =>
        isPlan || isOpen() ? undefined : `${address}: it is outside the hours ${limit}`,
    };
  },
};

/** The judges of the limits that are set, by their names. */
export function judgesOf(rules: GuardRules, judging: Judging): ReadonlyMap<string, Judge> {
  const of = <R>(name: string, make: MakeJudge<R>, rule: R | undefined): [string, Judge][] =>
    rule === undefined ? [] : [[name, make(rule, judging)]];
  return new Map([
    ...of('max-writes', judges.maxWrites, rules.maxWrites),
    ...of('max-notional', judges.maxNotional, rules.maxNotional),
    ...of('max-order-notional', judges.maxOrderNotional, rules.maxOrderNotional),
    ...of('max-distance', judges.maxDistance, rules.maxDistance),
    ...of('max-leverage', judges.maxLeverage, rules.maxLeverage),
    ...of('symbols', judges.symbols, rules.symbols),
    ...of('operations', judges.operations, rules.operations),
    ...of('accounts', judges.accounts, rules.accounts),
    ...of('hours', judges.hours, rules.hours),
  ]);
}

/** A limit on what orders are worth: what cannot be told is held back, not let through. */
function worthOf(
  { isOffline }: Judging,
  judge: (write: GuardedWrite, worth: Decimal) => string | undefined,
): Judge['add'] {
  return (write) => {
    if (!isOrder(write)) return undefined;
    const worth = notionalOf(write.input, write.mark);
    if (worth !== undefined) return judge(write, worth);
    return isOffline || write.isPartial ? undefined : untold(write.address, 'value');
  };
}

/** A limit to things by name. */
function listJudge(
  allowed: readonly string[],
  what: string,
  look: (write: GuardedWrite) => { readonly name: string; readonly isAllowed: boolean } | undefined,
): Judge {
  const used = new Set<string>();
  return {
    limit: allowed.join(' '),
    used: () => [...used].join(' '),
    add: (write) => {
      const found = look(write);
      if (found === undefined) return undefined;
      used.add(found.name);
      return found.isAllowed ? undefined : `${write.address}: ${found.name} is not ${what}`;
    },
  };
}

function isOrder({ operation }: GuardedWrite): boolean {
  return operation === 'futures/place-order';
}

function untold(address: string, what: string): string {
  return `${address}: its ${what} cannot be told, for the mark price is unknown`;
}

function percent(ratio: Decimal): string {
  return `${ratio.times(wholeDecimal(100)).toFixed(2)} %`;
}
