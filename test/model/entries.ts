/** What journal entries, requests and responses mean for the writes of the model. */
import { fieldOf } from '../../src/base/json.ts';
import { successCode } from '../../src/exchange/api/errors.ts';
import type { WireRequest, WireResponse } from '../../src/exchange/api/exchange.ts';
import type { Entry, Outcome } from '../../src/engine/journal/entry.ts';
import type { TraceEvent } from './transitions.ts';

/** One event of one write. */
export interface WriteEvent {
  readonly event: TraceEvent;
  readonly identity: string;
}

const nameFields: Readonly<Record<string, string>> = {
  'futures/place-order': 'clientOid',
  'trade/place-order': 'clientOid',
  'account/create-sub': 'username',
};

/** Reads the entries of one journal in their order. */
export class EntryReader {
  /** Orders and sub-accounts by address. */
  readonly #writes = new Map<string, string>();
  readonly #open = new Set<string>();

  eventsOf(entry: Entry): readonly WriteEvent[] {
    if (entry.kind === 'intended') {
      const identity = nameIn(entry.operation, entry.input);
      if (identity === undefined) return [];
      this.#writes.set(entry.address, identity);
      this.#open.add(identity);
      return [{ event: entry.since === undefined ? 'intend' : 'suspect', identity }];
    }
    if (entry.kind === 'settled') {
      const identity = this.#writes.get(entry.address);
      const event = eventOf(entry.outcome);
      if (identity === undefined || event === undefined) return [];
      this.#open.delete(identity);
      return [{ event, identity }];
    }
    if (entry.kind !== 'finished' || entry.status === 'interrupted') return [];
    // A run that ends in doubt reports each write without an outcome.
    const doubts = entry.status === 'doubt' ? this.#open : [];
    return [
      ...[...doubts].map((identity): WriteEvent => ({ event: 'doubt', identity })),
      ...[...new Set(this.#writes.values())].map((identity): WriteEvent => ({
        event: 'end',
        identity,
      })),
    ];
  }
}

/** The write of a request; undefined for all others. */
export function identityOf({ operation, body }: WireRequest): string | undefined {
  return nameIn(operation, JSON.parse(body || '{}'));
}

/** Whether the exchange has accepted a request; a gateway before it may have emptied its response. */
export function isAccepted({ status, headers, body }: WireResponse): boolean {
  if (!/json/.test(headers['content-type'] ?? '')) return false; // a page
  const text = Buffer.from(body).toString();
  return status === 200 && (text === '' || fieldOf(JSON.parse(text), 'code') === successCode);
}

function nameIn(operation: string, input: unknown): string | undefined {
  const field = nameFields[operation];
  return field === undefined ? undefined : String(Object(input)[field]);
}

function eventOf(outcome: Outcome): TraceEvent | undefined {
  switch (outcome.kind) {
    case 'done':
    case 'doubt':
      return outcome.kind;
    case 'refused':
      return 'fail';
    case 'failed':
      return outcome.person === undefined ? 'fail' : 'absent';
    case 'skipped':
      return outcome.person === undefined ? undefined : 'abandon';
  }
}
