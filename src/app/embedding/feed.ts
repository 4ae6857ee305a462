/** The events of a run for any number of readers, each at its own speed. */

/**
 * A list that grows while the run writes, and readers with a position in it. The run keeps its
 * entries in memory in any case, so a slow reader holds nothing more, and delays nothing.
 */
export class Feed<E> {
  readonly #events: E[] = [];
  readonly #waiting = new Set<() => void>();
  #isEnded = false;

  push(event: E): void {
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resume of waiting) resume();
  }

  /**
   * Reads all events from the first one. Every event is a copy: a reader cannot change the run.
   * @param leave called when a reader stops before the end; awaited before it continues
   */
  read(leave: () => Promise<void>): AsyncIterator<E, undefined> {
    let at = 0;
    let hasLeft = false;
    const next = async (): Promise<IteratorResult<E, undefined>> => {
      while (!hasLeft && at >= this.#events.length && !this.#isEnded) {
        await new Promise<void>((resolve) => this.#waiting.add(resolve));
      }
      const event = this.#events[at];
      if (hasLeft || event === undefined) return { done: true, value: undefined };
      at += 1;
      return { done: false, value: structuredClone(event) };
    };
    const end = async (): Promise<IteratorResult<E, undefined>> => {
      hasLeft = true;
      this.#wake();
      await leave();
      return { done: true, value: undefined };
    };
    return { next, return: end };
  }
}
