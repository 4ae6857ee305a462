/** One of several processes that share a pace: makes its calls at once and ends. */
import { systemClock } from '../../src/base/clock.ts';
import { systemRandom } from '../../src/base/random.ts';
import { createClient } from '../../src/exchange/client/client.ts';
import { createLimiter } from '../../src/exchange/client/layers/limit.ts';
import { httpTransport } from '../../src/exchange/client/transports/http.ts';

const [baseUrl = '', paceDir = '', calls = '1'] = process.argv.slice(2);
const { transport, close } = httpTransport({ baseUrl });
const client = createClient({
  transport,
  clock: systemClock,
  random: systemRandom(),
  limiter: createLimiter({ clock: systemClock, paceDir }),
});
await Promise.all(
  Array.from({ length: Number(calls) }, () =>
    client.call('market/list-tickers', { category: 'SPOT' }),
  ),
);
await close();
