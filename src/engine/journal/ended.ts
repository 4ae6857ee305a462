/** The facts that other runs need about a run that ended and left nothing, from the catalogue.
 *
 * The catalogue contains only such runs: a run that has an end, and no order or sub-account that
 * another run could double (unfinished.ts). The journal of a run without an end, in doubt, or that left
 * something is read every time. So is that of every run of which the catalogue has nothing that counts.
 */
import type { Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { accountName } from './account.ts';
import type { Address, Entry } from './entry.ts';
import { catalogueOf, type Catalogue, type FactKind } from './catalogue.ts';
import { essential } from './essential.ts';
import { differenceIn, headerOf, type RunHeader } from './header.ts';
import { named, noteKey, type LedgerView } from './ledger.ts';
import { withLost } from './lost.ts';
import { isStoredEntry } from './record.ts';
import { RunStamps } from './run-stamps.ts';
import { readRun } from './runs.ts';
import { writesOf } from './sent-writes.ts';
import { leftBy } from './unfinished.ts';
import type { Stamp } from './stamp.ts';

const headerKind = 'header 1';
const endedKind = 'ended 1'; // another number whenever `essential` keeps something else

/** A run that ended and left nothing. */
export interface EndedRun {
  /** The time when the run began, by the exchange's clock. */
  readonly time: Millis;
  /** The time when the run began, by the clock of its machine. */
  readonly at: Millis;
  /** The time when the run signed its last write, by the exchange's clock; absent if it sent none. */
  readonly signedAt?: Millis;
  /** The entries that the ledger of other runs uses; none if the run did nothing that they ask for. */
  readonly entries: readonly Entry[];
}

/** The runs of a state folder as far as the catalogue has them. */
export class EndedRuns {
  readonly #stateDir: string;
  readonly #catalogue: Catalogue;
  readonly #stamps: RunStamps;
  /** The headers that were read, with the stamps of their files. */
  readonly #headers = new Map<RunHeader, Stamp>();

  constructor(stateDir: string) {
    this.#stateDir = stateDir;
    this.#catalogue = catalogueOf(stateDir);
    this.#stamps = new RunStamps(stateDir);
  }

  /** The current stamp of a run's header; undefined unless it is a file. */
  stamp(run: string): Stamp | undefined {
    return this.#stamps.header(run);
  }

  /** The header of a run while it is unchanged; undefined if it must be read. @param file its stamp */
  header(run: string, file: Stamp | undefined): RunHeader | undefined {
    const value = file && this.#catalogue.find(headerKind, run, [file]);
    const header = value === undefined ? undefined : headerIn(value, run);
    if (file && header) this.#headers.set(header, file);
    return header;
  }

  /**
   * Notes a header for the next command.
   * @param header a header with a seal that was not changed
   * @param file the stamp of its file before it was read
   */
  noteHeader(header: RunHeader, file: Stamp): void {
    this.#headers.set(header, file);
    this.#catalogue.note(headerKind, header.run, [file], header);
  }

  /**
   * The ended run of a header; undefined if the journal must be read.
   * @param header as it was returned or noted here
   */
  ended(header: RunHeader): EndedRun | undefined {
    const files = this.#filesOf(header);
    return files && endedIn(this.#catalogue.find(endedKind, header.run, files), header);
  }

  /** A fact of a run while its files are unchanged. @param files current stamps of header, journal and mark */
  find(kind: FactKind, run: string, files: readonly Stamp[]): unknown {
    return this.#catalogue.find(kind, run, files);
  }

  /**
   * Notes a fact of a run, and its header.
   * @param header as its journal confirmed it @param stamps of header, journal and mark before they were read
   */
  note(kind: FactKind, header: RunHeader, stamps: readonly Stamp[], value: unknown): void {
    const [file] = stamps;
    if (file && header.seal !== undefined) this.noteHeader(header, file);
    this.#catalogue.note(kind, header.run, stamps, value);
  }

  /**
   * The entries of a run, read from its journal in full, including writes that a lost machine may have sent.
   * @throws JournalError
   */
  async read(header: RunHeader): Promise<readonly Entry[]> {
    const { run } = header;
    const files = this.#filesOf(header); // before they are read
    const entries = await withLost(this.#stateDir, run, await readRun(this.#stateDir, run));
    const ended = endedOf(run, entries);
    if (files && ended) this.#catalogue.note(endedKind, run, files, ended);
    return entries;
  }

  /** Stores the facts that were read, for the next command. @param names of all runs */
  keep(names: readonly string[]): void {
    this.#catalogue.keep(names);
  }

  #filesOf(header: RunHeader): readonly Stamp[] | undefined {
    const file = this.#headers.get(header);
    const files = file && this.#stamps.journal(header.run);
    return files && [file, ...files];
  }
}

/** The header in a value of the catalogue; undefined if this version did not write it. */
function headerIn(value: unknown, run: string): RunHeader | undefined {
  try {
    const header = headerOf(value, run);
    return header.run === run ? header : undefined;
  } catch {
    return undefined;
  }
}

/** An ended run as stored. */
interface StoredRun extends EndedRun {
  /** The names of the run's writes in the ledger by address; it takes long to compute them. */
  readonly keys: { readonly [address: Address]: string };
}

/** The facts about an ended run; undefined if other runs must read its journal. */
function endedOf(run: string, entries: readonly Entry[]): StoredRun | undefined {
  const [started] = entries;
  if (started?.kind !== 'started' || entries.at(-1)?.kind !== 'finished') return undefined;
  if (leftBy({ run, entries }) !== undefined) return undefined;
  const { time, at } = started;
  const signed = entries.flatMap((entry) => (entry.kind === 'intended' ? [entry.signedAt] : []));
  const signedAt = signed.reduce((last, each) => Math.max(last, each), -Infinity);
  const short = essential(entries, run);
  const kept = short.some(({ kind }) => kind === 'intended') ? short : [];
  return {
    time,
    at,
    ...(signed.length > 0 && { signedAt }),
    entries: kept,
    keys: keysIn(kept),
  };
}

function endedIn(value: unknown, header: RunHeader): EndedRun | undefined {
  if (!isRecord(value)) return undefined;
  const { time, at, signedAt, entries, keys } = value;
  if (typeof time !== 'number' || typeof at !== 'number') return undefined;
  if (signedAt !== undefined && typeof signedAt !== 'number') return undefined;
  if (!Array.isArray(entries) || !entries.every(isStoredEntry) || !isRecord(keys)) return undefined;
  const [first] = entries;
  if (first !== undefined && differenceIn(header, first) !== undefined) return undefined;
  noteKeys(entries, keys);
  return { time, at, entries, ...(signedAt !== undefined && { signedAt }) };
}

/** Keys of the writes by address, for the account of the run. */
function keysIn(entries: readonly Entry[]): { readonly [address: Address]: string } {
  const [started] = entries;
  if (started?.kind !== 'started') return {};
  const view: LedgerView = { as: started.destination, standingOf: () => 'same' };
  const pairs = [...writesOf(entries)].flatMap(([address, write]) => {
    const found = named(write, started, view);
    return found?.isLasting === true ? [[address, found.key] as const] : [];
  });
  return Object.fromEntries(pairs);
}

function noteKeys(entries: readonly Entry[], keys: Readonly<Record<string, unknown>>): void {
  const [started] = entries;
  if (started?.kind !== 'started') return;
  const account = accountName(started.destination);
  for (const entry of entries) {
    if (entry.kind !== 'intended' || !Object.hasOwn(keys, entry.address)) continue;
    const key = keys[entry.address];
    if (typeof key === 'string') noteKey(entry, { account, key });
  }
}
