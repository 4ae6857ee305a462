/** Trading rules for clients that check orders before they send them. */
import { choice, record, type Infer } from '../../exchange/api/schema.ts';
import { futuresProductTypes } from '../../exchange/api/vocabulary.ts';
import type { Instrument } from '../engine/instrument.ts';
import { keyNamed } from '../gateway/api-keys.ts';
import { Refusal } from '../refusal.ts';
import { closed, word } from '../scenario/words.ts';
import { asking, type ControlContext, type ControlTable } from './control-context.ts';

const wanted = record({ category: choice(futuresProductTypes), apiKey: word }, closed);
const handler = asking(wanted, termsFor);

/**
 * Paths for trading rules. POST keeps the key out of the address, which logs of requests contain.
 */
export const termsControls: ControlTable = { terms: { GET: handler, POST: handler } };

function termsFor(
  { category: productType, apiKey }: Infer<typeof wanted>,
  { store }: ControlContext,
): object {
  const { engine, markets, registry } = store.world();
  const key = keyNamed(registry.keys, apiKey);
  const account = key && engine.account(key.uid);
  if (account === undefined) throw new Refusal('40006');
  const instruments = [...markets.values()].map(({ instrument }) => instrument);
  return {
    positionMode: account.positionModes[productType],
    symbols: Object.fromEntries(
      instruments.filter(({ category }) => category === productType).map(termsOf),
    ),
  };
}

function termsOf(instrument: Instrument): readonly [string, object] {
  const { symbol, marginCoin, priceScale, priceStep, sizeScale, sizeStep } = instrument;
  const { sizeMin, sizeMax, notionalMin } = instrument;
  const steps = { priceScale, priceStep, sizeScale, sizeStep };
  return [symbol, { marginCoin, ...steps, sizeMin, sizeMax, notionalMin }];
}
