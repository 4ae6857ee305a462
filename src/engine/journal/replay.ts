/** The facts that a run's entries prove: folded once, for resumes and reports. */
import type { Millis } from '../../base/clock.ts';
import type { Address, Entry, Outcome } from './entry.ts';
import { foldedOnce } from './folded.ts';

/** A signed attempt at a write. */
export interface Signing {
  /** The signed timestamp, on the exchange's clock. */
  readonly signedAt: Millis;
  /** The wall clock when the attempt was recorded, before it was sent. */
  readonly recordedAt: Millis;
}

/** The state of one address. */
export interface Proven {
  /** Signed attempts without a final response of the exchange, oldest first. */
  readonly openSince: readonly Signing[];
  /** The number of attempts at the address. */
  readonly attempts: number;
  readonly outcome?: Outcome;
  /** Whether an expectation on the response failed. */
  readonly isUnmet?: true;
  /** The question that people were asked. */
  readonly asked?: EntryOf<'asked'>;
  /** An export in progress, with its checkpoints. */
  readonly reading?: Reading;
  /** The time in which another machine may have signed the write without reporting it. */
  readonly unreported?: SignedRange;
  /** The digest of the request. */
  readonly of?: string;
}

export interface Reading {
  readonly began: EntryOf<'reading'>;
  /** The checkpoints of the export, oldest first. */
  readonly marks: readonly EntryOf<'paged'>[];
}

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

interface SignedRange {
  readonly since: Millis;
  readonly until: Millis;
  /** Whether writes that are pushed separately may be among the unreported ones, too. */
  readonly forgets?: true;
}

/** The state of each address; `unknown` applies to addresses without entries. */
export type Replay = ReadonlyMap<Address, Proven> & { readonly unknown: Proven };

const untouched: Proven = { openSince: [], attempts: 0 };

/** Folds entries to the state of every address, once until more are appended. */
export const replay: (entries: readonly Entry[]) => Replay = foldedOnce(foldedFrom);

function foldedFrom(entries: readonly Entry[]): Replay {
  const known = new Map<Address, Proven>();
  const marksOf = new Map<Address, EntryOf<'paged'>[]>();
  let unknown = untouched;
  for (const entry of entries) {
    if (entry.kind === 'taken-over' && entry.isListed !== true) {
      const { since, until, forgets } = entry;
      const unreported = { since, until, ...(forgets && { forgets }) };
      unknown = { ...untouched, unreported };
      for (const [address, proven] of known) {
        if (proven.outcome === undefined || !isFinal(proven.outcome))
          known.set(address, { ...proven, unreported });
      }
    }
    if (entry.kind === 'intended') {
      const before = known.get(entry.address) ?? unknown;
      known.set(entry.address, {
        openSince: [...before.openSince, ...signingsOf(entry)],
        attempts: before.attempts + 1,
        ...ofEither(entry.of, before.of),
      });
    }
    if (entry.kind === 'settled') {
      const { isUnmet: _ofEarlier, ...before } = known.get(entry.address) ?? unknown;
      const isFinal = entry.outcome.kind !== 'doubt' && !isSaidAbsent(entry.outcome);
      known.set(entry.address, {
        ...before,
        openSince: isFinal ? [] : before.openSince,
        outcome: entry.outcome,
        ...ofEither(entry.of, before.of),
      });
    }
    if (entry.kind === 'unmet' && entry.level === 'error') {
      known.set(entry.address, { ...(known.get(entry.address) ?? untouched), isUnmet: true });
    }
    if (entry.kind === 'asked') {
      const before = known.get(entry.address) ?? untouched;
      known.set(entry.address, { ...before, asked: before.asked ?? entry });
    }
    if (entry.kind === 'reading') {
      const before = known.get(entry.address) ?? untouched;
      const marks: EntryOf<'paged'>[] = [];
      marksOf.set(entry.address, marks);
      known.set(entry.address, { ...before, reading: { began: entry, marks } });
    }
    if (entry.kind === 'paged') {
      const marks = marksOf.get(entry.address);
      // Pages that were lost on the disk are read again.
      while ((marks?.at(-1)?.page ?? 0) >= entry.page) marks?.pop();
      marks?.push(entry);
    }
  }
  return Object.assign(known, { unknown });
}

/** The times between which an attempt was signed. */
export function signingsOf({ since, signedAt, at }: EntryOf<'intended'>): readonly Signing[] {
  const moments = since === undefined ? [signedAt] : [since, signedAt];
  return moments.map((moment) => ({ signedAt: moment, recordedAt: at }));
}

/**
 * The time range since the store of a run forgot entries that it had confirmed; undefined if it never
 * did.
 */
export function forgottenSince(entries: readonly Entry[]): SignedRange | undefined {
  const { unreported } = replay(entries).unknown;
  return unreported?.forgets ? unreported : undefined;
}

/** Whether a sent write has no outcome, from the exchange or a person. */
export function hasOpenWrite(entries: readonly Entry[]): boolean {
  return [...replay(entries).values()].some(
    ({ openSince, outcome }) => openSince.length > 0 && !isSaidAbsent(outcome),
  );
}

/** Whether a person recorded a write as absent: it is sent again after another search. */
export function isSaidAbsent(outcome: Outcome | undefined): boolean {
  return outcome?.kind === 'failed' && outcome.person !== undefined;
}

/** Whether a write with this outcome is never sent again: done, or abandoned. */
export function isFinal(outcome: Outcome): boolean {
  return outcome.kind === 'done' || (outcome.kind === 'skipped' && outcome.person !== undefined);
}

/** Whether an intended write may have been executed: it was not refused, and did not fail. */
export function mayHaveHappened({ attempts, outcome, openSince }: Proven): boolean {
  if (attempts === 0) return false;
  if (openSince.length > 0) return true;
  return outcome?.kind !== 'refused' && outcome?.kind !== 'failed';
}

function ofEither(now: string | undefined, before: string | undefined): Pick<Proven, 'of'> {
  const of = now ?? before;
  return of === undefined ? {} : { of };
}

/** The state of an address, which is empty if it has no entries. */
export function provenAt(known: Replay, address: Address): Proven {
  return known.get(address) ?? known.unknown;
}
