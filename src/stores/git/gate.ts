/** A journal that is pushed to other machines before it allows a write. */
import type { Millis } from '../../base/clock.ts';
import type { Address, Entry, Event } from '../../engine/journal/entry.ts';
import type { Journal } from '../../engine/journal/journal.ts';
import { contentOf, isLookedUp } from '../../engine/journal/possible.ts';
import { StoreError } from '../store.ts';

/** Publishes a run: pushes its journal and renews its lease. */
export interface Publisher {
  /** Number of the last pushed entry. */
  published(): number;
  /** The end of the lease: nothing may be signed after this time. */
  until(): Millis;
  /** Pushes the entries that are on the disk and renews the lease. @throws StoreError, HeldError */
  publish(): Promise<void>;
}

/**
 * A journal that pushes its entries before writes. A push takes a second or more, so not every order is
 * pushed. When a step starts, its entry lists every write it may send, with its content; everything that this
 * content was derived from precedes it in the journal. So one push before the first write of each step is
 * enough for another machine to know every write the step may have sent, and to look each of them up. Their
 * outcomes are pushed when the lease is renewed, and at the end.
 *
 * Any other write is pushed separately with its intent before it is sent: one that no step listed with
 * exactly this content, and a `once` write, which cannot be looked up. So another machine knows which of them
 * may have been executed, and puts no other write in doubt.
 *
 * Nothing is signed after the lease: the time in the signature is checked against it, and both are the
 * exchange's. So another machine that takes over after it can know when the last copy in progress was refused
 * as too old.
 * @param lease its full length; when half of it is gone it is renewed next to the work
 */
export function gatedJournal(inner: Journal, lease: Millis, publisher: Publisher): Journal {
  const listed = new Map<Address, Listed>();
  const append: Journal['append'] = (event, sync) => {
    if (event.kind === 'asked') {
      const asked = inner.append(event, sync);
      asked.then(() => publisher.publish()).catch(() => undefined); // so that others can answer
      return asked;
    }
    if (event.kind !== 'opened') return inner.append(event, sync);
    const opening = inner.append(event); // an intent of its writes waits for it
    // Registered at the call: an intent may come before the entry is on the disk.
    for (const write of event.writes ?? []) {
      if (isLookedUp(write)) listed.set(write.address, { opening, content: contentOf(write) });
    }
    return opening;
  };
  const isPublished = (seq: number, signedAt: Millis): boolean =>
    publisher.published() >= seq && signedAt <= publisher.until();
  /** Publishes the journal up to an entry. @param seq number of a durable entry */
  const publishUpTo = async (seq: number, signedAt: Millis): Promise<void> => {
    if (isPublished(seq, signedAt)) {
      if (publisher.until() - signedAt < lease / 2) publisher.publish().catch(() => undefined);
      return;
    }
    await publisher.publish();
    if (isPublished(seq, signedAt)) return;
    throw new StoreError(
      'other machines could not be notified of a write before it is sent; nothing was sent',
      'resume the run',
    );
  };
  const passIntent = async (event: Intent): Promise<Entry> => {
    const { signedAt } = event;
    const known = listed.get(event.address);
    if (known?.content === contentOf(event)) {
      const { seq } = await known.opening;
      await publishUpTo(seq, signedAt);
      return append(event);
    }
    await publishUpTo(1, signedAt); // a lost lease is detected before the intent is written
    const entry = await append(event);
    await publishUpTo(entry.seq, signedAt);
    return entry;
  };
  return {
    append: (event, sync) => (event.kind === 'intended' ? passIntent(event) : append(event, sync)),
    flush: () => inner.flush(),
    length: () => inner.length(),
    close: () => inner.close(),
  };
}

type Intent = Extract<Event, { readonly kind: 'intended' }>;

/** A write that the entry of a step's start lists. */
interface Listed {
  readonly opening: Promise<Entry>;
  readonly content: string;
}
