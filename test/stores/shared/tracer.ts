/** The trace of processes on several machines: what their database stores, and what they send. */
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { readRecord } from '../../../src/engine/journal/record.ts';
import { EntryReader, identityOf, isAccepted } from '../../model/entries.ts';
import { checkTrace, type Traced } from '../../model/trace.ts';
import type { Watch } from './simulated.ts';

export class SharedTracer {
  readonly #trace: Traced[] = [];
  /** The writes of which each line of the database records something; the end of a run is of none. */
  #lines: (readonly string[])[] = [];
  #reader = new EntryReader();

  /** What must not have happened, by the transitions of the model. */
  get broken(): readonly string[] {
    const wrong = checkTrace(this.#trace);
    return wrong === undefined ? [] : [wrong];
  }

  /** One process on a connection of its own. */
  watch(actor: string): Watch {
    return {
      taken: () => void this.#trace.push({ actor, event: 'claim' }),
      stored: (text) => {
        for (const event of this.#read(text)) this.#trace.push({ actor, ...event });
      },
    };
  }

  /** The wire of a process. @param actorNow which process of its machine is running */
  wire(own: Transport, actorNow: () => string): Transport {
    return async (request, signal) => {
      const identity = identityOf(request);
      if (identity === undefined) return own(request, signal);
      this.#trace.push({ actor: actorNow(), event: 'send', identity });
      const response = await own(request, signal);
      if (isAccepted(response)) {
        this.#trace.push({ actor: 'exchange', event: 'execute', identity });
      }
      return response;
    };
  }

  /** The database is now a copy with these lines: nobody has the run, and some writes are forgotten. */
  restored(text: string): void {
    const before = this.#lines;
    this.#lines = [];
    this.#reader = new EntryReader();
    this.#read(text);
    const actor = 'the database';
    for (const other of new Set(this.#trace.map((each) => each.actor))) {
      this.#trace.push({ actor: other, event: 'lose' });
    }
    for (const identity of new Set(before.slice(this.#lines.length).flat())) {
      this.#trace.push({ actor, event: 'forget', identity });
    }
  }

  #read(text: string): ReturnType<EntryReader['eventsOf']> {
    return text
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => {
        const events = this.#reader.eventsOf(readRecord(line).entry);
        const records = events.filter(({ event }) => event !== 'end');
        this.#lines.push(records.map(({ identity }) => identity));
        return events;
      });
  }
}
