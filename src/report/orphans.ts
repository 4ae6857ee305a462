/** Orders of earlier runs that are no longer in their playbook, in words. */
import { count, plainText } from '../base/text.ts';
import type { Orphan } from '../engine/journal/orphan.ts';
import { groupedNumber } from './request-text.ts';

/** The number of orphaned orders, and what to do about them. */
export function orphansWords(total: number): string {
  const many = total === 1 ? 'is' : 'are';
  return `${count(total, 'order')} of earlier runs ${many} no longer in the playbook`;
}

/** The hint for orphaned orders: nothing cancels them because a playbook has them no longer. */
export const orphansHint = 'each remains open until it is filled or canceled on the exchange';

const shownMax = 20; // the JSON output has all of them

/** One line for each orphan, with its ids. */
export function orphanLines(orphans: readonly Orphan[]): readonly string[] {
  const shown = orphans.slice(0, shownMax).map(orphanWords);
  const more = orphans.length - shown.length;
  return more > 0 ? [...shown, `${more} more`] : shown;
}

function orphanWords(orphan: Orphan): string {
  const { address, account, symbol, side, size, price, orderId, clientOid, run } = orphan;
  const where = account === undefined ? '' : ` of ${account}`;
  const at = price === '' ? 'at market' : `@ ${groupedNumber(price)}`;
  const order = `${symbol} ${side} ${groupedNumber(size)} ${at}`;
  return plainText(
    `${address}${where}: ${order}, order ${orderId}, clientOid ${clientOid}, placed by ${run}`,
    300,
  );
}
