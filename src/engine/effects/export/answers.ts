/** Responses of an export, recorded in groups: a long one has thousands of similar ones. */
import type { Millis } from '../../../base/clock.ts';
import { successCode } from '../../../exchange/api/errors.ts';
import { DeviationCounts } from '../../../exchange/api/deviation.ts';
import type { CallEvent } from '../../../exchange/api/exchange.ts';
import type { OperationName } from '../../../exchange/api/operations/index.ts';
import type { EffectContext } from '../effect-context.ts';
import { recordCall } from '../record-call.ts';

export interface Answers {
  /** Receives the events of the calls: waits and unusual responses are recorded individually. */
  readonly onEvent: (event: CallEvent) => void;
  /** Records the responses since the last record. */
  readonly recordAll: () => void;
}

export function answersOf(
  address: string,
  operation: OperationName,
  context: EffectContext,
): Answers {
  const recordOne = recordCall(address, context);
  let same: { readonly count: number; readonly ms: Millis; readonly status: number } | undefined;
  let found = new DeviationCounts();
  return {
    onEvent: (event) => {
      if (event.kind !== 'answered' || event.code !== successCode || event.attempt > 1) {
        recordOne(event);
        return;
      }
      const { count, ms } = same ?? { count: 0, ms: 0 };
      same = { count: count + 1, ms: ms + event.ms, status: event.status };
      for (const deviation of event.deviations ?? []) found.add(deviation);
    },
    recordAll: () => {
      if (same === undefined) return;
      const { count, ms, status } = same;
      same = undefined;
      const entry = { address, operation, attempt: 1, ms: Math.round(ms), status };
      const pages = count > 1 ? { count } : {};
      const deviations = found.all();
      found = new DeviationCounts();
      const odd = deviations.length > 0 ? { deviations } : {};
      context.recordLater({ kind: 'answered', ...entry, code: successCode, ...pages, ...odd });
    },
  };
}
