/** A scenario: a rehearsal's whole setting in one JSON, applied part by part in a fixed order. */
import { Refusal } from '../refusal.ts';
import type { Store } from '../state/store.ts';
import { futuresLines } from '../../contract/vocabulary.ts';
import { addKey, moveMoney, openAccount } from './accounts.ts';
import type { ControlBench, ControlTable } from './bench.ts';
import { ruleOf } from './faults.ts';
import type { Fields } from './fields.ts';
import { changeMarket, marketNamed } from './market.ts';
import { orderFields } from './orders.ts';
import { configure } from './world.ts';

export const scenarioControls: ControlTable = {
  scenario: { POST: (fields, bench) => loadScenario(fields, bench) },
};

/**
 * `{ version: 1, config, accounts[], keys[], transfers[], market[], orders[], faults[],
 * events[] }`, each part in the words of its own control path. An event is
 * `{ afterMs, price, order, deliver, faults }` with one or more of the four.
 */
function loadScenario(fields: Fields, { store }: ControlBench): unknown {
  if (fields.number('version') !== 1) throw new Refusal('40020', 'version must be 1');
  if (fields.has('config')) configure(fields.within('config'), store);
  for (const account of fields.each('accounts')) openAccount(account, store);
  for (const key of fields.each('keys')) addKey(key, store);
  for (const transfer of fields.each('transfers')) moveMoney(transfer, store);
  for (const market of fields.each('market')) {
    changeMarket(market, store, marketNamed(market, store));
  }
  for (const order of fields.each('orders')) {
    store.commit({ kind: 'command', command: { kind: 'place', ...orderFields(order) } });
  }
  if (fields.has('faults')) store.commit({ kind: 'arm', rules: fields.each('faults').map(ruleOf) });
  for (const event of fields.each('events')) postpone(event, store);
  return { now: store.now() };
}

function postpone(event: Fields, store: Store): void {
  const due = store.now() + event.number('afterMs');
  if (event.has('price')) {
    const price = event.within('price');
    const { key } = marketNamed(price, store);
    const act = { kind: 'pin', market: key, what: 'price', price: price.decimal('price') } as const;
    store.commit({ kind: 'postpone', due, act });
  }
  if (event.has('order')) {
    const command = { kind: 'place', ...orderFields(event.within('order')) } as const;
    store.commit({ kind: 'postpone', due, act: { kind: 'command', command } });
  }
  if (event.has('deliver')) {
    const market = event.within('deliver');
    const category = market.choice('category', futuresLines);
    const command = { kind: 'deliver', category, symbol: market.text('symbol') } as const;
    store.commit({ kind: 'postpone', due, act: { kind: 'command', command } });
  }
  if (event.has('faults')) {
    const act = { kind: 'arm', rules: event.each('faults').map(ruleOf) } as const;
    store.commit({ kind: 'postpone', due, act });
  }
}
