/** The last value of each key, newest first: those newer than another are found without visiting the
 * older ones.
 */

export interface Latest<T> {
  readonly size: number;
  /** Replaces the value of the key, and makes it the newest. */
  set(key: string, value: T): void;
  /** Removes the oldest value, and returns it. */
  removeOldest(): T | undefined;
  /** The values, newest first. Each value is visited when it is asked for. */
  newestFirst(): Iterable<T>;
}

interface Node<T> {
  readonly key: string;
  readonly value: T;
  older: Node<T> | undefined;
  newer: Node<T> | undefined;
}

export function openLatest<T>(): Latest<T> {
  const nodes = new Map<string, Node<T>>();
  let newest: Node<T> | undefined;
  let oldest: Node<T> | undefined;
  const remove = (node: Node<T>): void => {
    nodes.delete(node.key);
    if (node.newer === undefined) newest = node.older;
    else node.newer.older = node.older;
    if (node.older === undefined) oldest = node.newer;
    else node.older.newer = node.newer;
  };
  return {
    get size() {
      return nodes.size;
    },
    set: (key, value) => {
      const before = nodes.get(key);
      if (before !== undefined) remove(before);
      const node: Node<T> = { key, value, older: newest, newer: undefined };
      if (newest === undefined) oldest = node;
      else newest.newer = node;
      newest = node;
      nodes.set(key, node);
    },
    removeOldest: () => {
      const removed = oldest;
      if (removed !== undefined) remove(removed);
      return removed?.value;
    },
    *newestFirst() {
      for (let node = newest; node !== undefined; node = node.older) yield node.value;
    },
  };
}
