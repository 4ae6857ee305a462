/** Identifiers: 19 digits, beyond what a JavaScript number holds, strictly rising as they are made. */

/** Leading digits tell the kinds apart; the rest counts. */
const prefixes = { order: '13', client: '12', bill: '11', trade: '10' } as const;
const countDigits = 17;

/** Prefixes with all the zeros an id may begin with. */
const heads = {
  order: prefixes.order + '0'.repeat(countDigits),
  client: prefixes.client + '0'.repeat(countDigits),
  bill: prefixes.bill + '0'.repeat(countDigits),
  trade: prefixes.trade + '0'.repeat(countDigits),
} as const;

export type IdKind = keyof typeof prefixes;

/** The id with a running number, from 1. */
export function idText(kind: IdKind, count: number): string {
  const digits = String(count);
  return heads[kind].slice(0, countDigits + 2 - digits.length) + digits;
}

/** The running number of an id of this kind; `undefined` when it is not one. */
export function countOf(kind: IdKind, id: string): number | undefined {
  if (id.length !== countDigits + 2 || !id.startsWith(prefixes[kind])) return undefined;
  const count = Number(id.slice(2));
  return Number.isSafeInteger(count) ? count : undefined;
}

/** Running numbers of rows before any id of digits are below this. */
export function countBefore(kind: IdKind, before: string | undefined): number {
  if (before === undefined || !/^\d+$/.test(before)) return Infinity;
  const count = BigInt(before) - BigInt(heads[kind]);
  if (count <= 0n) return 0;
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? Infinity : Number(count);
}
