/** The writes that a run sent in its earlier attempts, for its limits. */
import { isJsonRecord } from '../../base/json.ts';
import type { Address, Destination, Entry } from '../journal/entry.ts';
import { mayHaveHappened, provenAt, replay } from '../journal/replay.ts';
import { outboundIn } from './outbound.ts';
import type { GuardedWrite } from './limit-check.ts';
import { destinationsOf } from '../journal/account.ts';

type Intent = Extract<Entry, { readonly kind: 'intended' }>;

/**
 * Every write that was or may have been sent, once per address, in any playbook and with any
 * outcome, and every notification and program. Refused writes, and those certainly not executed,
 * are omitted.
 */
export function sentIn(entries: readonly Entry[]): readonly GuardedWrite[] {
  const known = replay(entries);
  const destinations = accountsIn(entries);
  const intents = new Map<Address, Intent>();
  for (const entry of entries) if (entry.kind === 'intended') intents.set(entry.address, entry);
  const writes = [...intents.values()]
    .filter(({ address }) => mayHaveHappened(provenAt(known, address)))
    .map((intent) => writeOf(intent, destinations));
  const outbound = [...outboundIn(entries)].map(([address, operation]): GuardedWrite => {
    return { address, operation, input: {} };
  });
  return [...writes, ...outbound];
}

/** The accounts of a run, starting with its own. */
function accountsIn([started]: readonly Entry[]): readonly Destination[] {
  if (started?.kind !== 'started') return [];
  return destinationsOf(started);
}

function writeOf(
  { address, operation, input, account, mark, worth, signedAt }: Intent,
  destinations: readonly Destination[],
): GuardedWrite {
  const [own] = destinations;
  const isAlone = destinations.length === 1;
  const named = destinations.find(({ profile }) => profile === account);
  // An older record of a run with several accounts does not name them: it counts for each.
  const whose = named ?? (isAlone ? own : undefined);
  return {
    address,
    operation,
    input: isJsonRecord(input) ? input : {},
    sentAt: signedAt,
    ...(whose && { account: whose }),
    ...(mark !== undefined && { market: { mark } }),
    ...(worth !== undefined && { worth }),
  };
}
