/** The writes that a lost machine may have sent, by the opening records of its steps. */
import type { Millis } from '../../base/clock.ts';
import { appendTo } from '../../base/groups.ts';
import { digestOf } from '../../base/json.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import type { Infer } from '../../exchange/api/schema.ts';
import type { Address, Entry, Event } from './entry.ts';
import { isFinal, isSaidAbsent, provenAt, replay } from './replay.ts';
import type { write } from './entry-schema.ts';

/** A write with its identity: enough to look it up. */
export type Write = Infer<typeof write>;

/** A digest that is equal for equal writes. */
export function contentOf({ operation, input, identity, account = '' }: Write): string {
  return digestOf([operation, input, identity, account]);
}

/** A machine, and the time in which it may have sent unreported writes. */
export interface Lost {
  readonly host: string;
  readonly since: Millis;
  readonly until: Millis;
}

/**
 * The entries to record before a run continues elsewhere: an intent for each write the lost machine
 * may have sent, and last the takeover. If a crash lost the last one, all are recorded again.
 * @param entries those that the lost machine pushed
 */
export function takenOver(entries: readonly Entry[], { host, since, until }: Lost): Event[] {
  const known = replay(entries);
  const intents = possibleIn(entries).map((write): Event => {
    const attempt = provenAt(known, write.address).attempts + 1;
    return { kind: 'intended', ...write, attempt, since, signedAt: until };
  });
  return [...intents, { kind: 'taken-over', host, since, until, isListed: true }];
}

/**
 * Whether the outcome of a write can be determined later, or the write repeated without harm. Any
 * other is pushed separately before it is sent: its own intent shows that it may have been
 * executed.
 */
export function isLookedUp({ operation }: Write): boolean {
  return operationOf(operation).effect !== 'once';
}

/**
 * Whether a run may have sent a write. A journal pushed by another machine has the openings before the
 * first write of each step, and may lack the writes that followed.
 */
export function mayHaveSent(entries: readonly Entry[]): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'intended' || (entry.kind === 'opened' && (entry.writes ?? []).length > 0),
  );
}

/** The writes of all opened steps, without those that have ended. */
function possibleIn(entries: readonly Entry[]): readonly Write[] {
  const possible = new Map<Address, Write>();
  const final = new Set<Address>();
  for (const entry of entries) {
    if (entry.kind === 'opened') {
      for (const write of entry.writes ?? []) {
        if (isLookedUp(write) && !final.has(write.address)) possible.set(write.address, write);
      }
    }
    if (entry.kind === 'settled') {
      possible.delete(entry.address);
      if (isFinal(entry.outcome)) final.add(entry.address);
    }
  }
  return [...possible.values()];
}

/** The last sent form of writes without an outcome, by their step. */
export function openWritesIn(entries: readonly Entry[]): ReadonlyMap<string, readonly Write[]> {
  const stepOf = new Map<Address, string>();
  const sent = new Map<Address, Write>();
  for (const entry of entries) {
    if (entry.kind === 'opened') {
      for (const { address } of entry.writes ?? []) stepOf.set(address, entry.step);
    }
    if (entry.kind === 'intended') sent.set(entry.address, entry);
  }
  const known = replay(entries);
  const open = new Map<string, Write[]>();
  for (const [address, write] of sent) {
    const step = stepOf.get(address);
    const { openSince, outcome } = provenAt(known, address);
    if (step === undefined || openSince.length === 0 || isSaidAbsent(outcome)) continue;
    appendTo(open, step, write);
  }
  return open;
}
