/** Traces of lives on one journal: what it records of its writes, and what reaches the exchange. */
import { fieldOf } from '../../src/base/json.ts';
import { successCode } from '../../src/api/errors.ts';
import type { WireRequest, WireResponse } from '../../src/api/exchange.ts';
import type { Entry, Outcome } from '../../src/journal/entry.ts';
import { readJournal } from '../../src/journal/journal.ts';
import type { Traced } from './trace.ts';
import type { TraceEvent } from './transitions.ts';

const nameFields: Readonly<Record<string, string>> = {
  'futures/place-order': 'clientOid',
  'account/create-sub': 'username',
};

export class Tracer {
  readonly #read: () => string;
  readonly #trace: Traced[] = [];
  /** Orders and sub-accounts by address. */
  readonly #writes = new Map<string, string>();
  readonly #open = new Set<string>();
  #seen = 0;
  #lives = 0;

  /** @param read the journal as far as it is on the disk */
  constructor(read: () => string) {
    this.#read = read;
  }

  /** Everything so far. */
  get trace(): readonly Traced[] {
    this.#keep();
    return this.#trace;
  }

  /** Another process continues the run. */
  begins(): void {
    this.#keep();
    this.#lives += 1;
    this.#add('claim');
  }

  /** A request leaves the process. */
  sends(request: WireRequest): void {
    const identity = nameIn(request.operation, JSON.parse(request.body || '{}'));
    if (identity === undefined) return;
    this.#keep();
    this.#add('send', identity);
  }

  /** The exchange has answered a request, whenever it arrived. */
  executes(request: WireRequest, { body }: WireResponse): void {
    const identity = nameIn(request.operation, JSON.parse(request.body || '{}'));
    if (identity === undefined) return;
    if (fieldOf(JSON.parse(Buffer.from(body).toString()), 'code') !== successCode) return;
    this.#keep();
    this.#trace.push({ actor: 'exchange', event: 'execute', identity });
  }

  #add(event: TraceEvent, identity?: string): void {
    this.#trace.push({ actor: `life ${this.#lives}`, event, ...(identity && { identity }) });
  }

  /** What has been recorded since the last event. */
  #keep(): void {
    const { entries } = readJournal(this.#read(), 'journal.ndjson');
    for (const entry of entries.slice(this.#seen)) this.#keepEntry(entry);
    this.#seen = Math.max(this.#seen, entries.length);
  }

  #keepEntry(entry: Entry): void {
    if (entry.kind === 'intended') {
      const identity = nameIn(entry.operation, entry.input);
      if (identity === undefined) return;
      this.#writes.set(entry.address, identity);
      this.#open.add(identity);
      this.#add(entry.since === undefined ? 'intend' : 'suspect', identity);
    }
    if (entry.kind === 'settled') {
      const identity = this.#writes.get(entry.address);
      const event = eventOf(entry.outcome);
      if (identity === undefined || event === undefined) return;
      this.#open.delete(identity);
      this.#add(event, identity);
    }
    if (entry.kind === 'finished' && entry.status !== 'interrupted') {
      // A run that ends in doubt reports each write without an outcome.
      if (entry.status === 'doubt') for (const open of this.#open) this.#add('doubt', open);
      for (const identity of new Set(this.#writes.values())) this.#add('end', identity);
    }
  }
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
