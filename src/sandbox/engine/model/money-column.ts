/** Amounts as plain numbers in a typed array, so that they cause no garbage collection. */
import type { Money } from '../money.ts';

const wordBits = 64n;
const sizeAtFirst = 8;
const [half, whole] = [2 ** 32, 2 ** 64];

/** A 64-bit word as one integer, which is also accessed as its halves. */
const word = new BigInt64Array(1);
const halves = new Int32Array(word.buffer);

/** The positions of a word's lower and upper half, which depend on the machine's byte order. */
const [lowerAt, upperAt] =
  new Int32Array(new BigInt64Array([1n]).buffer)[0] === 1 ? [0, 1] : [1, 0];

/** An amount as a float with a relative error below 2^-50. */
export function roughly(amount: Money): number {
  word[0] = amount;
  return word[0] === amount ? roughWord(halves, 0) : Number(amount); // longer than a word
}

/** A word as a float, exact or close. */
function roughWord(parts: Int32Array, place: number): number {
  const lower = (parts[2 * place + lowerAt] ?? 0) >>> 0;
  return (parts[2 * place + upperAt] ?? 0) * half + lower;
}

/** One buffer, viewed as all three number types. */
interface Block {
  readonly words: BigInt64Array;
  readonly numbers: Float64Array;
  readonly halves: Int32Array;
}

function blockOf(places: number): Block {
  const words = new BigInt64Array(2 * places);
  const { buffer } = words;
  return { words, numbers: new Float64Array(buffer), halves: new Int32Array(buffer) };
}

/**
 * A column of amounts. Each amount is its lowest 64 bits, signed, which suffice for most, and a
 * multiple of 2^64: two adjacent cells.
 */
export class MoneyColumn {
  private block = blockOf(sizeAtFirst);
  /** Amounts that need more bits than a cell has. */
  private readonly huge = new Map<number, Money>();

  get(place: number): Money {
    const { words, numbers } = this.block;
    const low = words[2 * place] ?? 0n;
    const high = numbers[2 * place + 1] ?? 0;
    if (high === 0) return low;
    return this.huge.get(place) ?? low + (BigInt(high) << wordBits);
  }

  set(place: number, amount: Money): void {
    this.makeRoom(place);
    if (this.huge.size > 0) this.huge.delete(place);
    word[0] = amount; // keeps the low 64 bits
    const low = word[0];
    const high = low === amount ? 0 : Number((amount - low) >> wordBits);
    this.block.words[2 * place] = low;
    this.block.numbers[2 * place + 1] = high;
    if (!Number.isSafeInteger(high)) this.huge.set(place, amount);
  }

  /** Adds to an amount in place. */
  add(place: number, amount: Money): void {
    word[0] = amount;
    if (word[0] !== amount || this.huge.size > 0) return this.set(place, this.get(place) + amount);
    this.makeRoom(place);
    const { words, halves: parts } = this.block;
    const expected = (parts[4 * place + upperAt] ?? 0) + (halves[upperAt] ?? 0);
    words[2 * place] = (words[2 * place] ?? 0n) + word[0];
    this.carry(place, expected);
  }

  /** Subtracts from an amount in place. */
  subtract(place: number, amount: Money): void {
    word[0] = amount;
    if (word[0] !== amount || this.huge.size > 0) return this.set(place, this.get(place) - amount);
    this.makeRoom(place);
    const { words, halves: parts } = this.block;
    const expected = (parts[4 * place + upperAt] ?? 0) - (halves[upperAt] ?? 0);
    words[2 * place] = (words[2 * place] ?? 0n) - word[0];
    this.carry(place, expected);
  }

  /** Carries the overflow of a word to the next cell. */
  private carry(place: number, expected: number): void {
    const { numbers, halves: parts } = this.block;
    const rounds = Math.round((expected - (parts[4 * place + upperAt] ?? 0)) / half);
    if (rounds === 0) return;
    const high = (numbers[2 * place + 1] ?? 0) + rounds;
    numbers[2 * place + 1] = high;
    if (!Number.isSafeInteger(high)) this.set(place, this.get(place));
  }

  /** The approximate amount, with a relative error below 2^-50. */
  rough(place: number): number {
    const { numbers, halves: parts } = this.block;
    return (numbers[2 * place + 1] ?? 0) * whole + roughWord(parts, 2 * place);
  }

  /** Copies an amount of another column. */
  copy(place: number, from: MoneyColumn, source: number): void {
    const { words, numbers } = from.block;
    if (from.huge.size > 0 || this.huge.size > 0) return this.set(place, from.get(source));
    this.makeRoom(place);
    this.block.words[2 * place] = words[2 * source] ?? 0n;
    this.block.numbers[2 * place + 1] = numbers[2 * source + 1] ?? 0;
  }

  private makeRoom(place: number): void {
    const { words } = this.block;
    if (2 * place < words.length) return;
    const larger = blockOf(Math.max(2 * place, words.length));
    larger.words.set(words);
    this.block = larger;
  }
}
