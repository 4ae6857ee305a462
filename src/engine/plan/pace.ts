/** The duration of requests under the limits of the API, before the first is sent. */
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';

/**
 * Minimum seconds for a number of calls of each operation: one window's worth is sent at once, each
 * further one waits for a window.
 */
export function secondsAtLimits(requests: ReadonlyMap<OperationName, number>): number {
  let ms = 0;
  for (const [name, count] of requests) {
    const { permits, per } = operationOf(name).limit;
    ms += Math.max(0, Math.ceil(count / permits) - 1) * per;
  }
  return ms / 1000;
}

/** Counts the requests of an operation that a run will make. */
export function expectRequests(
  expected: Map<OperationName, number>,
  operation: OperationName,
  count: number,
): void {
  expected.set(operation, (expected.get(operation) ?? 0) + count);
}
