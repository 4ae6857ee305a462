/** The facts that other runs need about a run that ended and left nothing, from the catalogue.
 *
 * The catalogue contains only such runs: a run that has an end, and no order or sub-account that
 * another run could double (unfinished.ts). The journal of a run without an end, in doubt, or that left
 * something is read every time. So is that of every run of which the catalogue has nothing that counts.
 */
import { systemClock, type Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { accountName } from './account.ts';
import type { Address, Entry } from './entry.ts';
import { continuedIn } from './continued.ts';
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

const momentMax: Millis = 5_000;
const headerKind = 'header 1';
const endedKind = 'ended 2'; // another number whenever `essential` keeps something else

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
  /** The stamps of the files of the headers that were returned or noted here. */
  readonly #headers = new Map<string, Stamp>();
  /** The headers and ended runs that were found unchanged. */
  readonly #found = new Map<string, { readonly header: RunHeader; ended?: EndedRun }>();
  readonly #since = systemClock.now();
  readonly #before: EndedRuns | undefined;
  /** Runs that this program changed: they may have been changed since `#before`. */
  readonly #continued: ReadonlySet<string>;

  /** @param before the runs as the same command found them, which is used for a few seconds */
  constructor(stateDir: string, before?: EndedRuns) {
    this.#stateDir = stateDir;
    this.#catalogue = catalogueOf(stateDir);
    this.#stamps = new RunStamps(stateDir);
    const age = before === undefined ? Infinity : this.#since - before.#since;
    const continued = age >= 0 && age <= momentMax ? continuedIn(stateDir) : undefined;
    this.#before = continued && before;
    this.#continued = continued ?? new Set();
  }

  /** The header of a run that had ended a moment ago, and has not continued since. */
  headerBefore(run: string): RunHeader | undefined {
    const before = this.#before;
    if (before === undefined || this.#continued.has(run)) return undefined;
    const { header, ended } = before.#found.get(run) ?? {};
    const file = before.#headers.get(run);
    if (header === undefined || ended === undefined || file === undefined) return undefined;
    this.#headers.set(run, file);
    this.#found.set(run, { header, ended });
    return header;
  }

  /** The current stamp of a run's header; undefined unless it is a file. */
  stamp(run: string): Stamp | undefined {
    return this.#stamps.header(run);
  }

  /** The header of a run while it is unchanged; undefined if it must be read. @param file its stamp */
  header(run: string, file: Stamp | undefined): RunHeader | undefined {
    const value = file && this.#headerValue(run, file);
    const header = value === undefined ? undefined : headerIn(value, run);
    if (file && header) {
      this.#headers.set(run, file);
      this.#found.set(run, { header });
    }
    return header;
  }

  /**
   * Notes a header for the next command.
   * @param header a header with a seal that was not changed
   * @param file the stamp of its file before it was read
   */
  noteHeader(header: RunHeader, file: Stamp): void {
    this.#headers.set(header.run, file);
    if (this.#headerValue(header.run, file) !== undefined) return;
    this.#catalogue.note(headerKind, header.run, [file], header);
  }

  /**
   * The ended run of a header; undefined if the journal must be read.
   * @param header as it was returned or noted here
   */
  ended(header: RunHeader): EndedRun | undefined {
    const known = this.#found.get(header.run);
    if (known?.ended !== undefined) return known.ended;
    const files = this.#filesOf(header);
    const ended = files && endedIn(this.#catalogue.find(endedKind, header.run, files), header);
    if (known && ended) known.ended = ended;
    return ended;
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
    return withLost(this.#stateDir, header.run, await this.readRecorded(header));
  }

  /** The entries of a run, read from its journal in full. @throws JournalError */
  async readRecorded(header: RunHeader): Promise<readonly Entry[]> {
    const { run } = header;
    const files = this.#filesOf(header); // before they are read
    const entries = await readRun(this.#stateDir, run);
    const ended = endedOf(run, entries);
    if (files && ended) {
      this.#catalogue.note(endedKind, run, files, { header, ...ended } satisfies StoredRun);
      this.#catalogue.drop(headerKind, run); // the fact has the header
    }
    return entries;
  }

  /** Stores the facts that were read, for the next command. @param names of all runs */
  keep(names: readonly string[]): void {
    this.#catalogue.keep(names);
  }

  /** The header of a run as stored, with the facts of an ended run or alone. */
  #headerValue(run: string, file: Stamp): unknown {
    const ended = this.#catalogue.findByFirst(endedKind, run, file);
    return isRecord(ended) ? ended['header'] : this.#catalogue.find(headerKind, run, [file]);
  }

  #filesOf(header: RunHeader): readonly Stamp[] | undefined {
    const file = this.#headers.get(header.run);
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
  readonly header: RunHeader;
  /** The names of the run's writes in the ledger by address; it takes long to compute them. */
  readonly keys: { readonly [address: Address]: string };
}

/** The facts about an ended run; undefined if other runs must read its journal. */
function endedOf(run: string, entries: readonly Entry[]): Omit<StoredRun, 'header'> | undefined {
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
