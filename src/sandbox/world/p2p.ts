/** P2P transactions of an account, a few on most days, some in the same millisecond. */
import { day, type Millis } from '../../base/clock.ts';
import type { Output } from '../../exchange/api/operations/index.ts';
import { p2pTypes } from '../../exchange/api/resources/tax-record.ts';
import type { TimeRange } from '../windows.ts';
import { scaled } from './digits.ts';
import { noise } from './noise.ts';

type TaxRecord = Output<'tax/list-p2p'>[number];

const kept = 400 * day; // before the world began
const coins = ['USDT', 'USDT', 'USDC', 'BTC'];
const crowdedDay = 20; // one day in twenty has many records with one time
const crowd = 30;

/** Records in a span up to now, newest first. */
export function p2pRecords(
  seed: number,
  uid: string,
  { span, now, born }: { span: TimeRange; now: Millis; born: Millis },
): readonly TaxRecord[] {
  const chance = noise(seed, `p2p ${uid}`);
  const from = Math.max(span.from, born - kept);
  const to = Math.min(span.to, now);
  const records: TaxRecord[] = [];
  for (let index = Math.floor(to / day); index >= Math.floor(from / day); index--) {
    for (let number = countOn(index) - 1; number >= 0; number--) {
      const ts = momentOf(index, number);
      if (ts >= from && ts <= to) records.push(record(index, { number, ts }));
    }
  }
  return records;

  function countOn(index: number): number {
    return isCrowded(index) ? crowd : chance.integer(index, 3);
  }

  function isCrowded(index: number): boolean {
    return index % crowdedDay === 7;
  }

  /**
   * The time of a record of a day: later numbers have later times; on a busy day all have one time.
   */
  function momentOf(index: number, number: number): Millis {
    const third = day / 3;
    const within = chance.integer(index * 64 + (isCrowded(index) ? 0 : number), third);
    return index * day + (isCrowded(index) ? 0 : number * third) + within;
  }

  function record(index: number, { number, ts }: { number: number; ts: Millis }): TaxRecord {
    const bits = chance.bits(2 ** 40 + index * 64 + number);
    const coin = coins[bits & 3] ?? 'USDT';
    return {
      id: `12${String(index).padStart(9, '0')}${String(number).padStart(8, '0')}`,
      coin,
      p2pTaxType: p2pTypes[(bits >>> 2) & 3] ?? 'buy',
      balance: scaled(100 + (bits >>> 12), coin === 'BTC' ? 8 : 2),
      ts: String(ts),
    };
  }
}
