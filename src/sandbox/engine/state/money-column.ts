/** Amounts in a row, as plain numbers: however many are kept, there is no garbage to collect. */
import type { Money } from '../money.ts';

const wordBits = 64n;
const sizeAtFirst = 8;

export class MoneyColumn {
  /** The lowest 64 bits, signed: enough for most amounts. */
  private low = new BigInt64Array(sizeAtFirst);
  /** How often 2^64 comes on top of them. */
  private high = new Float64Array(sizeAtFirst);
  /** What needs still more room stands aside. */
  private readonly huge = new Map<number, Money>();

  get(place: number): Money {
    const low = this.low[place] ?? 0n;
    const high = this.high[place] ?? 0;
    if (high === 0) return low;
    return this.huge.get(place) ?? low + (BigInt(high) << wordBits);
  }

  set(place: number, amount: Money): void {
    if (place >= this.low.length) this.grow(place);
    if (this.huge.size > 0) this.huge.delete(place);
    this.low[place] = amount; // keeps as many bits as there is room for
    const low = this.low[place] ?? 0n;
    this.high[place] = low === amount ? 0 : Number((amount - low) >> wordBits);
    if (!Number.isSafeInteger(this.high[place])) this.huge.set(place, amount);
  }

  private grow(place: number): void {
    const size = 2 * Math.max(place, this.low.length);
    const { low, high } = this;
    this.low = new BigInt64Array(size);
    this.low.set(low);
    this.high = new Float64Array(size);
    this.high.set(high);
  }
}
