/** What orders are held against, for those who want to know before they send one. */
import { futuresLines } from '../../contract/vocabulary.ts';
import type { Instrument } from '../engine/instrument.ts';
import { keyNamed } from '../gateway/keys.ts';
import { Refusal } from '../refusal.ts';
import type { ControlBench, ControlTable } from './bench.ts';
import type { Fields } from './fields.ts';

/** POST keeps the key out of the address, where it would be seen in every log of requests. */
export const termsControls: ControlTable = { terms: { GET: termsFor, POST: termsFor } };

function termsFor(fields: Fields, { store }: ControlBench): object {
  const { engine, markets, registry } = store.world();
  const line = fields.choice('category', futuresLines);
  const key = keyNamed(registry.keys, fields.text('apiKey'));
  const account = key && engine.account(key.uid);
  if (account === undefined) throw new Refusal('40006');
  const instruments = [...markets.values()].map(({ instrument }) => instrument);
  return {
    positionMode: account.positionModes[line],
    symbols: Object.fromEntries(
      instruments.filter(({ category }) => category === line).map(termsOf),
    ),
  };
}

function termsOf(instrument: Instrument): readonly [string, object] {
  const { symbol, marginCoin, priceScale, priceStep, sizeScale, sizeStep } = instrument;
  const { sizeMin, sizeMax, notionalMin } = instrument;
  const steps = { priceScale, priceStep, sizeScale, sizeStep };
  return [symbol, { marginCoin, ...steps, sizeMin, sizeMax, notionalMin }];
}
