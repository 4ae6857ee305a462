/** Plans of our example ladder, priced from the market: they run as shown, and once. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digestOf, isRecord, readableJson } from '../../src/base/json.ts';
import { sealOf } from '../../src/engine/plan/seal.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { startSandboxIn } from './sandbox.ts';

const shipped = readFileSync(
  join(import.meta.dirname, '..', '..', 'workflows', 'order-ladder.yaml'),
  'utf8',
);

interface Place {
  readonly cwd: string;
  readonly at: (...words: string[]) => Promise<Ended>;
}

async function place(): Promise<Place> {
  const cwd = folderWith({ 'ladder.yaml': shipped });
  const sandbox = await startSandboxIn(cwd);
  const env = sandbox.env('hedge');
  const here = { cwd, at: (...words: string[]) => deskhand(words, { cwd, env }) };
  await marketAt(here, '3087.67');
  return here;
}

async function marketAt({ at }: Place, price: string): Promise<void> {
  const market = ['category=USDT-FUTURES', 'symbol=ETHUSDT', `price=${price}`, `mark=${price}`];
  expect((await at('sandbox', 'control', 'market', ...market)).code).toBe(0);
}

interface Placed {
  readonly clientOid: string;
  readonly price: string;
  readonly size: string;
}

/** The orders that a plan of a file shows. */
function ordersIn({ cwd }: Place, file: string): readonly string[] {
  const text = readFileSync(join(cwd, file), 'utf8');
  const plan: { steps: { actions: { operation?: string; input: Placed }[] }[] } = JSON.parse(text);
  return plan.steps
    .flatMap(({ actions }) => actions)
    .filter(({ operation }) => operation === 'futures/place-order')
    .map(({ input: { clientOid, price, size } }) => `${clientOid} ${price} ${size}`)
    .toSorted();
}

/** Values that depend on the exchange, by names that deskhand creates. */
async function resting({ at }: Place): Promise<readonly string[]> {
  const { stdout } = await at('call', 'order/list-open', 'category=USDT-FUTURES', '-o', 'json');
  const { list }: { list: (Placed & { qty: string })[] } = JSON.parse(stdout).answer;
  return list
    .filter(({ clientOid }) => clientOid.startsWith('dh'))
    .map(({ clientOid, price, qty }) => `${clientOid} ${price} ${qty}`)
    .toSorted();
}

test('a plan runs with exactly its orders after the market moved slightly, with any file name', async () => {
  const here = await place();
  await here.at('plan', 'ladder.yaml', '--out', 'x.plan');
  await here.at('sandbox', 'advance', '5s');
  await marketAt(here, '3087.75');
  const { code, stderr } = await here.at('run', 'x.plan');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/ladder +done +4 of 4/)]);
  expect(await resting(here)).toEqual(ordersIn(here, 'x.plan'));
  expect(ordersIn(here, 'x.plan')).toHaveLength(4);
});

test('of two plans of one playbook only one runs, in sequence or at the same time', async () => {
  const here = await place();
  for (const file of ['a.json', 'b.json', 'c.json'])
    await here.at('plan', 'ladder.yaml', '--out', file);
  const both = await Promise.all([here.at('run', 'a.json'), here.at('run', 'b.json')]);
  expect(both.map(({ code }) => String(code)).toSorted()).toEqual(['0', '5']);
  const [first = '', second = ''] =
    both[0]?.code === 0 ? ['a.json', 'b.json'] : ['b.json', 'a.json'];
  expect(await resting(here)).toEqual(ordersIn(here, first));
  for (const other of [second, 'c.json']) {
    const { code, stderr } = await here.at('run', other);
    expect([code, stderr]).toEqual([
      5,
      expect.stringMatching(/was made before run r-\w+ of the same playbook sent requests/),
    ]);
  }
  expect(await resting(here)).toEqual(ordersIn(here, first));
});

test('a plan whose effects were all changed to reads is not run without approval', async () => {
  const here = await place();
  await here.at('plan', 'ladder.yaml', '--out', 'plan.json');
  const file = join(here.cwd, 'plan.json');
  const text = readFileSync(file, 'utf8');
  const body = text.replaceAll('"effect": "keyed"', '"effect": "read"');
  const { id: _id, seal: _seal, digest: _digest, ...content } = recordIn(body);
  const forged = { ...content, seal: sealOf(content) };
  const digest = digestOf(forged);
  writeFileSync(file, readableJson({ ...forged, id: `p-${digest.slice(0, 8)}`, digest }));
  const { code, stderr } = await here.at('run', 'plan.json');
  expect([code, stderr]).toEqual([
    5,
    expect.stringContaining(
      'differs from the plan that its playbook gives: steps.1.effect was read and is keyed',
    ),
  ]);
  expect(await resting(here)).toEqual([]);
});

function recordIn(body: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(body);
  if (!isRecord(value)) throw new Error('a plan is a record');
  return value;
}
