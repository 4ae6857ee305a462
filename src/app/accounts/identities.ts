/** The identities of a run's accounts: their keys and ids in runs and in the configuration. */
import { ConfigError } from '../../base/error.ts';
import { canonicalJson } from '../../base/json.ts';
import { plainText, shellWord } from '../../base/text.ts';
import { configuredKeys } from '../config/known-keys.ts';
import type { Config } from '../config/load.ts';
import type { Environment } from '../config/secrets.ts';
import { nothingDecided } from '../../engine/journal/account-decisions.ts';
import { isEmbedded } from '../../engine/journal/account.ts';
import { readByHand, type HandWrite } from '../../engine/journal/by-hand.ts';
import type { Destination, Entry } from '../../engine/journal/entry.ts';
import { idHint, ofEnvironment } from '../../engine/journal/id-hint.ts';
import type { Ledger, Standing } from '../../engine/journal/ledger.ts';
import {
  hasWrittenSince,
  readDoubtsBeside,
  readForLedger,
  type LedgerOptions,
  type LedgerScope,
} from '../../engine/journal/records.ts';
import { allRuns, type AllRuns } from '../../engine/journal/run-list.ts';
import type { RunRecord } from '../../engine/journal/run-record.ts';
import {
  isPacked,
  PastWrites,
  type PastRun,
  type PastView,
} from '../../engine/journal/past-writes.ts';
import type { PlacedOrders } from '../../engine/journal/placed-orders.ts';
import {
  asideAmong,
  repeatedSince,
  unfinishedAmong,
  type IsAmong,
  type LeftAside,
  type LeftByRun,
} from '../../engine/journal/unfinished.ts';
import { AccountRegister, keyUsesIn, keyUsesOf } from '../../engine/journal/standing.ts';
import { beginningIn } from '../../engine/plan/call.ts';
import { mayCreateIn, type PlannedCreations } from '../../engine/plan/unfinished.ts';
import { touchesAccount } from '../../language/account-state.ts';
import type { Playbook } from '../../language/playbook.ts';
import { lacksId } from './account-rules.ts';

/**
 * The current knowledge about accounts: read again whenever a run may have ended.
 * @param runs all runs, if they were just listed; none if only the configuration matters
 */
export async function accountBook(
  config: Config,
  env: Environment,
  runs?: AllRuns | 'none',
): Promise<AccountRegister> {
  const { stateDir, profiles } = config;
  const used = runs === 'none' ? [] : runs ? keyUsesOf(runs) : await keyUsesIn(stateDir);
  const uses = [...used, ...(await configuredKeys(profiles.values(), env))];
  return new AccountRegister(uses, (name) => profiles.get(name)?.decided ?? nothingDecided);
}

/** The writes of earlier runs of a playbook, by account. */
export interface Ledgers {
  readonly ledger: (now: Destination) => Ledger;
  /** Orders placed once per playbook. */
  readonly placed: (now: Destination) => PlacedOrders;
  /** Unfinished runs of which some write may be done again on one of these accounts. */
  readonly unfinished: (now: readonly Destination[]) => readonly LeftByRun[];
  /** The writes that runs of other playbooks left in doubt on one of these accounts. */
  readonly doubts: (now: readonly Destination[]) => Promise<readonly LeftByRun[]>;
  /** A run that was set aside, whose writes on one of these accounts no later run has done again. */
  readonly aside: (now: readonly Destination[]) => LeftAside | undefined;
  /** A run that, on one of these accounts, already sent what the rest of the resumed run, with its plan, would send. */
  readonly repeated: (
    now: readonly Destination[],
    plan: readonly PlannedCreations[],
  ) => string | undefined;
}

/**
 * The writes of earlier runs of a playbook, for any account.
 * @param earlier entries of the run when it is resumed: it keeps its original names
 * @param runs all runs, if they were just listed
 */
export async function ledgersOf(
  stateDir: string,
  playbook: Playbook,
  book: AccountRegister,
  earlier: readonly Entry[] = [],
  runs?: AllRuns,
): Promise<Ledgers> {
  const scope = scopeOf(playbook);
  const [started] = earlier;
  const own = started?.kind === 'started' ? { run: started.run, entries: earlier } : undefined;
  const all = { runs: runs ?? (await allRuns(stateDir)), keeps: true };
  const doubts: DoubtsOf = (isAmong) => readDoubtsBeside(playbook.name, isAmong, all);
  const records = await readForLedger(stateDir, scope, { ...all, ...(own && { known: own }) });
  const written = { records, byHand: byHandFor(scope, stateDir), doubts, runs: all.runs };
  return ledgersIn(written, scope, book, earlier);
}

/** Reads the writes of earlier runs, for the plan of a run that is only shown. */
export async function ledgersToShow(
  stateDir: string,
  playbook: Playbook,
  book: AccountRegister,
  options: LedgerOptions,
): Promise<Ledgers> {
  const scope = scopeOf(playbook);
  const doubts: DoubtsOf = (isAmong) => readDoubtsBeside(playbook.name, isAmong, options);
  const records = await readForLedger(stateDir, scope, options);
  const written = { records, byHand: byHandFor(scope, stateDir), doubts, runs: options.runs };
  return ledgersIn(written, scope, book);
}

function scopeOf(playbook: Playbook): LedgerScope {
  return { playbook: playbook.name, isWide: touchesAccount(playbook) };
}

function byHandFor({ isWide }: LedgerScope, stateDir: string): readonly HandWrite[] {
  return isWide ? readByHand(stateDir) : [];
}

/** The recorded writes: those of runs, and those that people made by hand. */
interface Written {
  readonly records: readonly PastRun[];
  readonly byHand: readonly HandWrite[];
  readonly doubts: DoubtsOf;
  readonly runs: AllRuns;
}

/** Finds the writes that runs of other playbooks left in doubt on some accounts. */
type DoubtsOf = (isAmong: IsAmong) => Promise<readonly LeftByRun[]>;

function ledgersIn(
  { records: all, byHand, doubts, runs }: Written,
  { playbook }: LedgerScope,
  book: AccountRegister,
  earlier: readonly Entry[] = [],
): Ledgers {
  const began = beginningIn(earlier);
  const viewOf = (now: Destination): PastView => {
    const as = began?.accounts.find(({ profile }) => profile === now.profile) ?? now;
    return {
      as,
      standingOf: knownStandings((then) => book.standingOf(now, then)),
      playbook,
      byHand,
    };
  };
  const past = new PastWrites(all);
  // An account that cannot be told from one of these counts as one of them.
  const among = (now: readonly Destination[]): IsAmong => {
    const views = now.map(viewOf);
    return (then) => views.some(({ standingOf }) => standingOf(then) !== 'other');
  };
  const [started] = earlier;
  const own = started?.kind === 'started' ? { run: started.run, entries: earlier } : undefined;
  // A run that ended and left nothing is packed.
  const others = all.flatMap((run): readonly RunRecord[] => {
    if (isPacked(run) || run.run === own?.run) return [];
    const [first] = run.entries;
    return first?.kind === 'started' && first.playbook.name === playbook ? [run] : [];
  });
  return {
    ledger: (now) => past.of(viewOf(now)),
    placed: (now) => past.of(viewOf(now)),
    unfinished: (now) => unfinishedAmong(others, among(now)),
    doubts: (now) => doubts(among(now)),
    aside: (now) => {
      const found = asideAmong(others, among(now));
      return found && hasWrittenSince(found, playbook, among(now), runs) ? undefined : found;
    },
    repeated: (now, plan) => own && repeatedSince(own, others, among(now), mayCreateIn(plan)),
  };
}

/** Standings that are looked up once for each account: a ledger asks for each write. */
function knownStandings(standingOf: (then: Destination) => Standing): typeof standingOf {
  const [of, named] = [new WeakMap<Destination, Standing>(), new Map<string, Standing>()];
  return (then) => {
    const known = of.get(then);
    if (known !== undefined) return known;
    const name = canonicalJson(then);
    const standing = named.get(name) ?? standingOf(then);
    named.set(name, standing);
    of.set(then, standing);
    return standing;
  };
}

/**
 * Several machines identify a live account only by its id, because keys are changed on one of them first.
 * @throws ConfigError for an account without an id
 */
export function refuseUnnamed(
  accounts: readonly Destination[],
  { state }: Pick<Config, 'state'>,
): void {
  if (state.store === 'local') return;
  const lacking = accounts.find((account) => lacksId(account) && !isEmbedded(account));
  if (lacking === undefined) return;
  throw new ConfigError(
    `profile ${lacking.profile} is live and has no account-id, which state: ${state.store} needs; nothing was sent`,
    idHint(lacking.profile),
  );
}

/**
 * The account a run started with, and the profile's current account.
 * @throws ConfigError when they are not verified to be one
 */
export function refuseOther(
  then: Destination,
  now: Destination,
  book: AccountRegister,
  runId: string,
): void {
  const standing = book.standingOf(now, then);
  if (standing === 'same') return;
  const message = `run ${runId} used ${wordsOf(then)}; profile ${now.profile} now uses ${wordsOf(now)}`;
  const key = then.keyFingerprint ?? '';
  throw new ConfigError(
    message,
    standing === 'unproved' && now.profile !== ofEnvironment
      ? `if that is one account: deskhand keys former ${key} -p ${shellWord(now.profile)}${now.accountId === undefined ? ' --account-id ID' : ''}`
      : 'restore the profile’s former address and key, then resume',
  );
}

function wordsOf({ host, keyFingerprint = 'none', accountId }: Destination): string {
  const id = accountId === undefined ? '' : `account ${plainText(accountId, 80)}, `;
  return `${plainText(host, 100)}, ${id}key ${keyFingerprint}`;
}
