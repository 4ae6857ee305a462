/** Whether the lists of an account show its orders: derived from the journals of its runs. */
import { canonicalHost } from '../../base/host.ts';
import { lineKey, listedLineOf } from '../../exchange/api/meant-order.ts';
import type { Destination, Entry, Event } from './entry.ts';
import { readJournal } from './journal.ts';
import { JournalError } from './error.ts';
import { accountNames, accountOf, idKey } from './account.ts';
import { newestRuns } from './run-list.ts';
import { readRunText } from './runs.ts';
import { restOf } from './stored-rest.ts';
import { StoredView } from './stored-view.ts';
import type { Visibility, VisibilityFacts } from './visible.ts';

/** The visibility of orders by account and product line, see `listsName`; others are unknown. */
export type Visibilities = ReadonlyMap<string, Visibility>;

/** The name of an account's lists that show the orders of one product line. */
export function listsName(account: string, line: string): string {
  return `${account} ${line}`;
}

/** The visibility of an account's orders by product line, under any of the account's names. */
export function visibilitiesOf(
  account: Destination,
  known: Visibilities,
): ReadonlyMap<string, Visibility> {
  const names = accountNames(account);
  const own = [...known.values()].filter((visibility) => names.includes(visibility.account));
  const lightest = own.toSorted((a, b) => weight(a) - weight(b));
  return new Map(lightest.map((visibility) => [visibility.line, visibility]));
}

/**
 * Whether the lists must have shown an order before they are trusted: those of a sandbox are ours and
 * show every order.
 */
export function mustShow({ target }: Destination): boolean {
  return target !== 'sandbox';
}

/** The proofs in some entries about the lists of each account. A proof is never revoked. */
export function visibilitiesIn(entries: readonly (Entry | News)[]): Visibilities {
  const found = new Map<string, Visibility>();
  for (const { account, line: told, profile, orders, order, time, because } of newsIn(entries)) {
    const line = told ?? lineOfOrder(order, entries);
    if (line === undefined) continue;
    const name = listsName(account, line);
    const known = found.get(name);
    if (known !== undefined && weight({ orders }) < weight(known)) continue;
    const visibility = { account, line, profile, orders, order, time };
    found.set(name, { ...visibility, ...(because !== undefined && { because }) });
  }
  return found;
}

type News = Extract<Event, { readonly kind: 'visibility' }>;

function newsIn(entries: readonly (Entry | News)[]): readonly News[] {
  return entries.filter((entry) => entry.kind === 'visibility');
}

/**
 * The product line of an order whose entry omits it, from the writes that were sent: of an order placed
 * by another run, the line is found only there.
 */
function lineOfOrder(
  { run, address }: Visibility['order'],
  entries: readonly (Entry | News)[],
): string | undefined {
  const [started] = entries;
  if (started?.kind !== 'started' || started.run !== run) return undefined;
  const sent = entries.find((entry) => entry.kind === 'intended' && entry.address === address);
  if (sent?.kind !== 'intended') return undefined;
  const accounts = [...(started.accounts ?? []), started.destination];
  const { family } =
    accounts.find(({ profile }) => profile === sent.account) ?? started.destination;
  const line = listedLineOf(sent.operation, sent.input, family);
  return line && lineKey(line);
}

/**
 * The proofs of earlier runs about a run's accounts that its own journal lacks. Each run copies it,
 * so that the newest run has everything.
 */
export function newsOf(
  accounts: readonly Destination[],
  learned: Visibilities = new Map(),
  earlier: readonly Entry[],
): readonly News[] {
  const here = visibilitiesIn(earlier);
  return accounts.filter(mustShow).flatMap((account) => {
    const own = visibilitiesOf(account, here);
    return [...visibilitiesOf(account, learned)].flatMap(([line, visibility]): News[] => {
      const known = own.get(line);
      if (known && weight(visibility) <= weight(known)) return [];
      return [{ kind: 'visibility', ...visibility, account: accountOf(account) }];
    });
  });
}

/**
 * The weight of evidence: a proof is stronger than a failed search, and that than a search without
 * result.
 */
export function weight({ orders }: Pick<Visibility, 'orders'>): number {
  return ['unknown', 'unlisted', 'listed'].indexOf(orders);
}

const runsMax = 200; // newest; a result of older runs is determined again by one lookup

/**
 * The visibility that runs have proved for live accounts. A damaged journal gives no result and revokes no
 * proof.
 */
export async function readVisibilities(
  stateDir: string,
  accounts: readonly Destination[],
): Promise<Visibilities> {
  const found = new Map<string, Visibility>();
  let wanted = accounts.filter(mustShow);
  if (wanted.length === 0) return found;
  const names = new Set(wanted.flatMap(accountNames));
  const places = new Set(wanted.flatMap(placesOf));
  const headers = await newestRuns(
    stateDir,
    runsMax,
    ({ accounts: [own] }) =>
      own !== undefined && mustShow(own) && placesOf(own).some((at) => places.has(at)),
  );
  const stored = new StoredView(stateDir);
  for (const { run } of headers) {
    const facts = restOf(stored, run)?.visibility ?? (await factsHere(stateDir, run));
    for (const visibility of facts.found) {
      const name = listsName(visibility.account, visibility.line);
      if (!names.has(visibility.account)) continue;
      const known = found.get(name);
      if (!known || weight(visibility) > weight(known)) found.set(name, visibility);
    }
    // An entry with a line copies what was known about every product line; an older one may not.
    for (const { account, line, orders } of facts.news) {
      if (line === undefined || orders === 'unknown') continue;
      wanted = wanted.filter((each) => !accountNames(each).includes(account));
    }
    if (wanted.length === 0) break;
  }
  return found;
}

/** The places under which a run may have learned about an account: its address, or its id. */
function placesOf({ host, accountId }: Destination): readonly string[] {
  return [canonicalHost(host), ...(accountId === undefined ? [] : [`id ${idKey(accountId)}`])];
}

/** The lookups that a run recorded. */
export function visibilityFacts(entries: readonly Entry[]): VisibilityFacts {
  const news = newsIn(entries).map(({ account, line, orders }) => {
    return { account, orders, ...(line !== undefined && { line }) };
  });
  return { found: [...visibilitiesIn(entries).values()], news };
}

async function factsHere(stateDir: string, run: string): Promise<VisibilityFacts> {
  try {
    const { text, path, mark } = await readRunText(stateDir, run);
    const isAny = text.includes('"visibility"');
    return visibilityFacts(isAny ? readJournal(text, path, mark).entries : []);
  } catch (error) {
    if (error instanceof JournalError) return visibilityFacts([]);
    throw error;
  }
}
