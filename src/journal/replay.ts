/** What a run's entries prove: folded once, asked by whoever resumes or reports. */
import type { Millis } from '../base/clock.ts';
import type { Address, Entry, Outcome } from './entry.ts';

/** The state of one address. */
export interface Proven {
  /** When the signed attempts without a final word were signed. */
  readonly openSince: readonly Millis[];
  /** Attempts so far, for numbering the next. */
  readonly attempts: number;
  readonly outcome?: Outcome;
  /** An export under way, with the marks it made. */
  readonly reading?: Reading;
  /** Another machine may have signed it in this time, and never said so. */
  readonly unreported?: Span;
  /** Digest of what was asked. */
  readonly of?: string;
}

export interface Reading {
  readonly began: EntryOf<'reading'>;
  /** Oldest first. */
  readonly marks: readonly EntryOf<'paged'>[];
}

type EntryOf<K extends Entry['kind']> = Extract<Entry, { readonly kind: K }>;

interface Span {
  readonly since: Millis;
  readonly until: Millis;
}

/** By address; `unknown` holds for every address the entries do not name. */
export type Replay = ReadonlyMap<Address, Proven> & { readonly unknown: Proven };

const untouched: Proven = { openSince: [], attempts: 0 };

/** Folds entries to what is known of every address. */
export function replay(entries: readonly Entry[]): Replay {
  const known = new Map<Address, Proven>();
  const marksOf = new Map<Address, EntryOf<'paged'>[]>();
  let unknown = untouched;
  for (const entry of entries) {
    if (entry.kind === 'taken-over') {
      const { since, until } = entry;
      unknown = { ...untouched, unreported: { since, until } };
      for (const [address, proven] of known) {
        if (!isSettled(proven)) known.set(address, { ...proven, unreported: { since, until } });
      }
    }
    if (entry.kind === 'intended') {
      const before = known.get(entry.address) ?? unknown;
      known.set(entry.address, {
        openSince: [...before.openSince, ...signedAtOf(entry)],
        attempts: before.attempts + 1,
        ...ofEither(entry.of, before.of),
      });
    }
    if (entry.kind === 'settled') {
      const before = known.get(entry.address) ?? unknown;
      const isFinal = entry.outcome.kind !== 'doubt';
      known.set(entry.address, {
        ...before,
        openSince: isFinal ? [] : before.openSince,
        outcome: entry.outcome,
        ...ofEither(entry.of, before.of),
      });
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

/** Between which moments an attempt was signed, or when. */
export function signedAtOf({ since, signedAt }: EntryOf<'intended'>): readonly Millis[] {
  return since === undefined ? [signedAt] : [since, signedAt];
}

/** Whether something was sent that has no final word. */
export function hasOpenWrite(entries: readonly Entry[]): boolean {
  return [...replay(entries).values()].some(({ openSince }) => openSince.length > 0);
}

/** Nothing that happened elsewhere changes it any more. */
function isSettled({ outcome }: Proven): boolean {
  return outcome?.kind === 'done' || (outcome?.kind === 'skipped' && outcome.person !== undefined);
}

function ofEither(now: string | undefined, before: string | undefined): Pick<Proven, 'of'> {
  const of = now ?? before;
  return of === undefined ? {} : { of };
}

/** What is known of an address; nothing, when it was never touched. */
export function provenAt(known: Replay, address: Address): Proven {
  return known.get(address) ?? known.unknown;
}
