/** One of several processes that share a limit in a database: makes its calls at once and ends. */
import { second, systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/random.ts';
import { createClient } from '../../src/exchange/client/client.ts';
import { createLimiter } from '../../src/exchange/client/layers/limit.ts';
import { httpTransport } from '../../src/exchange/client/transports/http.ts';
import { storedPace } from '../../src/app/config/stored-pace.ts';
import { openPaces } from '../../src/stores/databases.ts';

const [store, baseUrl = '', url = '', calls = '1'] = process.argv.slice(2);
const shared = await openPaces(store === 'restate' ? store : 'postgres', {
  url,
  lease: 4 * second,
});
const clock = systemClock;
const { transport, close } = httpTransport({ baseUrl });
const client = createClient({
  transport,
  clock,
  random: systemRandom(),
  limiter: createLimiter({
    clock,
    paces: (key, limit) => storedPace(shared, key, limit, { clock, warn: () => undefined }),
  }),
});
await Promise.all(
  Array.from({ length: Number(calls) }, () =>
    client.call('market/list-tickers', { category: 'SPOT' }),
  ),
);
await Promise.all([close(), shared.close()]);
