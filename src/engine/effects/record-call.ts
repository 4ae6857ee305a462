/** Records the events of a call in the journal. */
import type { Millis } from '../../base/clock.ts';
import type { CallEvent } from '../../exchange/api/exchange.ts';
import type { EffectContext } from './effect-context.ts';

/** Records the events of a call: longer waits, and responses. */
export function recordCall(address: string, context: EffectContext): (event: CallEvent) => void {
  return (event) => {
    const entry = entryOf(event, address);
    if (entry !== undefined) context.recordLater(entry);
  };
}

const waitWorthTelling: Millis = 200;

function entryOf(
  event: CallEvent,
  address: string,
): Parameters<EffectContext['record']>[0] | undefined {
  const { operation } = event;
  switch (event.kind) {
    case 'sent':
      return undefined;
    case 'waiting':
      return event.ms < waitWorthTelling
        ? undefined
        : { kind: 'waited', address, operation, why: 'limit', ms: Math.round(event.ms) };
    case 'retrying':
      return {
        kind: 'waited',
        address,
        operation,
        why: 'retry',
        ms: Math.round(event.inMs),
        because: event.because,
      };
    case 'answered': {
      const { attempt, status, code, deviations } = event;
      return {
        kind: 'answered',
        address,
        operation,
        attempt,
        ms: Math.round(event.ms),
        status,
        code,
        ...(deviations && { deviations }),
      };
    }
  }
}
