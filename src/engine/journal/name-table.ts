/** Finds the runs that have a name among those of thousands: a table of numbers, without an object for each. */
import { numberOfName, numbersIn } from './lasting.ts';

export class NameTable {
  readonly #numbers: Uint32Array;
  readonly #places: Uint32Array;
  /** The first number of each bucket, and the next one of each number, counted from one. */
  readonly #first: Uint32Array;
  readonly #next: Uint32Array;

  /** @param runs the names of each run, in base64 */
  constructor(runs: readonly string[]) {
    const numbers = runs.map(numbersIn);
    const count = numbers.reduce((sum, { length }) => sum + length, 0);
    this.#numbers = new Uint32Array(count);
    this.#places = new Uint32Array(count);
    this.#next = new Uint32Array(count);
    this.#first = new Uint32Array(2 ** Math.ceil(Math.log2(count + 1)));
    let at = 0;
    for (const [place, own] of numbers.entries()) {
      for (const number of own) {
        this.#numbers[at] = number;
        this.#places[at] = place;
        const bucket = this.#bucketOf(number);
        this.#next[at] = this.#first[bucket] ?? 0;
        this.#first[bucket] = ++at;
      }
    }
  }

  /** The places of the runs that may have a name, the last one first. */
  find(name: string): readonly number[] {
    const number = numberOfName(name);
    const found: number[] = [];
    for (let at = this.#first[this.#bucketOf(number)] ?? 0; at > 0; at = this.#next[at - 1] ?? 0) {
      const place = this.#places[at - 1];
      if (this.#numbers[at - 1] === number && place !== undefined) found.push(place);
    }
    return found;
  }

  #bucketOf(number: number): number {
    return (number & (this.#first.length - 1)) >>> 0;
  }
}
