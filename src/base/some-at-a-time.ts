/** Work on many items, some at a time. */

/**
 * Works on every item, on at most so many at once.
 * @returns the results in the order of the items
 * @throws the first error; nothing is begun after it
 */
export async function someAtATime<T, R>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const left = items.entries();
  let isBroken = false;
  const worker = async (): Promise<void> => {
    for (const [at, item] of left) {
      if (isBroken) return;
      try {
        results[at] = await work(item);
      } catch (error) {
        isBroken = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
