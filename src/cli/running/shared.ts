/** Runs of other machines, for lists of runs. */
import { listed, plainText, shellWord } from '../../base/text.ts';
import type { Config } from '../../app/config/load.ts';
import { locksIn } from '../../engine/journal/lock.ts';
import { hasBegun } from '../../engine/journal/runs.ts';
import { moment } from '../../report/words.ts';
import { openJobs } from '../../app/store/jobs.ts';
import { untilAnswered } from '../../app/store/patience.ts';
import { storeOf } from '../../app/store/synchronized.ts';
import { isDatabase } from '../../stores/settings.ts';
import { hasEndedHere } from '../../stores/locks.ts';
import {
  StoreError,
  type Claim,
  type ListedRuns,
  type Listing,
  type StateStore,
} from '../../stores/store.ts';
import type { Context } from '../context.ts';
import { queueView, waitWords } from '../../app/queue/waiting.ts';

/**
 * Shows runs of other machines; local ones are shown even if the store is unreachable.
 * @param wanted the runs that the caller lists; default: all
 * @returns what the store says of them
 */
export async function printShared(
  config: Config,
  context: Context,
  wanted?: ListedRuns,
): Promise<Omit<Listing, 'claims'>> {
  const { err } = context.terminal;
  try {
    const store = await storeOf(config, context);
    const synced = await untilAnswered(() => syncedFor(store, wanted), context);
    const { claims, ...listing } = synced;
    const locks = await locksIn(config.stateDir);
    for (const claim of claims) {
      const isEnded = hasEndedHere(claim, locks);
      const isBegun = await hasBegun(config.stateDir, claim.run).catch(() => true); // damaged
      err.line(claimLine(claim, { isEnded, isBegun }, context));
    }
    for (const line of await queuedLines(config, context)) err.line(line);
    return listing;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const because = plainText(error.message.replace(/; nothing was sent$/, ''));
    err.line(`${err.theme.sign('warn')} only runs of this machine are known: ${because}`);
    return {};
  }
}

async function syncedFor(store: StateStore, wanted: ListedRuns | undefined): Promise<Listing> {
  if (wanted !== undefined && store.syncNewest !== undefined) return store.syncNewest(wanted);
  return { claims: await store.sync() };
}

/** The lines of runs that no worker has now, with the reason why each waits. */
async function queuedLines(config: Config, context: Context): Promise<readonly string[]> {
  if (!isDatabase(config.state)) return [];
  const jobs = await openJobs(config, context);
  try {
    const view = await queueView(jobs);
    return view.open.flatMap((one) => {
      const { id, kind, playbook } = one.job;
      const waits = kind === 'plan' ? undefined : waitWords(one, view);
      if (waits === undefined) return [];
      return [`${plainText(id, 64)} (${plainText(playbook, 60)}) is queued and waits: ${waits}`];
    });
  } finally {
    await jobs.close();
  }
}

/** The local data of a run that has a claim. */
interface Claiming {
  /** Whether the run's process was one of this machine, and has ended. */
  readonly isEnded: boolean;
  /** Whether the run has a record: a run has one in the store before it sends anything. */
  readonly isBegun: boolean;
}

/** The line of a run that has a claim, or did not release its claim. */
function claimLine(
  { run, host, accounts, until, damage }: Claim,
  { isEnded, isBegun }: Claiming,
  { terminal, clock }: Context,
): string {
  const { paint, sign } = terminal.err.theme;
  if (damage !== undefined) {
    return `${paint('bad', '!')} ${plainText(damage, 300)}: find out who wrote to the database`;
  }
  const profiles = listed(accounts.map(({ profile }) => plainText(profile, 40)));
  const who = `${run} on ${plainText(host, 80)}`;
  const command = `deskhand resume ${shellWord(run)}`;
  const reason = (): string => {
    // The exchange's clock decides; the local one is close enough to choose the text.
    const isOver = until <= clock.now();
    if ((isOver || isEnded) && !isBegun) {
      return `${who} ${isOver ? 'had' : 'has'} ${profiles} to itself until ${moment(until)} UTC, and its process ended before it began: nothing was sent, and nothing is to be resumed`;
    }
    if (isOver) {
      return `${who} had ${profiles} to itself until ${moment(until)} UTC and did not report its end: ${command}`;
    }
    return isEnded
      ? `${run} has ${profiles}, and its process on this machine has ended: ${command} (on other machines from ${moment(until)} UTC on)`
      : `${who} has ${profiles} to itself, until ${moment(until)} UTC at least`;
  };
  return `${sign('warn')} ${reason()}`;
}
