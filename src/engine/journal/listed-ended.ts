/** The listed runs of which only the catalogue's table or a store says anything: most runs of a desk. */
import type { Millis } from '../../base/clock.ts';
import { InternalError } from '../../base/error.ts';
import { isRecord } from '../../base/json.ts';
import { headerIn } from './ended-facts.ts';
import type { TableRow } from './ended-table.ts';
import type { RunHeader } from './header.ts';
import { newestFirst, type GroupUse, type ProvedRuns } from './proved-runs.ts';
import type { RunGroup } from './run-columns.ts';
import type { StoredView } from './stored-view.ts';

export class ListedEnded {
  readonly #proved: ProvedRuns;
  readonly #stored: StoredView;

  constructor(proved: ProvedRuns, stored: StoredView) {
    this.#proved = proved;
    this.#stored = stored;
  }

  headers(): readonly RunHeader[] {
    const ofTable = Array.from(this.#proved.places(), (place) => this.headerAt(place));
    return [...ofTable, ...this.#stored.headers()];
  }

  /** The headers of the newest runs, newest first, and the number of the others. */
  newest(isAsked: (run: RunGroup & { readonly createdAt: Millis }) => boolean, max: number) {
    const { places, count } = this.#proved.newest(isAsked, max);
    const stored = this.#stored.newest(isAsked, max);
    const all = [...places.map((place) => this.headerAt(place)), ...stored.headers];
    const headers = all.toSorted(newestFirst).slice(0, max);
    return { headers, older: count + stored.count - headers.length };
  }

  /** The runs that ended, without their headers, and the headers of those that are not known to have ended. */
  rows(): { readonly ended: readonly TableRow[]; readonly others: readonly RunHeader[] } {
    const ended: TableRow[] = [];
    const others: RunHeader[] = [];
    for (const place of this.#proved.places()) {
      if (this.#proved.isUnchanged(place)) ended.push(this.#proved.table.row(place));
      else others.push(this.headerAt(place));
    }
    return { ended: [...ended, ...this.#stored.rows()], others };
  }

  /** The accounts of the runs. */
  uses(): readonly GroupUse[] {
    return [...this.#proved.uses(), ...this.#stored.uses()];
  }

  /** The headers of the runs of some groups that are not known to have ended, or that a caller uses. */
  notable(
    isAsked: (group: RunGroup) => boolean,
    isUsed: (row: TableRow) => boolean,
  ): readonly RunHeader[] {
    const found: RunHeader[] = [];
    for (const place of this.#proved.places(isAsked)) {
      if (this.#proved.isUnchanged(place) && !isUsed(this.#proved.table.row(place))) continue;
      found.push(this.headerAt(place));
    }
    return [...found, ...this.#stored.notable(isAsked, isUsed)];
  }

  /** The header of one of the runs. */
  headerOf(run: string): RunHeader {
    const place = this.#proved.placeOf(run);
    return place === undefined ? this.#stored.headerOf(run) : this.headerAt(place);
  }

  /** The header of a run of the table. */
  headerAt(place: number): RunHeader {
    const { table } = this.#proved;
    const value = table.valueAt(place);
    const header = isRecord(value) ? headerIn(value['header'], table.runAt(place)) : undefined;
    if (header === undefined) throw new InternalError('the table has blocks without headers');
    return header;
  }
}
