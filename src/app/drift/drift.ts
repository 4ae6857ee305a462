/** Compares the ledger of a playbook with what the exchange shows now; it only reads. */
import type { Millis } from '../../base/clock.ts';
import type { Destination } from '../../engine/journal/entry.ts';
import { readableRuns } from '../../engine/journal/run-list.ts';
import type { SentSummary } from '../../engine/journal/sent-facts.ts';
import type { Account } from '../../engine/plan/account.ts';
import { areUnlisted, type ObservedAccount } from '../../engine/plan/drift-orders.ts';
import { driftOf } from '../../engine/plan/drift.ts';
import { observerOf } from '../../engine/plan/observe.ts';
import type { Playbook } from '../../language/playbook.ts';
import type { Drift } from '../../report/markdown/drift-comment.ts';
import { openWork } from '../accounts/work.ts';
import type { Config } from '../config/load.ts';
import { profileOf } from '../config/opened.ts';
import type { AppContext } from '../app-context.ts';
import { syncToPlan } from '../running/beside.ts';
import { orphanedNames } from './orphaned.ts';
import { recordsFor } from './records.ts';

/** @param signal aborted to stop reading */
export async function driftOfPlaybook(
  playbook: Playbook,
  config: Config,
  signal: AbortSignal,
  context: AppContext,
): Promise<Drift> {
  const profile = profileOf(context, config, playbook.account);
  const session = await openWork(context, config, profile, { needsKey: true });
  try {
    const { stateDir } = config;
    const { destination, exchange } = session;
    await syncToPlan(playbook, session, context);
    const runs = await readableRuns(stateDir);
    // A run that cannot be identified may be of any account.
    const book = await session.book(runs.unnamed.length === 0 ? runs : undefined);
    const isOurs = (of: Destination): boolean => book.standingOf(destination, of) === 'same';
    const now = await exchange.serverTime(signal);
    const isPast = ({ orders, hasOthers }: SentSummary, signedAt: Millis): boolean =>
      !hasOthers && areUnlisted(orders, signedAt, destination.family, now);
    const comparing = { playbook: playbook.name, stateDir, isOurs, isPast };
    const records = await recordsFor(runs, comparing);
    const { own, damages, past } = records;
    const writes = own.flatMap((each) => each.writes);
    const accounts = new Set(own.flatMap((each) => each.accounts));
    for (const { account } of writes) if (account !== undefined) accounts.add(account);
    accounts.delete(destination.profile);
    const others = await Promise.all([...accounts].map((name) => session.open(name)));
    const places = [destination, ...others.map((other) => other.destination)];
    const looking = { playbook, session, own, runs, accounts: places, stateDir, now, signal };
    const { lines, older } = await driftOf({
      writes,
      past,
      sentHere: records.sentHere,
      endedHere: records.endedHere,
      looksEverywhere: damages.length > 0,
      accounts: [observed(session, signal), ...others.map((other) => observed(other, signal))],
      // If a record is damaged, the orders of earlier runs are not known.
      orphaned: damages.length > 0 ? new Set() : await orphanedNames(looking),
      now,
    });
    const { name, file } = playbook;
    const { elsewhere } = records;
    const also = others.length > 0 && { accounts: others.map((other) => other.destination) };
    return { playbook: name, file, destination, ...also, lines, older, elsewhere, damages };
  } finally {
    await session.close();
  }
}

function observed(
  { destination, exchange }: Pick<Account, 'destination' | 'exchange'>,
  signal: AbortSignal,
): ObservedAccount {
  const { profile, family } = destination;
  return { profile, ...(family && { family }), observer: observerOf(exchange, signal) };
}
