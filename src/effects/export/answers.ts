/** Answers of an export, told together: a long one has thousands, all alike. */
import type { Millis } from '../../base/clock.ts';
import { successCode } from '../../contract/errors.ts';
import type { CallEvent } from '../../contract/exchange.ts';
import type { OperationName } from '../../contract/operations/index.ts';
import type { Bench } from '../bench.ts';
import { tell } from '../tell.ts';

export interface Answers {
  /** Waits, and answers that are not as they should be, are told one by one. */
  readonly onEvent: (event: CallEvent) => void;
  /** Tells of the others that came since the last time. */
  readonly tellAll: () => void;
}

export function answersOf(address: string, operation: OperationName, bench: Bench): Answers {
  const tellOne = tell(address, bench);
  let held: { readonly count: number; readonly ms: Millis; readonly status: number } | undefined;
  return {
    onEvent: (event) => {
      if (event.kind !== 'answered' || event.code !== successCode || event.attempt > 1) {
        tellOne(event);
        return;
      }
      const { count, ms } = held ?? { count: 0, ms: 0 };
      held = { count: count + 1, ms: ms + event.ms, status: event.status };
    },
    tellAll: () => {
      if (held === undefined) return;
      const { count, ms, status } = held;
      held = undefined;
      const entry = { address, operation, attempt: 1, ms: Math.round(ms), status };
      bench
        .record({ kind: 'answered', ...entry, code: successCode, ...(count > 1 && { count }) })
        .catch(() => undefined); // a failing disk rejects the next entry too
    },
  };
}
