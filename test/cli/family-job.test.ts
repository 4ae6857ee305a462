/** A whole job over HTTP with a key that serves one account family: lost answers, a kill, a doubt, drift, an import. */
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { families, type Family } from '../../src/exchange/api/family.ts';
import { accountWorld, placedOrders, type AccountWorld } from './account.ts';
import { begin } from './deskhand.ts';

const prices = ['40000.0', '39900.0', '39800.0'];

/** An order in the words of each family, as a call by hand and as a step. */
const placing = {
  classic: {
    operation: 'futures/place-order',
    key: 'first',
    fields: {
      productType: 'USDT-FUTURES',
      marginMode: 'crossed',
      marginCoin: 'USDT',
      symbol: 'BTCUSDT',
      side: 'buy',
      tradeSide: 'open',
      orderType: 'limit',
      size: '0.001',
    },
  },
  unified: {
    operation: 'trade/place-order',
    key: 'uta',
    fields: {
      category: 'USDT-FUTURES',
      symbol: 'BTCUSDT',
      side: 'buy',
      posSide: 'long',
      orderType: 'limit',
      qty: '0.001',
    },
  },
} as const;

function ladder(family: Family, values: readonly string[]): string {
  const { operation, fields } = placing[family];
  return `playbook: 1
name: ladder
account: main
steps:
  - id: orders
    for-each: ${JSON.stringify(values)}
    key: "{{ each.value }}"
    uses: ${operation}
    once-per: playbook
    with: ${JSON.stringify({ ...fields, price: '{{ each.value }}' })}
`;
}

/** A desk on an exchange with split families. */
async function split(family: Family): Promise<AccountWorld> {
  const world = await accountWorld({ 'ladder.yaml': ladder(family, prices) });
  await world.control('POST', 'config', { quirks: { splitFamilies: true } });
  await world.issue('uta', 'unified');
  world.profile(
    `    base-url: "http://127.0.0.1:${world.port}"\n    on-doubt: ask\n    family: ${family}`,
  );
  return world;
}

const pricesOf = async (world: AccountWorld): Promise<readonly string[]> =>
  (await world.orders()).map(({ price }) => Number(price).toFixed(1)).toSorted();

describe.each(families)('with a %s key', (family) => {
  const { operation, key, fields } = placing[family];

  test('a job is planned, killed, resolved and resumed, with each order once', async () => {
    const world = await split(family);
    const at = (...words: string[]) => world.at(key, ...words);
    const doctor = await at('doctor', '-p', 'main');
    expect(doctor.stdout).toContain(`${family}, as profile main says`);
    expect(doctor.stdout).toContain('hedge_mode, by the settings of the account');
    const planned = await at('plan', 'ladder.yaml');
    expect([planned.code, planned.stderr]).toEqual([0, expect.any(String)]);
    const rules = ['reset', 'never'].map((kind) => {
      return { match: { operation }, when: 'after-commit', action: { kind }, times: 1 };
    });
    await world.control('PUT', 'faults', { rules });
    const child = begin(['run', 'ladder.yaml'], { cwd: world.cwd, env: world.key(key) });
    await placedOrders(world, 2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const [run] = JSON.parse((await at('runs', 'list', '-o', 'json')).stdout).runs;
    const said = await at('resolve', run.run, '--from-exchange', '--yes');
    expect([said.code, said.stdout]).toEqual([0, expect.stringContaining('recorded: 1 outcome')]);
    expect(said.stdout).toMatch(/orders\[39900\.0\]\s+placed\s+order \d+, clientOid dh/);
    const resumed = await at('resume', run.run);
    expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
    expect(await pricesOf(world)).toEqual(prices.toSorted());
    const drift = await at('drift', 'ladder.yaml');
    expect([drift.code, drift.stdout]).toEqual([0, expect.stringContaining('3 as recorded')]);
  });

  test('an order that was placed by hand is imported, and not placed again', async () => {
    const world = await split(family);
    const at = (...words: string[]) => world.at(key, ...words);
    const order = { ...fields, price: '40000.0', clientOid: 'by-hand' };
    const words = Object.entries(order).map(([name, value]) => `${name}=${value}`);
    const placed = await at('call', operation, ...words, '-p', 'main', '-o', 'json');
    expect([placed.code, placed.stderr]).toEqual([0, expect.any(String)]);
    const { orderId } = JSON.parse(placed.stdout).answer;
    const imported = await at('import', 'ladder.yaml', 'orders[40000.0]', '--id', orderId);
    expect([imported.code, imported.stderr]).toEqual([0, expect.any(String)]);
    const ran = await at('run', 'ladder.yaml');
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)]);
    expect(await pricesOf(world)).toEqual(['39800.0', '39900.0']);
    world.put('ladder.yaml', ladder(family, prices.slice(0, 1)));
    const less = await at('plan', 'ladder.yaml');
    expect(less.stdout).toContain('no longer in the playbook');
  });
});
