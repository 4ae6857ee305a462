/** Whether the lists of an account show its orders: derived from the journals of its runs. */
import type { Destination, Entry, Event, Visibility } from './entry.ts';
import { JournalError, readJournal } from './journal.ts';
import { accountOf } from './account.ts';
import { listRuns, readRunText } from './runs.ts';

/** By account, as `accountOf` names it; nothing is known of those it does not have. */
export type Visibilities = ReadonlyMap<string, Visibility>;

/** The lists of a sandbox are ours and show every order; others must have shown one to be believed. */
export function mustShow({ target }: Destination): boolean {
  return target === 'live';
}

/** What the entries say of each account. Lists that have shown an order are not forgotten. */
export function visibilitiesIn(entries: readonly (Entry | News)[]): Visibilities {
  const found = new Map<string, Visibility>();
  for (const entry of entries) {
    if (entry.kind !== 'visibility') continue;
    const { account, profile, orders, order, time, because } = entry;
    const known = found.get(account);
    if (known !== undefined && weight(entry) < weight(known)) continue;
    const visibility = { account, profile, orders, order, time };
    found.set(account, { ...visibility, ...(because !== undefined && { because }) });
  }
  return found;
}

type News = Extract<Event, { readonly kind: 'visibility' }>;

/**
 * What earlier runs learned of a run's accounts that its own journal does not say. Each run carries
 * it over, so that the newest knows what any before it learned.
 */
export function newsOf(
  accounts: readonly Destination[],
  learned: Visibilities = new Map(),
  earlier: readonly Entry[],
): readonly News[] {
  const here = visibilitiesIn(earlier);
  return accounts.filter(mustShow).flatMap((destination): News[] => {
    const account = accountOf(destination);
    const [told, own] = [learned.get(account), here.get(account)];
    if (told === undefined || (own && weight(told) <= weight(own))) return [];
    return [{ kind: 'visibility', ...told }];
  });
}

/** What counts for more stays: a proof, then a search in vain, then a look that told nothing. */
export function weight({ orders }: Pick<Visibility, 'orders'>): number {
  return ['unknown', 'unlisted', 'listed'].indexOf(orders);
}

const runsMax = 200; // newest; beyond them it is learned again by one look

/**
 * What runs have learned of live accounts. A journal that is damaged tells nothing, and cannot
 * take a proof back.
 */
export async function readVisibilities(
  stateDir: string,
  accounts: readonly Destination[],
): Promise<Visibilities> {
  const found = new Map<string, Visibility>();
  const wanted = new Set(accounts.filter(mustShow).map(accountOf));
  if (wanted.size === 0) return found;
  const hosts = new Set(accounts.map(({ host }) => host));
  const headers = (await listRuns(stateDir)).filter(({ destination: { target, host } }) => {
    return target === 'live' && hosts.has(host);
  });
  for (const { run } of headers.slice(0, runsMax)) {
    for (const [account, visibility] of await learnedIn(stateDir, run)) {
      const known = found.get(account);
      if (!known || weight(visibility) > weight(known)) found.set(account, visibility);
      if (visibility.orders !== 'unknown') wanted.delete(account);
    }
    if (wanted.size === 0) break;
  }
  return found;
}

async function learnedIn(stateDir: string, run: string): Promise<Visibilities> {
  try {
    const { text, path } = await readRunText(stateDir, run);
    if (!text.includes('"visibility"')) return new Map();
    return visibilitiesIn(readJournal(text, path).entries);
  } catch (error) {
    if (error instanceof JournalError) return new Map();
    throw error;
  }
}
