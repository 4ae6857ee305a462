/** How long requests take at the limits of the API, before the first is sent. */
import { operationOf, type OperationName } from '../api/operations/index.ts';

/**
 * Seconds that a number of calls of each operation needs at the least: a window's worth goes at
 * once, each further one waits for a window.
 */
export function secondsAtLimits(requests: ReadonlyMap<OperationName, number>): number {
  let ms = 0;
  for (const [name, count] of requests) {
    const { permits, per } = operationOf(name).limit;
    ms += Math.max(0, Math.ceil(count / permits) - 1) * per;
  }
  return ms / 1000;
}

/** Counts requests of an operation that a run will make. */
export function expectRequests(
  expected: Map<OperationName, number>,
  operation: OperationName,
  count: number,
): void {
  expected.set(operation, (expected.get(operation) ?? 0) + count);
}
