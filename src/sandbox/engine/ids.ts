/** Identifiers: 19 digits, beyond the precision of a JavaScript number, strictly ascending by creation. */

/** Leading digits distinguish the kinds; the rest is a counter. */
const prefixes = { order: '13', client: '12', bill: '11', trade: '10' } as const;
const countDigits = 17;

/** The smallest ids: prefixes with all their zeros. */
const heads = {
  order: prefixes.order + '0'.repeat(countDigits),
  client: prefixes.client + '0'.repeat(countDigits),
  bill: prefixes.bill + '0'.repeat(countDigits),
  trade: prefixes.trade + '0'.repeat(countDigits),
} as const;

/** Prefixes of ids, by number of digits. */
const starts = {
  order: startsOf(heads.order),
  client: startsOf(heads.client),
  bill: startsOf(heads.bill),
  trade: startsOf(heads.trade),
} as const;

function startsOf(head: string): readonly string[] {
  return Array.from({ length: countDigits + 1 }, (_, digits) =>
    head.slice(0, -digits || undefined),
  );
}

export type IdKind = keyof typeof prefixes;

/** The id for a sequence number, from 1. */
export function idText(kind: IdKind, count: number): string {
  const digits = String(count);
  return `${starts[kind][digits.length]}${digits}`;
}

/** The running number of an id of this kind; `undefined` for another kind. */
export function countOf(kind: IdKind, id: string): number | undefined {
  if (id.length !== countDigits + 2 || !id.startsWith(prefixes[kind])) return undefined;
  let count = 0;
  for (let at = 2; at < id.length; at++) {
    const digit = id.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return undefined;
    count = count * 10 + digit;
  }
  return Number.isSafeInteger(count) ? count : undefined;
}

/** An exclusive upper bound of the running numbers of rows before any id. */
export function countBefore(kind: IdKind, before: string | undefined): number {
  if (before === undefined || !/^\d+$/.test(before)) return Infinity;
  const count = BigInt(before) - BigInt(heads[kind]);
  if (count <= 0n) return 0;
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? Infinity : Number(count);
}
