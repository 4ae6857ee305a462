/** A shared database in memory: it can be unreachable, lose answers, answer late and forget. */
import type { Clock, Millis } from '../../../src/base/clock.ts';
import { chainStart } from '../../../src/engine/journal/record.ts';
import type {
  Batch,
  Blocked,
  Forgot,
  Holder,
  LineRow,
  SharedClaim,
  SharedRuns,
  Summary,
  Taken,
  TakeRequest,
} from '../../../src/stores/shared/shared-runs.ts';
import type { Pruned, RunEnd, SharedRetention } from '../../../src/stores/shared/retention.ts';
import { lastLink } from '../../../src/stores/shared/lines.ts';
import { namesOf } from '../../../src/stores/shared/known-run.ts';
import { UnreachableError, type Beside, type Claim } from '../../../src/stores/store.ts';

/** What happens to one question of one client. */
export type Fault =
  /** The question never arrives. */
  | 'unreachable'
  /** It is carried out, and the answer is lost. */
  | 'answer-lost'
  /** No answer; it is carried out when `deliver` is called. */
  | 'late'
  /** It is carried out and answered when `deliver` is called. */
  | 'slow';

/** Planted defects: a test must notice each. */
export type Defect =
  | 'no-epoch'
  | 'lease-is-the-fence'
  /** Whether lines may be stored is decided before the row is locked. */
  | 'no-row-lock'
  | 'no-takeover-record'
  /** That lines may be missing is not noticed. */
  | 'no-incomplete-mark'
  /** Nothing is left of a removed run. */
  | 'prune-forgets'
  /** A run is removed while a process has it. */
  | 'prune-taken'
  /** A run is removed whatever lines it has by then. */
  | 'prune-unseen'
  /** A removed run is taken to be resumed. */
  | 'take-pruned';

/** Those that keep or drop lines of other holders. */
const unfenced: readonly (Defect | undefined)[] = ['no-epoch', 'lease-is-the-fence', 'no-row-lock'];

/** Called for what one client has really changed, when it is changed. */
export interface Watch {
  readonly taken: () => void;
  /** @param text new lines */
  readonly stored: (text: string) => void;
}

interface Row {
  readonly playbook: string;
  readonly plan: string | undefined;
  readonly accounts: Claim['accounts'];
  readonly host: string;
  readonly owner: SharedClaim['owner'];
  readonly nonce: string;
  readonly since: Millis;
  epoch: number;
  leaseUntil: Millis;
  hasEnded: boolean;
  /** Its holder reported its end. */
  isReported: boolean;
  /** The incarnation in which it was taken. */
  readonly takenIn: number;
  endedAt: number;
  header: string;
  link: string;
  /** The incarnation in which its last line was stored. */
  incarnation: number;
  lines: LineRow[];
  summary?: Summary;
  /** Its last lines may be missing, until it is released. */
  isIncomplete: boolean;
  isPruned?: true;
}

interface State {
  readonly rows: Map<string, Row>;
  readonly accounts: Map<string, string>;
  changes: number;
}

export class SimulatedDatabase {
  readonly #clock: Clock;
  readonly #defect: Defect | undefined;
  #state: State = { rows: new Map(), accounts: new Map(), changes: 0 };
  #incarnation = 1;
  /** The incarnation that somebody has met. */
  #met = 1;
  #forgot: { readonly after: number; readonly since: Millis; readonly until: Millis }[] = [];
  readonly #late: (() => void)[] = [];
  /** Called when it has become a copy. */
  onRestored: () => void = () => undefined;

  /** @param clock its own: no client's clock counts */
  constructor(clock: Clock, defect?: Defect) {
    this.#clock = clock;
    this.#defect = defect;
  }

  /** A backup, or what a standby has. */
  copy(): unknown {
    return structuredClone(this.#state);
  }

  /** From now on it is that copy. @param isSeen whether it shows that it is another one */
  restore(copy: unknown, isSeen = true): void {
    const before = this.#state;
    const next = structuredClone(copy) as State; // eslint-disable-line
    this.#state = next;
    this.#state.changes = before.changes;
    if (isSeen) this.#incarnation += 1;
    this.onRestored();
  }

  /** From now on it is a copy without the last lines of a run. */
  forget(run: string, count: number): void {
    const copy = structuredClone(this.#state);
    const row = copy.rows.get(run);
    if (row !== undefined) shorten(row, count);
    this.restore(copy);
  }

  /** It loses the last lines of a run, all but the first, and notices that it may have. */
  lose(run: string, count: number): void {
    const row = this.#state.rows.get(run);
    if (row === undefined) return;
    shorten(row, Math.min(count, (row.lines.at(-1)?.last ?? 1) - 1));
    row.isIncomplete = this.#defect !== 'no-incomplete-mark';
    row.isReported = false; // what it reported may be among them
    this.onRestored();
  }

  summaryOf(run: string): Summary | undefined {
    return this.#state.rows.get(run)?.summary;
  }

  /** Another program, or another version, changes the summary of a run. */
  changeSummary(run: string, change: (summary: Summary) => Summary): void {
    const row = this.#state.rows.get(run);
    if (row?.summary !== undefined) row.summary = change(row.summary);
  }

  /** It loses the last lines of a run, and nothing shows that. */
  shorten(run: string, count: number): void {
    const row = this.#state.rows.get(run);
    if (row !== undefined) shorten(row, count);
  }

  /** Carries out what arrived late. */
  deliver(): void {
    for (const work of this.#late.splice(0)) work();
  }

  /** All journal text of a run. */
  text(run: string): string {
    return (this.#state.rows.get(run)?.lines ?? []).map(({ text }) => text).join('');
  }

  /** One client. @param fault asked before each question */
  connect(
    fault: (method: keyof SharedRuns) => Fault | undefined = () => undefined,
    watch?: Watch,
  ): SharedRuns {
    const asking =
      <A extends unknown[], R>(method: keyof SharedRuns, work: (...args: A) => R) =>
      async (...args: A): Promise<R> => {
        await Promise.resolve();
        const kind = fault(method);
        const early =
          this.#defect === 'no-row-lock' && kind === 'slow'
            ? structuredClone(this.#state)
            : undefined;
        if (kind === 'slow') await new Promise<void>((resolve) => this.#late.push(resolve));
        if (early !== undefined) return this.#asSeen(early, () => work(...args));
        if (kind === undefined || kind === 'slow') return work(...args);
        if (kind === 'answer-lost') work(...args);
        if (kind === 'late') this.#late.push(() => void work(...args));
        throw new UnreachableError('the database gave no answer', 'try again');
      };
    return {
      take: asking('take', (request: TakeRequest) => {
        const answer = this.#take(request);
        if (answer.kind === 'taken') watch?.taken();
        return answer;
      }),
      keep: asking('keep', (holder: Holder, batch: Batch) => this.#keep(holder, batch, watch)),
      renew: asking('renew', (holder: Holder) => this.#renew(holder)),
      release: asking('release', (holder: Holder, summary?: Summary) => {
        const isOurs = this.#release(holder);
        if (isOurs && summary !== undefined) this.#summarize(holder.run, summary);
        return isOurs;
      }),
      claims: asking('claims', (run?: string) => this.#claims(run)),
      changed: asking('changed', (cursor = '0', beside?: Beside) => this.#changed(cursor, beside)),
      isIdentified: asking('isIdentified', (playbook: string) => this.#isIdentified(playbook)),
      summaries: asking('summaries', (runs: readonly string[], version: number) =>
        runs.flatMap((run) => {
          const row = this.#state.rows.get(run);
          const { summary } = row ?? {};
          if (row === undefined || summary?.version !== version || row.isPruned) return [];
          const isOfRecord = row.link === summary.link && row.lines.at(-1)?.last === summary.lines;
          return isOfRecord ? [{ run, text: summary.text }] : [];
        }),
      ),
      summarize: asking('summarize', (run: string, summary: Summary) => {
        if (this.#state.rows.get(run)?.hasEnded === true) this.#summarize(run, summary);
      }),
      lines: asking('lines', (run: string, after: number) => this.#lines(run, after)),
      unlock: asking('unlock', (run: string, nonce: string, givesUp: boolean) =>
        this.#unlock(run, nonce, givesUp),
      ),
      restored: asking('restored', (now: Millis) => {
        this.#incarnation += 1;
        this.#meet(now);
      }),
      close: async () => undefined,
    };
  }

  /** One client that removes runs. */
  retention(): SharedRetention {
    const none = { plans: 0, jobs: 0 };
    return {
      known: async (runs) => {
        const rows = runs.flatMap((run) => {
          const row = this.#state.rows.get(run);
          return row === undefined ? [] : [[run, row] as const];
        });
        return new Map(rows.map(([run, row]) => [run, row.isPruned ? 'pruned' : 'stored']));
      },
      prune: async (run, at) => this.#prune(run, at),
      empty: async () => {
        for (const row of this.#state.rows.values()) if (row.isPruned === true) row.lines = [];
      },
      count: async () => none,
      clean: async () => none,
      close: async () => undefined,
    };
  }

  #summarize(run: string, summary: Summary): void {
    const row = this.#state.rows.get(run);
    const isOfRecord = row?.link === summary.link && row.lines.at(-1)?.last === summary.lines;
    const isNewer = (row?.summary?.version ?? 0) > summary.version;
    if (row !== undefined && isOfRecord && !isNewer) row.summary = summary;
  }

  #prune(run: string, { lines, link }: RunEnd): Pruned {
    const row = this.#state.rows.get(run);
    if (row === undefined) return 'absent';
    if (row.isPruned === true) return 'pruned';
    if (!row.hasEnded && this.#defect !== 'prune-taken') return 'in-use';
    const isSeen = (row.lines.at(-1)?.last ?? 0) === lines && row.link === link;
    if (!isSeen && this.#defect !== 'prune-unseen') return 'changed';
    row.isPruned = true;
    if (this.#defect === 'prune-forgets') this.#state.rows.delete(run);
    return 'pruned';
  }

  /** Decides by an earlier state, and writes into this one. */
  #asSeen<R>(early: State, work: () => R): R {
    const now = this.#state;
    this.#state = early;
    const answer = work();
    this.#state = now;
    for (const [run, row] of early.rows) {
      const current = now.rows.get(run);
      if (current !== undefined && current.epoch !== row.epoch) {
        current.lines = [...current.lines, ...row.lines.slice(current.lines.length)];
      } else now.rows.set(run, row);
    }
    return answer;
  }

  #meet(now: Millis): void {
    if (this.#met === this.#incarnation) return;
    const since = Math.max(0, ...[...this.#state.rows.values()].map((row) => row.since));
    this.#forgot.push({ after: this.#met, since, until: now });
    this.#met = this.#incarnation;
  }

  #take(request: TakeRequest): Taken | Blocked {
    const { run, plan, accounts, isResumed, lease, now } = request;
    this.#meet(now);
    const { rows } = this.#state;
    const row = rows.get(run);
    const names = accounts.flatMap(({ id, alias }) => (alias === undefined ? [id] : [id, alias]));
    const holders = names.map((name) => this.#state.accounts.get(name));
    const others = [...rows].filter(
      ([id, other]) =>
        id !== run &&
        (holders.includes(id) || (plan !== undefined && other.plan === plan && !isResumed)),
    );
    const used = [...(row ? [[run, row] as const] : []), ...others].find(
      ([id, other]) =>
        !isResumed &&
        hasBegun(other) &&
        (id === run || (plan !== undefined && other.plan === plan)),
    );
    if (used !== undefined) {
      const [id, other] = used;
      return { kind: 'used', run: id, ...(!other.hasEnded && { claim: this.#claimOf(id, other) }) };
    }
    if (row?.isPruned === true && this.#defect !== 'take-pruned') return { kind: 'pruned', run };
    if (row !== undefined && this.#isRunning(row)) {
      return { kind: 'running', claim: this.#claimOf(run, row) };
    }
    for (const [id, other] of others) {
      if (other.hasEnded) continue;
      if (this.#isRunning(other)) return { kind: 'running', claim: this.#claimOf(id, other) };
      const mayHaveLines = other.lines.length > 0 || other.takenIn !== this.#incarnation;
      if (mayHaveLines) return { kind: 'unfinished', claim: this.#claimOf(id, other) };
    }
    for (const [id, other] of others) {
      if (!other.hasEnded) this.#end(id, other);
    }
    for (const name of names) this.#state.accounts.set(name, run);
    const { playbook, host, owner, nonce } = request;
    const isUnreported = row !== undefined && !row.isReported && row.lines.length > 0;
    const isIncomplete = row?.isIncomplete === true;
    const before = isUnreported
      ? { host: row.host, since: row.since, ...(isIncomplete && { isIncomplete }) }
      : undefined;
    const next: Row = {
      playbook,
      plan: plan ?? row?.plan,
      accounts,
      host,
      owner,
      nonce,
      since: before?.since ?? now,
      epoch: (row?.epoch ?? 0) + 1,
      takenIn: this.#incarnation,
      leaseUntil: this.#clock.monotonic() + lease,
      hasEnded: false,
      isReported: false,
      endedAt: 0,
      header: row?.header ?? '',
      link: row?.link ?? chainStart,
      incarnation: row?.incarnation ?? 0,
      lines: row?.lines ?? [],
      ...(row?.summary && { summary: row.summary }),
      isIncomplete,
      ...(row?.isPruned && { isPruned: true }),
    };
    rows.set(run, next);
    const forgot = this.#defect === 'no-takeover-record' ? undefined : this.#forgotFor(next);
    return {
      kind: 'taken',
      holder: { run, epoch: next.epoch, incarnation: String(this.#incarnation), lease },
      ...(before && { before }),
      ...(forgot && { forgot }),
    };
  }

  #forgotFor({ lines, incarnation }: Row): Forgot | undefined {
    const last = this.#forgot.at(-1);
    if (last === undefined) return undefined;
    const since = Math.min(
      ...this.#forgot.filter(({ after }) => after >= incarnation).map((each) => each.since),
      last.since,
    );
    const isContinued = lines.length > 0 && incarnation === this.#incarnation;
    return { since, until: last.until, isContinued };
  }

  #isRunning(row: Row): boolean {
    return !row.hasEnded && row.leaseUntil > this.#clock.monotonic();
  }

  /** The row, if the holder may still store lines of it. */
  #ofHolder({ run, epoch, incarnation }: Holder): Row | undefined {
    const row = this.#state.rows.get(run);
    if (row === undefined || row.hasEnded) return undefined;
    if (incarnation !== String(this.#incarnation)) return undefined;
    if (this.#defect === 'lease-is-the-fence') {
      return row.leaseUntil > this.#clock.monotonic() ? row : undefined;
    }
    return row.epoch === epoch || this.#defect === 'no-epoch' ? row : undefined;
  }

  #keep(holder: Holder, { header, after, rows, link }: Batch, watch?: Watch): boolean {
    const row = this.#ofHolder(holder);
    if (row === undefined) return false;
    const stored = row.lines.at(-1)?.last ?? 0;
    const last = rows.at(-1)?.last ?? after;
    if (!unfenced.includes(this.#defect)) {
      if (stored !== after && stored !== last) return false;
      const known = row.lines.filter(({ first }) => first > after);
      if (known.length > 0 && !isSame(known, rows)) return false;
    }
    if (stored < last) watch?.stored(rows.map(({ text }) => text).join(''));
    row.lines = [...row.lines.filter((each) => each.last <= after), ...rows];
    row.leaseUntil = this.#clock.monotonic() + holder.lease;
    Object.assign(row, { header, link, incarnation: this.#incarnation });
    return true;
  }

  #renew(holder: Holder): boolean {
    const row = this.#ofHolder(holder);
    if (row === undefined) return false;
    row.leaseUntil = this.#clock.monotonic() + holder.lease;
    return true;
  }

  #release(holder: Holder): boolean {
    const row = this.#state.rows.get(holder.run);
    const isAgain = row?.hasEnded === true && row.isReported && row.epoch === holder.epoch;
    if (isAgain) return true;
    const held = this.#ofHolder(holder);
    if (held === undefined) return false;
    held.isReported = true;
    held.isIncomplete = false;
    this.#end(holder.run, held);
    return true;
  }

  #end(run: string, row: Row): void {
    row.epoch += row.isReported ? 0 : 1;
    row.hasEnded = true;
    row.endedAt = ++this.#state.changes;
    for (const [name, holder] of this.#state.accounts) {
      if (holder === run) this.#state.accounts.delete(name);
    }
  }

  #claims(only?: string): readonly SharedClaim[] {
    return [...this.#state.rows].flatMap(([run, row]) =>
      row.hasEnded || run !== (only ?? run) ? [] : [this.#claimOf(run, row)],
    );
  }

  #claimOf(run: string, row: Row): SharedClaim {
    const { playbook, plan, accounts, host, owner, nonce, since, leaseUntil } = row;
    const left = leaseUntil - this.#clock.monotonic();
    const of = { playbook, ...(plan && { plan }), ...(owner && { owner }) };
    return { run, ...of, accounts, host, nonce, since, left };
  }

  #changed(
    cursor: string,
    beside?: Beside,
  ): {
    runs: { run: string; lines: number; link: string }[];
    cursor: string;
  } {
    const runs = [...this.#state.rows].flatMap(([run, row]) => {
      const { lines, link, hasEnded, endedAt, isPruned } = row;
      const isNew = !hasEnded || endedAt > Number(cursor) - 10;
      if (lines.length === 0 || !isNew || isPruned === true) return [];
      if (beside && !namesOf(row).some((name) => beside.accounts.includes(name))) return [];
      return [{ run, lines: lines.at(-1)?.last ?? 0, link }];
    });
    return { runs, cursor: String(this.#state.changes) };
  }

  #isIdentified(name: string): boolean {
    const rows = [...this.#state.rows.values()].filter(
      (row) => row.lines.length > 0 && row.isPruned !== true,
    );
    return rows.every(
      ({ playbook, accounts }) => playbook !== name || accounts.every(({ alias }) => alias),
    );
  }

  #lines(run: string, after: number): Awaited<ReturnType<SharedRuns['lines']>> {
    const row = this.#state.rows.get(run);
    const count = row?.lines.at(-1)?.last;
    if (row === undefined || count === undefined || row.isPruned === true) return undefined;
    const text = row.lines
      .flatMap((each) =>
        each.text.split(/(?<=\n)/).map((line, at) => ({ line, seq: each.first + at })),
      )
      .filter(({ seq }) => seq > after)
      .map(({ line }) => line)
      .join('');
    return { header: row.header, count, link: row.link, text };
  }

  #unlock(run: string, nonce: string, givesUp: boolean): boolean {
    const row = this.#state.rows.get(run);
    if (row === undefined || row.hasEnded || row.nonce !== nonce) return false;
    row.epoch += 1;
    row.leaseUntil = this.#clock.monotonic();
    if (givesUp) this.#end(run, row);
    return true;
  }
}

/** Removes its last lines. */
function shorten(row: Row, count: number): void {
  const text = row.lines.map((line) => line.text).join('');
  const lines = text.split(/(?<=\n)/);
  const left = lines.slice(0, lines.length - count).join('');
  row.lines = left === '' ? [] : [{ first: 1, last: lines.length - count, text: left }];
  row.link = lastLink(left);
}

function isSame(known: readonly LineRow[], rows: readonly LineRow[]): boolean {
  return known.length === rows.length && known.every(({ text }, at) => text === rows[at]?.text);
}

function hasBegun({ lines, isPruned }: Row): boolean {
  return lines.length > 0 || isPruned === true;
}
