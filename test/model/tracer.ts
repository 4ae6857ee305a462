/** Traces of lives on one journal: what it records of its writes, and what reaches the exchange. */
import type { WireRequest, WireResponse } from '../../src/exchange/api/exchange.ts';
import { readJournal } from '../../src/engine/journal/journal.ts';
import { EntryReader, identityOf, isAccepted } from './entries.ts';
import type { Traced } from './trace.ts';

export class Tracer {
  readonly #read: () => string;
  readonly #trace: Traced[] = [];
  readonly #reader = new EntryReader();
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
    this.#trace.push({ actor: this.#actor, event: 'claim' });
  }

  /** A request leaves the process. */
  sends(request: WireRequest): void {
    const identity = identityOf(request);
    if (identity === undefined) return;
    this.#keep();
    this.#trace.push({ actor: this.#actor, event: 'send', identity });
  }

  /** The exchange has answered a request, whenever it arrived. */
  executes(request: WireRequest, response: WireResponse): void {
    const identity = identityOf(request);
    if (identity === undefined || !isAccepted(response)) return;
    this.#keep();
    this.#trace.push({ actor: 'exchange', event: 'execute', identity });
  }

  get #actor(): string {
    return `life ${this.#lives}`;
  }

  /** What has been recorded since the last event. */
  #keep(): void {
    const { entries } = readJournal(this.#read(), 'journal.ndjson');
    for (const entry of entries.slice(this.#seen)) {
      const events = this.#reader.eventsOf(entry);
      this.#trace.push(...events.map((each) => ({ actor: this.#actor, ...each })));
    }
    this.#seen = Math.max(this.#seen, entries.length);
  }
}
