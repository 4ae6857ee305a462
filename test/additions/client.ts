/** The beginning of a program that calls the sandbox with the client of the copy. */
export const client = `
import { standingClock } from './src/base/clock.ts';
import { seededRandom } from './src/base/random.ts';
import { createClient } from './src/exchange/client/client.ts';
import { openSandbox } from './src/sandbox/sandbox.ts';

const clock = standingClock(Date.UTC(2026, 10, 20));
const sandbox = await openSandbox({ clock });
const { apiKey, secretKey, passphrase } = sandbox.accounts.hedge;
const client = createClient({
  transport: sandbox.transport,
  clock,
  random: seededRandom(1),
  credentials: { apiKey, secretKey, passphrase },
});
`;
