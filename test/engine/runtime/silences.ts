/** Requests to a store that get no answer. */
import { StoreError } from '../../../src/stores/store.ts';
import type { Silence } from './backend.ts';

export class Silences {
  #how: Silence = 'unreachable';
  #left = 0;

  begin(how: Silence, times: number): void {
    this.#how = how;
    this.#left = times;
  }

  /** Asks, unless it is silent. @throws StoreError */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    if (this.#left <= 0) return question();
    this.#left -= 1;
    if (this.#how === 'answer-lost') await question();
    throw new StoreError('the store gave no answer', 'try again');
  }
}
