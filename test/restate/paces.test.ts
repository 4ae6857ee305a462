/** Rate limits in Restate: several processes keep them together, by the clock of the service. */
import { expect, test } from 'vitest';
import { fieldOf } from '../../src/base/json.ts';
import { keyOf, paceObject } from '../../src/stores/restate/objects/names.ts';
import { deskhand, folderWith, type Ended } from '../cli/deskhand.ts';
import { startSandbox } from '../cli/sandbox.ts';
import { sharedPacesContract } from '../stores/shared/paces-contract.ts';
import { valuesOf } from './forget.ts';
import { preparedServer } from './world.ts';

sharedPacesContract('restate', async () => {
  const prepared = await preparedServer();
  return { url: prepared.server.url, close: () => prepared.close() };
});

test('with pace: shared commands take their places from Restate, and send nothing without it', async () => {
  const [prepared, exchange] = await Promise.all([preparedServer(), startSandbox()]);
  const { server } = prepared;
  const cwd = folderWith({
    'deskhand.yaml': `profile: main
profiles: { main: { target: sandbox, base-url: "${exchange.baseUrl}" } }
state: { store: restate, url: { env: DESK_RESTATE }, pace: shared }
`,
  });
  const call = (url: string): Promise<Ended> =>
    deskhand(['call', 'market/list-tickers', 'category=SPOT'], {
      cwd,
      env: { ...exchange.env('hedge'), DESK_RESTATE: url },
    });
  const done = await call(server.url);
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
  for (const name of ['address', 'market/list-tickers']) {
    const key = keyOf('desk', `${new URL(exchange.baseUrl).host} ${name}`);
    const stored = (await valuesOf(server, key, paceObject)).get('pace');
    const places = fieldOf(JSON.parse(stored ?? 'null'), 'places');
    expect([name, places]).toEqual([
      name,
      [expect.objectContaining({ answered: expect.anything() })],
    ]);
  }
  const refused = await call('http://127.0.0.1:1');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('the shared rate limit is not known'),
  ]);
  await prepared.close();
});
