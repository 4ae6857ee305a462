/** The open orders of an account on the page. */
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { AnswerOf, Routes } from '../../src/serve/server/routes/index.ts';
import { served } from '../serve/server/desk.ts';
import { deskhand, folderWith } from './deskhand.ts';
import { files } from './ladder.ts';
import { startSandbox } from './sandbox.ts';

const command = ['/no/such/program'] as const; // it starts none

type Orders = AnswerOf<Routes['GET /accounts/{profile}/orders']>;

test('open orders are those of the exchange, the newest first, with the runs that placed them', async () => {
  const exchange = await startSandbox();
  const config = `profile: main
profiles: { main: { target: sandbox, base-url: "${exchange.baseUrl}" } }
`;
  const cwd = folderWith({ ...files, 'deskhand.yaml': config });
  const env = exchange.env('hedge');
  const { stdout } = await deskhand(['run', 'ladder.yaml', '-o', 'json'], { cwd, env });
  const { run } = JSON.parse(stdout) as { run: string };
  const server = await served({ folder: cwd, env, command });
  await server.poll();
  const { orders, left } = (await (await server.get('/accounts/main/orders')).json()) as Orders;
  expect(left).toBe(0);
  const placed = { symbol: 'BTCUSDT', side: 'buy long', status: 'live', filled: '0.000' };
  expect(orders.filter((each) => each.run === run)).toMatchObject([placed, placed, placed]);
  const times = orders.map(({ createdAt }) => createdAt);
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});

test('an unknown account is not found, and without its key the answer says what is missing', async () => {
  const cwd = folderWith(files);
  writeFileSync(
    join(cwd, 'deskhand.yaml'),
    'profiles: { far: { target: live, base-url: "https://api.exchange.example" } }\n',
  );
  const server = await served({ folder: cwd, command });
  expect((await server.get('/accounts/none/orders')).status).toBe(404);
  const refused = await server.get('/accounts/far/orders');
  expect([refused.status, await refused.json()]).toEqual([
    422,
    { error: expect.objectContaining({ message: expect.stringMatching(/key/i) }) },
  ]);
});

type Now = AnswerOf<Routes['GET /orders/now']>;

test('the orders of a page have the states that the exchange shows now', async () => {
  const exchange = await startSandbox();
  const config = `profile: main
profiles: { main: { target: sandbox, base-url: "${exchange.baseUrl}" } }
`;
  const cwd = folderWith({ ...files, 'deskhand.yaml': config });
  const env = exchange.env('hedge');
  expect((await deskhand(['run', 'ladder.yaml'], { cwd, env })).code).toBe(0);
  const server = await served({ folder: cwd, env, command });
  await server.poll();
  const { states } = (await (await server.get('/orders/now')).json()) as Now;
  expect(states.map(({ now }) => now)).toEqual(['live', 'live', 'live']);
  const other = (await (await server.get('/orders/now?account=other')).json()) as Now;
  expect(other.states).toEqual([]);
});
