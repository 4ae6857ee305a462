/** Groups the entries of a run by step, and gives the current line of each step and item. */
import { appendTo } from '../../base/groups.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import { ActionAccounts } from '../action-accounts.ts';
import type { ItemLine, StepLine } from '../step-lines.ts';
import { stepOf } from '../step-of.ts';
import { summaryOf } from '../summary.ts';

export interface StatusReader {
  /** The accounts of the actions that began so far. */
  readonly accounts: ActionAccounts;
  add(entry: Entry): void;
  /** The state of an item; undefined for any other address. */
  item(address: string): ItemLine | undefined;
  step(id: string): StepLine | undefined;
}

type Started = Extract<Entry, { readonly kind: 'started' }>;
type Opened = Extract<Entry, { readonly kind: 'opened' }>;

/**
 * Reads statuses. Each is derived from the few entries of an item or a step, so that a long run is as fast as
 * a short one.
 */
export function statusReader(): StatusReader {
  let started: Started | undefined;
  const opened = new Map<string, Opened>();
  const accounts = new ActionAccounts();
  const isOpened = (id: string): boolean => opened.has(id);
  const resumed: Entry[] = [];
  const entriesOf = new Map<string, Entry[]>();

  /**
   * The line of a step. @param head entries before all others: what they open counts, also in a resumed run
   */
  const stepLine = (
    id: string,
    entries: readonly Entry[],
    head: readonly Entry[] = [],
  ): StepLine | undefined => {
    const begun = started;
    if (begun === undefined) return undefined;
    const steps = begun.steps.filter((step) => step.id === id);
    const rest = resumed.length === 0 ? entries : [...resumed, ...entries].sort(bySeq);
    // A resume opens steps again: their times are of its attempt, and would stretch the first one to it.
    const first = head.map((entry) => ({ ...entry, at: begun.at }));
    const known = [{ ...begun, steps }, ...first, ...rest];
    return summaryOf(known).steps.find((step) => step.id === id);
  };

  return {
    accounts,
    add: (entry) => {
      accounts.add(entry);
      if (entry.kind === 'started') started = entry;
      if (entry.kind === 'resumed') resumed.push(entry);
      if (entry.kind === 'opened') opened.set(entry.step, entry);
      for (const name of namesOf(entry, isOpened)) appendTo(entriesOf, name, entry);
    },
    item: (address) => {
      const id = stepOf(address, isOpened);
      const begin = opened.get(id);
      if (begin?.items === undefined || address === id) return undefined;
      const items = [address.slice(id.length + 1, -1)];
      const account = accounts.of(address);
      const only = { ...begin, items, accounts: account === undefined ? [] : [account] };
      return stepLine(id, entriesOf.get(address) ?? [], [only])?.items[0];
    },
    step: (id) => stepLine(id, entriesOf.get(id) ?? []),
  };
}

/** The keys under which an entry is stored: its step, and its item. */
function namesOf(entry: Entry, isOpened: (id: string) => boolean): readonly string[] {
  switch (entry.kind) {
    case 'started':
    case 'resumed':
    case 'taken-over':
    case 'visibility':
    case 'clock-outlier':
    case 'signalled':
    case 'finished':
      return [];
    case 'opened':
    case 'closed':
    case 'wrote':
    case 'document':
      return [entry.step];
    case 'intended':
    case 'settled':
    case 'waited':
    case 'answered':
    case 'reading':
    case 'paged':
    case 'clock':
    case 'asked':
    case 'unmet': {
      const id = stepOf(entry.address, isOpened);
      return id === entry.address ? [id] : [id, entry.address];
    }
  }
}

function bySeq(a: Entry, b: Entry): number {
  return a.seq - b.seq;
}
