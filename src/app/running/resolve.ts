/** A person settles a doubt of a run; the journal records who and why. */
import { UsageError } from '../../base/error.ts';
import { nearWord, plainText, shellWord } from '../../base/text.ts';
import { doubtsIn, namesTaken, type InDoubt } from '../../engine/effects/doubts.ts';
import { EvidenceError } from '../../engine/effects/evidence.ts';
import { outcomeBy, type PersonsFinding } from '../../engine/effects/resolve.ts';
import type { Entry, PersonsWord } from '../../engine/journal/entry.ts';
import { canonicalAddress } from '../../engine/journal/identity.ts';
import { ledgerOf } from '../../engine/journal/ledger.ts';
import { readRecords } from '../../engine/journal/records.ts';
import { forgottenSince } from '../../engine/journal/replay.ts';
import { mustShow, visibilitiesIn, visibilitiesOf } from '../../engine/journal/visibility.ts';
import { namesIn } from '../../engine/journal/writes.ts';
import { lineKey, listedLineOf } from '../../exchange/api/meant-order.ts';
import { withRunAccounts } from '../accounts/run-accounts.ts';
import type { Config } from '../config/load.ts';
import type { AppContext } from '../app-context.ts';
import type { Started } from '../store/synchronized.ts';
import { recordedNames } from './damaged.ts';
import { withOpenRun } from './open-run.ts';
import { destinationsOf } from '../../engine/journal/account.ts';

export interface Said {
  readonly runId: string;
  /** The address of the action in doubt. */
  readonly address: string;
  readonly verdict: PersonsFinding;
  readonly person: PersonsWord;
}

/** The settlement that was recorded. */
export interface Settled {
  readonly address: string;
  /**
   * The reason why only the person's statement supports the settlement; undefined if there is other evidence.
   */
  readonly note: string | undefined;
  /** The record of the run, including the entry of the settlement. */
  readonly entries: readonly Entry[];
}

/**
 * Settles a doubt of a run.
 * @param onRecorded called once it is in the journal: other machines may learn of it later
 * @throws UsageError, EvidenceError for what contradicts the record or the exchange; JournalError
 */
export function settleByPerson(
  { runId, address, verdict, person }: Said,
  onRecorded: (settled: Settled) => void,
  context: AppContext,
): Promise<void> {
  return withOpenRun(runId, context, async ({ config, started, journal, entries }) => {
    const { stateDir } = config;
    const doubt = doubtAt(entries, address, runId, verdict);
    if (verdict.kind !== 'abandon') await refuseElsewhere(doubt, started, config);
    const { outcome, note } = await withRunAccounts(
      started,
      verdict.kind !== 'abandon', // that needs no requests
      config,
      context,
      ({ opened, signal }) =>
        outcomeBy(doubt, verdict, {
          person,
          clock: context.clock,
          target: started.destination.target,
          ...(forgottenSince(entries) && { namesKnown: () => namesKnown(stateDir, entries) }),
          accounts: opened,
          signal,
        }),
    );
    const entry = await journal.append({ kind: 'settled', address: doubt.address, outcome });
    onRecorded({
      address: doubt.address,
      note: note ?? silence(verdict, doubt, started, entries),
      entries: [...entries, entry],
    });
  });
}

/** The clientOids of the orders of this run and of all other runs. */
async function namesKnown(
  stateDir: string,
  entries: readonly Entry[],
): Promise<ReadonlySet<string>> {
  return new Set([...(await recordedNames(stateDir)), ...namesIn(entries)]);
}

/**
 * A note for a finding "absent" without proof: an absent order proves nothing if the lists have never shown
 * an order of its product line.
 */
function silence(
  { kind }: PersonsFinding,
  { intents }: InDoubt,
  started: Started,
  entries: readonly Entry[],
): string | undefined {
  const known = visibilitiesIn(entries);
  const intent = intents.at(-1);
  if (kind !== 'absent') return undefined;
  const [blind] = destinationsOf(started)
    .filter(mustShow)
    .flatMap((account) => {
      const line = listedLineOf(intent?.operation, intent?.input, account.family);
      if (line === undefined) return [];
      const isListed = visibilitiesOf(account, known).get(lineKey(line))?.orders === 'listed';
      return isListed ? [] : [lineKey(line)];
    });
  return blind && `these lists have never shown an order of ${blind} of this account`;
}

/** Finds the doubt at an address. @throws UsageError with a suggestion */
function doubtAt(
  entries: readonly Entry[],
  address: string,
  runId: string,
  { kind }: PersonsFinding,
): InDoubt {
  const taken = kind === 'placed' ? namesTaken(entries) : [];
  const doubts = [...doubtsIn(entries), ...taken];
  const isNamed = (known: string): boolean =>
    known === address || plainText(known, 120) === address;
  const found = doubts.find((doubt) => isNamed(doubt.address));
  if (found !== undefined) return found;
  const known = entries.flatMap((entry) => ('address' in entry ? [entry.address] : []));
  if (known.some(isNamed)) {
    const [first] = doubts;
    throw new UsageError(
      `${address} is not in doubt`,
      first === undefined ? `nothing of ${runId} is` : `${first.address} is`,
    );
  }
  const near = nearWord(address, new Set(known));
  throw new UsageError(
    `${runId} has no action ${JSON.stringify(address)}`,
    near === undefined ? `see \`deskhand runs show ${shellWord(runId)}\`` : `did you mean ${near}?`,
  );
}

/** Refuses to settle a doubt of another run, which is resolved in that run. */
async function refuseElsewhere(
  { address, intents }: InDoubt,
  { playbook, run: runId }: Started,
  { stateDir }: Config,
): Promise<void> {
  if (intents.length > 0) return;
  for (const { run, entries } of await readRecords(stateDir, playbook.name)) {
    if (run === runId) continue;
    for (const entry of ledgerOf(run, entries).values()) {
      if (entry.kind !== 'open' || !isSameAddress(entry.address, address)) continue;
      const hint = `resolve it there: deskhand resolve ${shellWord(run)} ${shellWord(entry.address)}`;
      throw new EvidenceError(`${address} was sent by run ${run}, not by this one`, hint);
    }
  }
}

function isSameAddress(a: string, b: string): boolean {
  return canonicalAddress(a) === canonicalAddress(b);
}
