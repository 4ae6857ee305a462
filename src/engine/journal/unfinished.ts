/** Runs that did not end as done: the writes they left, which another run of the playbook would double. */
import type { Millis } from '../../base/clock.ts';
import { fieldOf, type Json } from '../../base/json.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import type { Address, Destination, Entry, Event } from './entry.ts';
import { isContinuedIn, isOverIn } from './finality.ts';
import { identityOf } from './identity.ts';
import { isSaidAbsent, mayHaveHappened, provenAt, replay, type Proven } from './replay.ts';
import type { CreatedOn, RunRecord } from './run-record.ts';
import type { Intended } from './sent-writes.ts';
import { destinationsOf } from './account.ts';

/** A write that exists, or may: an order or a sub-account. */
export interface LeftWrite {
  readonly address: Address;
  readonly operation: OperationName;
  readonly input: Json;
  /** The possible accounts of the write: one, unless an older record of several accounts does not say. */
  readonly accounts: readonly Destination[];
  readonly isInDoubt: boolean;
  /** Whether the write is done once per playbook: another run finds it in the ledger. */
  readonly isLasting: boolean;
  readonly signedAt: Millis;
  /** The time of the intent, by the clock of the machine. */
  readonly at: Millis;
}

/** The writes that an unfinished run left. */
export interface LeftByRun {
  readonly run: string;
  readonly playbook: string;
  readonly file: string;
  /** The time when the run started, by the exchange's clock. */
  readonly startedAt: Millis;
  readonly scheduledFor?: Millis;
  /** The writes that the run left; never empty. */
  readonly writes: readonly LeftWrite[];
  /** The number of writes that the run did, with the states that it set; 0 for a run that is over. */
  readonly sent: number;
  /** Whether nothing of the run is sent any more, except to settle its doubts. */
  readonly isOver: boolean;
}

/** A person's statement that a run is not continued, and that its writes are taken care of. */
export interface SetAsideWord {
  readonly who: string;
  readonly reason: string;
  /** The time of the statement, by the clock of the machine. */
  readonly at: Millis;
}

/**
 * The writes that a run left, unless it ended as done, or was set aside. Of a run that continued from its
 * failures, only the doubts count.
 */
export function leftBy({ run, entries }: RunRecord): LeftByRun | undefined {
  const [started] = entries;
  if (started?.kind !== 'started' || started.imported !== undefined) return undefined;
  if (isDoneOrAside(entries)) return undefined;
  // As long as the run has no end, a later step of on-failure or finally may still be sent.
  const isEnded = entries.at(-1)?.kind === 'finished';
  const isOver = isEnded && (isOverIn(started, entries) || isContinuedIn(entries));
  const writes = keptWrites(started, entries).filter((write) => !isOver || write.isInDoubt);
  if (writes.length === 0) return undefined;
  const { playbook, at: startedAt, scheduledFor } = started;
  return {
    run,
    playbook: playbook.name,
    file: playbook.file,
    startedAt,
    ...(scheduledFor !== undefined && { scheduledFor }),
    writes,
    sent: isOver ? 0 : sentIn(entries),
    isOver,
  };
}

/** Whether a run ended as done, or a person set it aside. */
function isDoneOrAside(entries: readonly Entry[]): boolean {
  const last = entries.at(-1);
  if (last?.kind === 'finished' && last.status === 'done') return true;
  return setAsideIn(entries) !== undefined;
}

/** Counts the writes that a run did: what it created, and the states that it set, such as a leverage. */
export function sentIn(entries: readonly Entry[]): number {
  const created = keptIntents(entries).filter(({ proven }) => !isDoubtful(proven));
  return created.length + statesSet(entries);
}

/** Counts the states that a run set. Another run sets them again, so the run leaves none of them behind. */
function statesSet(entries: readonly Entry[]): number {
  const known = replay(entries);
  const set = entries.flatMap((entry) => {
    if (entry.kind !== 'intended' || isCreated(entry.operation)) return [];
    return provenAt(known, entry.address).outcome?.kind === 'done' ? [entry.address] : [];
  });
  return new Set(set).size;
}

/** Whether another run of the playbook could repeat writes of this run that the ledger does not know. */
export function canDouble({ writes }: LeftByRun): boolean {
  return writes.some(({ isInDoubt, isLasting }) => isInDoubt || !isLasting);
}

/** Whether a recorded account is, or may be, one of the accounts that the caller asks about. */
export type IsAmong = (recorded: Destination) => boolean;

/** The unfinished runs that left writes on these accounts, oldest first. */
export function unfinishedAmong(
  records: readonly RunRecord[],
  isAmong: IsAmong,
): readonly LeftByRun[] {
  return records.flatMap((record) => {
    const left = leftBy(record);
    if (left === undefined) return [];
    return left.writes.some(({ accounts }) => accounts.some(isAmong)) ? [left] : [];
  });
}

/** A run that a person set aside, and the writes that it left. */
export interface LeftAside extends Pick<LeftByRun, 'run' | 'startedAt' | 'writes'> {
  readonly word: SetAsideWord;
}

/**
 * The newest of some runs that left writes on these accounts, if a person set it aside: another run of the
 * playbook does them again.
 * @param records oldest first
 */
export function asideAmong(records: readonly RunRecord[], isAmong: IsAmong): LeftAside | undefined {
  for (const record of records.toReversed()) {
    const { run, entries, createdOn = [] } = record;
    const [started] = entries;
    if (started?.kind !== 'started' || started.imported !== undefined) continue;
    const word = setAsideIn(entries);
    if (word === undefined && createdOn.some(({ account }) => isAmong(account))) return undefined;
    const writes = keptWrites(started, entries).filter(
      ({ accounts, isInDoubt, isLasting: lasts }) =>
        (isInDoubt || !lasts) && accounts.some(isAmong),
    );
    if (writes.length === 0) continue;
    return word && { run, startedAt: started.at, writes, word };
  }
  return undefined;
}

/**
 * The newest run that sent writes after `own` began, which the rest of `own` would repeat on the same account;
 * an older run may have been resumed meanwhile. What is done once per playbook is found by its content, so it is
 * repeated only with another content. Two occurrences of a schedule are independent. While `own` has a doubt
 * about an order or a sub-account, that blocks other runs, and only `own` settles it; a state that it left open
 * is set again.
 * @param mayCreate whether the rest of `own` may create something at an address that the ledger does not know
 */
export function repeatedSince(
  own: RunRecord,
  records: readonly RunRecord[],
  isAmong: IsAmong,
  mayCreate: (address: Address) => boolean,
): string | undefined {
  const [begun] = own.entries;
  if (begun?.kind !== 'started') return undefined;
  if (!isDoneOrAside(own.entries) && hasDoubt(own.entries)) return undefined;
  const later = records.findLast((record) => {
    const { run, entries, createdOn = createdBy(record) } = record;
    const [started] = entries;
    if (run === own.run || started?.kind !== 'started' || started.imported !== undefined)
      return false;
    const isOther = started.scheduledFor !== begun.scheduledFor;
    if (isOther && started.scheduledFor !== undefined && begun.scheduledFor !== undefined)
      return false;
    if (setAsideIn(entries) !== undefined) return false;
    // The time of a run is that of its plan, which may have been saved long before.
    const isLater = started.time >= begun.time && started.at >= begun.at;
    const isSince = ({ signedAt, at }: Omit<CreatedOn, 'account'>): boolean =>
      isLater || (signedAt > begun.time && at > begun.at);
    if (createdOn.some((each) => isSince(each) && isAmong(each.account))) return true;
    return keptWrites(started, entries).some(
      (write) =>
        write.isLasting &&
        isSince(write) &&
        mayCreate(write.address) &&
        write.accounts.some(isAmong),
    );
  });
  return later?.run;
}

/** The accounts on which a run created something once per run. */
export function createdBy({ entries }: RunRecord): readonly CreatedOn[] {
  const [started] = entries;
  if (started?.kind !== 'started' || started.imported !== undefined) return [];
  const last = new Map<Destination, CreatedOn>();
  for (const { accounts, isLasting, signedAt, at } of keptWrites(started, entries)) {
    if (isLasting) continue;
    for (const account of accounts) {
      const before = last.get(account) ?? { signedAt, at };
      last.set(account, {
        account,
        signedAt: Math.max(before.signedAt, signedAt),
        at: Math.max(before.at, at),
      });
    }
  }
  return [...last.values()];
}

type Started = Extract<Entry, { readonly kind: 'started' }>;

/** Orders and sub-accounts of a run that exist, or may, in the order of their first sending. */
export function keptWrites(started: Started, entries: readonly Entry[]): readonly LeftWrite[] {
  return keptIntents(entries).map((intent) => leftWrite(started, intent));
}

function hasDoubt(entries: readonly Entry[]): boolean {
  return keptIntents(entries).some(({ proven }) => isDoubtful(proven));
}

/** The last intent of a creation that exists, or may, and what the record proves of it. */
interface KeptIntent {
  readonly intent: Intended;
  readonly proven: Proven;
}

/** The intents that may have created something, in the order of their first sending. */
function keptIntents(entries: readonly Entry[]): readonly KeptIntent[] {
  const known = replay(entries);
  const kept = new Map<Address, KeptIntent>();
  for (const entry of entries) {
    if (entry.kind !== 'intended' || !isCreated(entry.operation)) continue;
    const proven = provenAt(known, entry.address);
    if (!mayHaveHappened(proven) || isSaidAbsent(proven.outcome)) continue;
    kept.set(entry.address, { intent: entry, proven });
  }
  return [...kept.values()];
}

function leftWrite(started: Started, { intent, proven }: KeptIntent): LeftWrite {
  const { address, operation, input, account, identity, signedAt, at } = intent;
  const all = destinationsOf(started);
  return {
    address,
    operation,
    input,
    accounts: account === undefined ? all : all.filter(({ profile }) => profile === account),
    isInDoubt: isDoubtful(proven),
    isLasting: identity !== identityOf({ per: 'run', run: started.run }, address, null),
    signedAt,
    at,
  };
}

/** Whether an operation creates something; a state that is set again is the same state. */
export function isCreated(operation: OperationName): boolean {
  const { effect } = operationOf(operation);
  return effect === 'keyed' || effect === 'once';
}

/** Whether neither an answer nor a person decided the outcome of a write. */
function isDoubtful({ openSince, outcome }: Proven): boolean {
  return openSince.length > 0 || outcome?.kind === 'doubt';
}

const setAsideName = 'deskhand/set-aside';

/** The entry that records a person's statement. */
export function setAsideEvent({ who, reason }: Pick<SetAsideWord, 'who' | 'reason'>): Event {
  return { kind: 'signalled', name: setAsideName, payload: { who, reason } };
}

/** The statement about a run; undefined if it may continue. */
export function setAsideIn(entries: readonly Entry[]): SetAsideWord | undefined {
  const found = entries.findLast(
    (entry) => entry.kind === 'signalled' && entry.name === setAsideName,
  );
  if (found?.kind !== 'signalled') return undefined;
  return {
    who: textAt(found.payload, 'who'),
    reason: textAt(found.payload, 'reason'),
    at: found.at,
  };
}

function textAt(payload: Json, field: string): string {
  const value = fieldOf(payload, field);
  return typeof value === 'string' ? value : '';
}
