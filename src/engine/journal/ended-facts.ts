/** The facts that other runs need about a run that ended and left nothing, in the form that is stored. */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import type { FactKind } from './catalogue.ts';
import type { Entry } from './entry.ts';
import { essential } from './essential.ts';
import { headerOf, type RunHeader } from './header.ts';
import { isLasting, lastingIn, type Lasting } from './lasting.ts';
import { leftBy } from './unfinished.ts';

export const endedKind = 'ended 3'; // another number whenever `essential` keeps something else

/** A run that ended and left nothing. */
export interface EndedRun {
  /** The time when the run began, by the exchange's clock. */
  readonly time: Millis;
  /** The time when the run began, by the clock of its machine. */
  readonly at: Millis;
  /** The time when the run signed its last write, by the exchange's clock; absent if it sent none. */
  readonly signedAt?: Millis;
  /** The writes that other runs look for; absent if the run did nothing that they ask for. */
  readonly lasting?: Lasting;
}

/** A fact that a reader of whole records makes beside those that are always noted. */
export interface AlsoNoted {
  readonly kind: FactKind;
  readonly of: (run: string, entries: readonly Entry[]) => unknown;
}

/** The header in a value of the catalogue; undefined if this version did not write it. */
export function headerIn(value: unknown, run: string): RunHeader | undefined {
  try {
    const header = headerOf(value, run);
    return header.run === run ? header : undefined;
  } catch {
    return undefined;
  }
}

/** An ended run as stored. */
export interface StoredRun extends EndedRun {
  readonly header: RunHeader;
}

/** The facts about an ended run; undefined if other runs must read its journal. */
export function endedOf(
  run: string,
  entries: readonly Entry[],
): Omit<StoredRun, 'header'> | undefined {
  const [started] = entries;
  if (started?.kind !== 'started' || entries.at(-1)?.kind !== 'finished') return undefined;
  if (leftBy({ run, entries }) !== undefined) return undefined;
  const { time, at } = started;
  const signed = entries.flatMap((entry) => (entry.kind === 'intended' ? [entry.signedAt] : []));
  const signedAt = signed.reduce((last, each) => Math.max(last, each), -Infinity);
  const lasting = lastingIn(run, essential(entries, run));
  return { time, at, ...(signed.length > 0 && { signedAt }), ...(lasting && { lasting }) };
}

export function endedIn(value: unknown): EndedRun | undefined {
  if (!isRecord(value)) return undefined;
  const { time, at, signedAt, lasting } = value;
  if (typeof time !== 'number' || typeof at !== 'number') return undefined;
  if (signedAt !== undefined && typeof signedAt !== 'number') return undefined;
  if (lasting !== undefined && !isLasting(lasting)) return undefined;
  return { time, at, ...(signedAt !== undefined && { signedAt }), ...(lasting && { lasting }) };
}
