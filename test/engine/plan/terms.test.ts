/** Where trading rules for orders come from: only from sandboxes, however they are reached. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { builtInProfile, type Profile } from '../../../src/app/config/profile.ts';
import { openProfile, type OpenedProfile } from '../../../src/app/config/opened-profile.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { startServer } from '../../../src/sandbox/server.ts';

const clock = standingClock(Date.UTC(2026, 10, 20, 4));

async function sessionOn(
  own: Partial<Profile>,
  key: { readonly apiKey: string; readonly secretKey: string; readonly passphrase: string },
): Promise<OpenedProfile> {
  const stateDir = await mkdtemp(join(tmpdir(), 'terms-'));
  const env = {
    DESKHAND_API_KEY: key.apiKey,
    DESKHAND_API_SECRET: key.secretKey,
    DESKHAND_API_PASSPHRASE: key.passphrase,
  };
  return openProfile(
    { ...builtInProfile, ...own },
    { stateDir, env, clock, needsKey: true, warn: () => undefined },
  );
}

const anyKey = {
  apiKey: 'a-key-of-nobody',
  secretKey: 'a-secret-of-nobody',
  passphrase: 'nothing-to-guess',
};

test('a sandbox in this process reports its trading rules', async () => {
  const session = await sessionOn({ as: 'oneway' }, anyKey);
  const terms = await session.terms?.('USDT-FUTURES');
  expect(terms?.positionMode).toBe('one_way_mode');
  expect(terms?.symbols?.get('BTCUSDT')).toEqual({
    marginCoin: 'USDT',
    priceScale: 1,
    priceStep: 1,
    sizeScale: 3,
    sizeStep: 1,
    sizeMin: '0.001',
    sizeMax: '500',
    notionalMin: '5',
  });
  await session.close();
});

test('a sandbox over HTTP reports its trading rules, once per product line', async () => {
  const sandbox = await openSandbox({ clock });
  const server = await startServer(sandbox, { port: 0 });
  const { apiKey, secretKey, passphrase } = sandbox.accounts.hedge;
  const key = {
    apiKey: apiKey.reveal(),
    secretKey: secretKey.reveal(),
    passphrase: passphrase.reveal(),
  };
  const session = await sessionOn({ baseUrl: new URL(server.baseUrl) }, key);
  expect((await session.terms?.('COIN-FUTURES'))?.symbols?.get('BTCUSD')?.marginCoin).toBe('BTC');
  await server.close();
  expect((await session.terms?.('COIN-FUTURES'))?.positionMode).toBe('hedge_mode');
  await session.close();
  await sandbox.close();
});

test('no trading rules are read on a live exchange', async () => {
  const baseUrl = new URL('https://exchange.invalid');
  const session = await sessionOn({ target: 'live', baseUrl }, anyKey);
  expect(session.terms).toBeUndefined();
  await session.close();
});

describe('a local exchange that is not our sandbox', () => {
  test.each([
    ['knows no such path', 404, '<html>'],
    ['answers with another frame', 200, '{"data":[]}'],
    ['tells no symbols', 200, '{"code":"00000","data":{"positionMode":"hedge_mode"}}'],
    [
      'tells nonsense',
      200,
      '{"code":"00000","data":{"positionMode":"hedge_mode","symbols":{"A":{"marginCoin":"A","priceScale":-1}}}}',
    ],
  ])('%s, and so reports no rules', async (_what, status, body) => {
    const server = createServer((_request, answer) => answer.writeHead(status).end(body));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const session = await sessionOn({ baseUrl: new URL(`http://127.0.0.1:${port}`) }, anyKey);
    expect(await session.terms?.('USDT-FUTURES')).toBeUndefined();
    await session.close();
    server.close();
  });
});
