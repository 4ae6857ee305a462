/** Several desks on one exchange, each with its own account and key, and a market that never stands still. */
import { seededRandom } from '../../src/base/random.ts';
import { Secret } from '../../src/base/secret.ts';
import { createClient } from '../../src/exchange/client/client.ts';
import type { Exchange, Transport } from '../../src/exchange/api/exchange.ts';
import { termsFrom } from '../../src/exchange/api/terms.ts';
import type { Account } from '../../src/engine/plan/account.ts';
import type { GuardRules } from '../../src/language/limits.ts';
import { destination, type Harness } from './harness.ts';

/** The control interface of a sandbox, in process or over HTTP. */
export type Control = (path: string, fields: object) => unknown;

interface DeskKey {
  readonly name: string;
  readonly uid: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly passphrase: string;
}

const permissions = ['account-read', 'trade-read', 'account-write', 'trade-write'];

/** Opens funded accounts in hedge mode. */
export async function openDesks(
  names: readonly string[],
  control: Control,
): Promise<readonly DeskKey[]> {
  const desks = names.map((name, at) => ({
    name,
    uid: String(7_500_000_000 + at),
    apiKey: `key-of-desk-${name}-000`,
    secretKey: `secret-of-desk-${name}-000`,
    passphrase: `words-of-desk-${name}`,
  }));
  for (const { name: _name, ...key } of desks) {
    const { uid } = key;
    await control('accounts', { uid, positionMode: 'hedge_mode' });
    await control('keys', { ...key, permissions });
    const money = { coin: 'USDT', amount: '1000000', walletType: 'USDT-FUTURES' };
    await control('transfers', { uid, ...money });
  }
  return desks;
}

/** The accounts of desks in a harness, as their profiles open them. */
export async function desksOf(
  harness: Harness,
  names: readonly string[],
  wrap: (transport: Transport) => Transport = (transport) => transport,
  guards: GuardRules = {},
): Promise<readonly Account[]> {
  const { sandbox, clock } = harness;
  const control: Control = (path, fields) => sandbox.control('POST', path, fields);
  const desks = await openDesks(names, control);
  return desks.map(({ name, apiKey, secretKey, passphrase }) => {
    const exchange: Exchange = createClient({
      transport: wrap(sandbox.transport),
      clock,
      random: seededRandom(9),
      credentials: {
        apiKey: new Secret(apiKey),
        secretKey: new Secret(secretKey),
        passphrase: new Secret(passphrase),
      },
    });
    const ask = (fields: object): unknown => sandbox.control('GET', 'terms', fields);
    return {
      exchange,
      destination: { ...destination, profile: name, keyFingerprint: name.padEnd(8, '0') },
      terms: termsFrom(ask, apiKey),
      guards,
      onDoubt: 'resend',
    };
  });
}

/** Before every read of tickers the price moves on by a part of its first value. */
export function ticking(
  { sandbox }: Pick<Harness, 'sandbox'>,
  { from, by }: { readonly from: number; readonly by: number },
): (transport: Transport) => Transport {
  let reads = 0;
  return (transport) => (request, signal) => {
    if (request.operation === 'market/list-tickers') {
      reads += 1;
      const price = (from * (1 + by * reads)).toFixed(1);
      const market = { category: 'USDT-FUTURES', symbol: 'BTCUSDT', price, mark: price };
      sandbox.control('POST', 'market', market);
    }
    return transport(request, signal);
  };
}
