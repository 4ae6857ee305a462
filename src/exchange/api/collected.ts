/** An exchange that collects how its responses deviate from the interface. */
import { DeviationCounts, type Deviation } from './deviation.ts';
import type { Exchange } from './exchange.ts';
import type { OperationName } from './operations/index.ts';

export interface OperationDeviation extends Deviation {
  readonly operation: OperationName;
}

export interface Collected {
  /** The exchange whose deviations are collected; events of its calls go to the observer of the call only. */
  readonly exchange: Exchange;
  /** All deviations until now, by operation. */
  readonly deviations: () => readonly OperationDeviation[];
}

export function collecting(exchange: Exchange): Collected {
  const found = new Map<OperationName, DeviationCounts>();
  return {
    exchange: {
      ...exchange,
      call: (name, input, options) =>
        exchange.call(name, input, {
          ...options,
          onEvent: (event) => {
            options?.onEvent?.(event);
            if (event.kind !== 'answered') return;
            const counts = found.get(event.operation) ?? new DeviationCounts();
            found.set(event.operation, counts);
            for (const deviation of event.deviations ?? []) counts.add(deviation);
          },
        }),
    },
    deviations: () =>
      [...found].flatMap(([operation, counts]) =>
        counts.all().map((deviation) => ({ operation, ...deviation })),
      ),
  };
}
