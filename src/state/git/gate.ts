/** A journal that tells other machines before it lets a write go. */
import type { Millis } from '../../base/clock.ts';
import { operationOf } from '../../contract/operations/index.ts';
import type { Entry, Event } from '../../journal/entry.ts';
import type { Journal } from '../../journal/journal.ts';

/** What others were told of a run. */
export interface Telling {
  /** They know the journal up to this entry. */
  told(): number;
  /** Nothing may be signed after this moment. */
  until(): Millis;
  /** Tells them all of it and renews the lease. @throws StoreError, HeldError */
  tell(): Promise<void>;
}

/**
 * A push takes a second or more, so not every order is told. What names an order follows from the
 * run and its address, and addresses follow from what the journal holds when a step is opened: its
 * items, and every answer read before. So one push before the first write of each step is enough
 * for another machine to work out every order the step may have placed, and to look each of them
 * up. How they ended is told when the lease is renewed, and at the end.
 *
 * A `once` write cannot be looked up: each is told by itself, so that another machine knows which
 * of them may have happened, and no other is put in doubt.
 *
 * Nothing is signed after the lease: the time in the signature is held against it, and both are
 * the exchange's. So another machine that takes over after it can know when the last copy under
 * way was refused as too old.
 * @param lease its full length; when half of it is gone it is renewed beside the work
 */
export function gatedJournal(inner: Journal, lease: Millis, telling: Telling): Journal {
  const opened = new Map<string, number>();
  let last = 0;
  const note = (entry: Entry): Entry => {
    last = Math.max(last, entry.seq);
    if (entry.kind === 'opened') opened.set(entry.step, entry.seq);
    return entry;
  };
  const append = async (event: Event): Promise<Entry> => note(await inner.append(event));
  const passIntent = async (event: Intent): Promise<Entry> => {
    const needed = openingOf(event.address, opened) ?? last;
    if (telling.told() < needed || event.signedAt > telling.until()) await telling.tell();
    else if (telling.until() - event.signedAt < lease / 2) telling.tell().catch(() => undefined);
    const entry = await append(event);
    if (operationOf(event.operation).effect === 'once') await telling.tell();
    return entry;
  };
  return {
    append: (event) => (event.kind === 'intended' ? passIntent(event) : append(event)),
    close: () => inner.close(),
  };
}

type Intent = Extract<Event, { readonly kind: 'intended' }>;

/** The entry that opened the innermost step of an address: `desks[a]/ladder` of its items. */
function openingOf(address: string, opened: ReadonlyMap<string, number>): number | undefined {
  let found: number | undefined;
  for (const [step, seq] of opened) {
    if (address !== step && !address.startsWith(`${step}[`)) continue;
    found = Math.max(found ?? 0, seq);
  }
  return found;
}
