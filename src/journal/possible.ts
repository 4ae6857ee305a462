/** What may have been sent by a machine that is gone: what its steps said when they began. */
import type { Millis } from '../base/clock.ts';
import { appendTo } from '../base/groups.ts';
import { digestOf } from '../base/json.ts';
import { operationOf } from '../api/operations/index.ts';
import type { Infer } from '../api/schema.ts';
import type { Address, Entry, Event } from './entry.ts';
import { isFinal, isSaidAbsent, provenAt, replay } from './replay.ts';
import type { write } from './schema.ts';

/** A write with all that names it: enough to look it up. */
export type Write = Infer<typeof write>;

/** A digest that two writes share when one of them is the other. */
export function contentOf({ operation, input, identity, account = '' }: Write): string {
  return digestOf([operation, input, identity, account]);
}

/** A machine, and the time in which it may have sent something without reporting it. */
export interface Lost {
  readonly host: string;
  readonly since: Millis;
  readonly until: Millis;
}

/**
 * What to record before a run continues elsewhere: an intent for each write the lost machine may have
 * sent, and after them that it was taken over. The last one seals them: where a crash tore it off,
 * all of them are recorded again.
 * @param entries what the lost machine told of the run
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
 * Whether it can be found out later the outcome of a write, or done again without harm. One that
 * cannot be is reported by itself before it is sent: its own intent says that it may have happened.
 */
export function isLookedUp({ operation }: Write): boolean {
  return operationOf(operation).effect !== 'once';
}

/**
 * Whether a run may have sent a write. A journal that another machine left holds what was opened
 * before the first write of each step, and may lack what was sent after that.
 */
export function mayHaveSent(entries: readonly Entry[]): boolean {
  return entries.some(
    (entry) =>
      entry.kind === 'intended' || (entry.kind === 'opened' && (entry.writes ?? []).length > 0),
  );
}

/** The writes of all steps that were opened, but for those that ended since. */
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

/** Writes without a final word as they were last sent, by the step that sent them. */
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
