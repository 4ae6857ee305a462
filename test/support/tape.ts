/** A journal in the making, written the way a runner writes one. */
import type { Millis } from '../../src/base/clock.ts';
import { sha256, type Json } from '../../src/base/json.ts';
import type { OperationName } from '../../src/exchange/api/operations/index.ts';
import type { Address, Entry, Event, Outcome } from '../../src/engine/journal/entry.ts';

/** Every `add` takes place at the tape's own time. */
export interface Tape {
  readonly entries: Entry[];
  wait(ms: Millis): Tape;
  add(...events: readonly Event[]): Tape;
  /** Sends an action and hears the answer. */
  send(action: Sent): Tape;
  /** Reads once and settles. */
  read(address: Address, operation: OperationName, output: Json, ms?: Millis): Tape;
}

export interface Sent {
  readonly address: Address;
  readonly operation: OperationName;
  readonly input: Json;
  readonly outcome: Outcome;
  readonly ms?: Millis;
  readonly code?: string;
  readonly status?: number;
}

export const startOfRuns: Millis = Date.UTC(2026, 10, 20, 0, 41, 7, 120);

export function tape(earlier: readonly Entry[] = []): Tape {
  const entries: Entry[] = [...earlier];
  let at = earlier.at(-1)?.at ?? startOfRuns;
  const attempts = new Map<Address, number>();
  const made: Tape = {
    entries,
    wait: (ms) => {
      at += ms;
      return made;
    },
    add: (...events) => {
      for (const event of events) {
        if (event.kind === 'intended') attempts.set(event.address, event.attempt);
        entries.push({ ...event, seq: entries.length + 1, at });
      }
      return made;
    },
    send: ({ address, operation, input, outcome, ms = 140, code = '00000', status = 200 }) => {
      const attempt = (attempts.get(address) ?? 0) + 1;
      const identity = sha256(address).slice(0, 26);
      made.add({ kind: 'intended', address, operation, input, identity, attempt, signedAt: at });
      made.wait(ms);
      made.add({ kind: 'answered', address, operation, attempt, ms, status, code });
      return made.add({ kind: 'settled', address, outcome });
    },
    read: (address, operation, output, ms = 90) => {
      made.wait(ms).add({
        kind: 'answered',
        address,
        operation,
        attempt: 1,
        ms,
        status: 200,
        code: '00000',
      });
      return made.add({ kind: 'settled', address, outcome: done(output) });
    },
  };
  return made;
}

export const done = (output: Json): Outcome => ({ kind: 'done', output, evidence: 'answered' });
