/** The facts that other runs need about a run that ended and left nothing, from the catalogue.
 *
 * The catalogue contains only such runs: a run that has an end, and no order or sub-account that
 * another run could double (unfinished.ts). The journal of a run without an end, in doubt, or that left
 * something is read every time. So is that of every run of which the catalogue has nothing that counts.
 */
import { systemClock, type Millis } from '../../base/clock.ts';
import { isRecord } from '../../base/json.ts';
import { catalogueOf, type Catalogue, type FactKind } from './catalogue.ts';
import { continuedIn } from './continued.ts';
import {
  type AlsoNoted,
  endedIn,
  endedKind,
  endedOf,
  headerIn,
  type EndedRun,
  type StoredRun,
} from './ended-facts.ts';
import type { Entry } from './entry.ts';
import type { RunHeader } from './header.ts';
import { changedSinceLooked, noteLooked } from './looked.ts';
import { withLost } from './lost.ts';
import { ListedEnded } from './listed-ended.ts';
import { lookedMax, ProvedRuns } from './proved-runs.ts';
import { RunStamps } from './run-stamps.ts';
import { readRun } from './runs.ts';
import { StoredView } from './stored-view.ts';
import type { Stamp } from './stamp.ts';

const momentMax: Millis = 5_000;
const headerKind = 'header 1';

/** The runs of a state folder as far as the catalogue has them. */
export class EndedRuns {
  readonly #stateDir: string;
  readonly #catalogue: Catalogue;
  readonly #stamps: RunStamps;
  /** The runs of the table, which has most of them. */
  readonly #proved: ProvedRuns;
  readonly #stored: StoredView;
  /** The listed runs that only the table or a store has. */
  readonly listing: ListedEnded;
  /** The stamps of the files of the headers that were returned or noted here. */
  readonly #headers = new Map<string, Stamp>();
  /** The headers and ended runs that were found unchanged. */
  readonly #found = new Map<string, { readonly header: RunHeader; ended?: EndedRun }>();
  readonly #since = systemClock.now();
  readonly #before: EndedRuns | undefined;
  /** Runs that this program changed: they may have been changed since `#before`. */
  readonly #continued: ReadonlySet<string>;
  /** Runs whose files are looked at although the others were within the hour. */
  readonly #changed: ReadonlySet<string>;

  /** Whether the files of older runs are not looked at, because they were within the last hour. */
  readonly #relies: boolean;
  /** Whether a run was changed by another program. */
  #isForeign = false;

  /**
   * @param before the runs as the same command found them, which is used for a few seconds
   * @param mayRely whether files that were looked at within the last hour may be taken for unchanged
   */
  constructor(stateDir: string, before?: EndedRuns, mayRely = false) {
    this.#stateDir = stateDir;
    this.#catalogue = catalogueOf(stateDir);
    this.#stamps = new RunStamps(stateDir);
    this.#stored = new StoredView(stateDir);
    const age = before === undefined ? Infinity : this.#since - before.#since;
    const continued = age >= 0 && age <= momentMax ? continuedIn(stateDir) : undefined;
    // What a run relies on was looked at by its command: a plan may rely on an earlier look, a run may not.
    this.#before = continued && before && !before.#relies ? before : undefined;
    this.#continued = (this.#before && continued) ?? new Set();
    const earlier = this.#before && continued && { runs: this.#before.#proved, continued };
    const table = this.#catalogue.table(endedKind);
    const isMany = table.size > lookedMax;
    const changed = isMany && mayRely ? changedSinceLooked(stateDir, this.#since) : undefined;
    this.#relies = changed !== undefined;
    this.#changed = changed ?? new Set();
    this.#proved = new ProvedRuns(table, this.#stamps, earlier, changed);
    this.listing = new ListedEnded(this.#proved, this.#stored);
  }

  /** Whether the same command listed all runs a moment ago. */
  get isSecondLook(): boolean {
    return this.#before !== undefined;
  }

  /** Whether another program changed a run, so that the files of all must be looked at. */
  get mustLookAtAll(): boolean {
    return this.#relies && this.#isForeign;
  }

  /**
   * Lists a run: its header while it is unchanged, or only that the table has it, which makes nothing of it;
   * undefined if it must be read.
   */
  listed(run: string): RunHeader | 'in the table' | undefined {
    if (this.#proved.wasProved(run)) return 'in the table';
    const before = this.#headerBefore(run);
    if (before !== undefined) return before;
    const file = this.stamp(run);
    const isSame = this.#proved.hasHeader(run, file);
    const header = isSame ? undefined : this.header(run, file);
    if (this.#relies && !this.#changed.has(run)) this.#noteForeign(run, isSame, header);
    return isSame ? 'in the table' : header;
  }

  /** Notes whether a run of the table was changed, which this program would have named. */
  #noteForeign(run: string, isSame: boolean, header: RunHeader | undefined): void {
    const place = this.#proved.placeOf(run) ?? this.#proved.table.find(run);
    if (place === undefined || (isSame && this.#proved.isUnchanged(place))) return;
    const known = isSame ? this.listing.headerAt(place) : header;
    if (known === undefined || this.ended(known) === undefined) this.#isForeign = true;
  }

  /** Lists the runs of which only a store has the record. @returns the names of those that must be read */
  listStored(here: readonly string[]): readonly string[] {
    return this.#stored.list(here);
  }

  /** The header of a run that had ended a moment ago, and has not continued since. */
  #headerBefore(run: string): RunHeader | undefined {
    const before = this.#before;
    if (before === undefined || this.#continued.has(run)) return undefined;
    const { header, ended } = before.#found.get(run) ?? {};
    const file = before.#headers.get(run);
    if (header === undefined || ended === undefined || file === undefined) return undefined;
    this.#headers.set(run, file);
    this.#found.set(run, { header, ended });
    return header;
  }

  /** The header of a run that ended, as a store has it; undefined if what is here counts. */
  storedHeader(run: string): RunHeader | undefined {
    return this.#stored.find(run)?.header;
  }

  /** The current stamp of a run's header; undefined unless it is a file. */
  stamp(run: string): Stamp | undefined {
    return this.#stamps.header(run);
  }

  /** The header of a run while it is unchanged; undefined if it must be read. @param file its stamp */
  header(run: string, file: Stamp | undefined): RunHeader | undefined {
    const place = this.#proved.hasHeader(run, file) ? this.#proved.placeOf(run) : undefined;
    if (place !== undefined) return this.listing.headerAt(place);
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
    if (this.#proved.hasHeader(header.run, file)) return;
    this.#headers.set(header.run, file);
    if (this.#headerValue(header.run, file) !== undefined) return;
    this.#catalogue.note(headerKind, header.run, [file], header);
  }

  /**
   * The ended run of a header; undefined if its journal must be read.
   * @param header as it was returned or noted here
   */
  ended(header: RunHeader): EndedRun | undefined {
    const known = this.#found.get(header.run);
    if (known?.ended !== undefined) return known.ended;
    const stored = this.#stored.find(header.run);
    if (stored !== undefined) return stored.ended;
    const place = this.#proved.placeOf(header.run);
    if (place !== undefined && this.#proved.isUnchanged(place)) {
      const ended = endedIn(this.#proved.table.valueAt(place));
      if (ended !== undefined) this.#found.set(header.run, { header, ended });
      return ended;
    }
    const files = this.#filesOf(header.run);
    const ended = files && endedIn(this.#catalogue.find(endedKind, header.run, files));
    if (known && ended) known.ended = ended;
    return ended;
  }

  /**
   * A fact of an ended run, by a store, or by the catalogue while its files are unchanged; undefined without one.
   * @param fields the only ones of the fact that are needed; default: all
   */
  factOf(kind: FactKind, run: string, fields?: readonly string[]): unknown {
    if (this.#stored.has(run)) return this.#stored.fact(kind, run, fields);
    const files = this.#filesOf(run);
    return files && this.#catalogue.find(kind, run, files);
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

  /** The entries of a run's whole journal, and writes that a lost machine may have sent. @throws JournalError */
  async read(header: RunHeader): Promise<readonly Entry[]> {
    return withLost(this.#stateDir, header.run, await this.readRecorded(header));
  }

  /** The entries of a run's whole journal. @param also a fact to note, too @throws JournalError */
  async readRecorded(header: RunHeader, also?: AlsoNoted): Promise<readonly Entry[]> {
    const { run } = header;
    const files = this.#filesOf(header.run); // before they are read
    const place = this.#proved.placeOf(run);
    const isStored = place !== undefined && this.#proved.isUnchanged(place);
    const entries = await readRun(this.#stateDir, run);
    const ended = isStored ? undefined : endedOf(run, entries);
    const more = files && (isStored || ended) ? also?.of(run, entries) : undefined;
    if (files && also && more !== undefined) this.#catalogue.note(also.kind, run, files, more);
    if (files && ended) {
      this.#catalogue.note(endedKind, run, files, { header, ...ended } satisfies StoredRun);
      this.#catalogue.drop(headerKind, run); // the fact has the header
    }
    return entries;
  }

  /** Stores the facts that were read, for the next command. @param names of all runs */
  keep(names: readonly string[]): void {
    this.#catalogue.keep(names);
    if (this.#relies || this.#before !== undefined || this.#proved.table.size <= lookedMax) return;
    noteLooked(this.#stateDir, this.#since, this.#proved.changed());
  }

  /** The header of a run as stored, with the facts of an ended run or alone. */
  #headerValue(run: string, file: Stamp): unknown {
    const ended = this.#catalogue.findByFirst(endedKind, run, file);
    return isRecord(ended) ? ended['header'] : this.#catalogue.find(headerKind, run, [file]);
  }

  #filesOf(run: string): readonly Stamp[] | undefined {
    const place = this.#proved.placeOf(run);
    const file =
      place === undefined ? this.#headers.get(run) : this.#proved.table.headerStamp(place);
    const files = file && this.#stamps.journal(run);
    return files && [file, ...files];
  }
}
