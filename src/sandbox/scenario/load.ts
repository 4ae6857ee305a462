/** Loads a scenario into a world, part by part in a fixed order. */
import { lengthIn, type Millis } from '../../base/clock.ts';
import { addKey, moveMoney, openAccount } from '../control/accounts.ts';
import { setClock } from '../control/clock.ts';
import { ruleOf } from '../control/faults.ts';
import { changeMarket, marketNamed } from '../control/market.ts';
import { configure } from '../control/world.ts';
import type { Store } from '../persistence/world-store.ts';
import { unitsSet } from '../world/set-by-hand.ts';
import { listingOf } from './listing.ts';
import type { Scenario } from './format.ts';

/**
 * Loads a scenario; each part is a request of its control path. A refused part ends it; earlier
 * parts stay.
 * @throws Refusal when the world refuses a part
 */
export function loadScenario(scenario: Scenario, store: Store): void {
  const { accounts = [], keys = [], transfers = [], market = [], orders = [] } = scenario;
  const { clock, config, faults, events = [] } = scenario;
  if (clock) setClock(clock, store);
  if (config) configure(config, store);
  addToWorld(scenario, store);
  for (const account of accounts) openAccount(account, store);
  for (const key of keys) addKey(key, store);
  for (const transfer of transfers) moveMoney(transfer, store);
  for (const change of market) changeMarket(change, store);
  for (const order of orders) {
    store.commit({ kind: 'command', command: { kind: 'place', ...order } });
  }
  if (faults) store.commit({ kind: 'arm', rules: faults.map(ruleOf) });
  for (const event of events) postpone(event, store);
}

function addToWorld(scenario: Scenario, store: Store): void {
  const { instruments = [], referrals = [], loanProducts = [], loans = [], p2p = [] } = scenario;
  if ([instruments, referrals, loanProducts, loans, p2p].every((part) => part.length === 0)) return;
  store.commit({
    kind: 'add',
    added: {
      listings: instruments.map(listingOf),
      referrals: referrals.map(({ registerTime, volumes = [], ...referral }) => ({
        referralCode: '',
        balance: '0',
        ...referral,
        registerTime: Number(registerTime),
        volumes: volumes.map(({ time, volumn }) => ({ time: Number(time), volumn })),
      })),
      loanProducts,
      loans,
      p2p,
    },
  });
}

type Event = NonNullable<Scenario['events']>[number];

function postpone({ after, price, order, deliver, faults }: Event, store: Store): void {
  const due = store.now() + lengthOf(after);
  if (price !== undefined) {
    const market = marketNamed(price, store);
    const act = { kind: 'pin', market: market.key, what: 'price', price: price.price } as const;
    unitsSet(act, market); // refuses now: a later refusal would not be reported
    store.commit({ kind: 'postpone', due, act });
  }
  if (order !== undefined) {
    const command = { kind: 'place', ...order } as const;
    store.commit({ kind: 'postpone', due, act: { kind: 'command', command } });
  }
  if (deliver !== undefined) {
    const command = { kind: 'deliver', ...deliver } as const;
    store.commit({ kind: 'postpone', due, act: { kind: 'command', command } });
  }
  if (faults !== undefined) {
    const act = { kind: 'arm', rules: faults.map(ruleOf) } as const;
    store.commit({ kind: 'postpone', due, act });
  }
}

/** A duration: `10m`, or milliseconds; the schema allows nothing else. */
function lengthOf(after: string | number): Millis {
  return typeof after === 'number' ? after : (lengthIn(after) ?? 0);
}
