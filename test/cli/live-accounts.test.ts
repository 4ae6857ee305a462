/** A run on several live accounts: consent names all of them, and none is on another exchange. */
import { expect, test } from 'vitest';
import { deskhand, folderWith } from './deskhand.ts';
import { startSandbox } from './sandbox.ts';

const order = (id: string, account: string, side: string): string =>
  `  - { id: ${id}, account: ${account}, uses: futures/place-order, with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT, ${side}, orderType: limit, price: "50000", size: "0.001" } }\n`;
const playbook = `playbook: 1
name: both
account: main
steps:
${order('first', 'main', 'side: buy, tradeSide: open')}${order('second', 'other', 'side: buy')}`;

async function placeWith(target: string): Promise<{ cwd: string; env: Record<string, string> }> {
  const sandbox = await startSandbox();
  const { baseUrl } = sandbox;
  const keys = (account: 'hedge' | 'oneway', prefix: string): [string, string][] =>
    Object.entries(sandbox.env(account))
      .filter(([name]) => name.startsWith('DESKHAND_API'))
      .map(([name, value]) => [name.replace('DESKHAND', prefix), value]);
  const config = `profiles:
  main: { target: live, base-url: "${baseUrl}", account-id: desk, secrets: { env: MAIN } }
  other: { target: ${target}, base-url: "${baseUrl}", account-id: one, secrets: { env: OTHER } }
`;
  const cwd = folderWith({ 'deskhand.yaml': config, 'both.yaml': playbook });
  return { cwd, env: Object.fromEntries([...keys('hedge', 'MAIN'), ...keys('oneway', 'OTHER')]) };
}

test('without a person, the error names all accounts', async () => {
  const { code, stderr } = await deskhand(['run', 'both.yaml'], await placeWith('live'));
  expect([code, stderr]).toEqual([
    5,
    expect.stringMatching(/plan p-\w{8} would send to the live accounts main and other;/),
  ]);
});

test('validate refuses an account on another exchange, as plan does', async () => {
  const place = await placeWith('sandbox');
  const words = "profile other is a sandbox, but the run's own profile main is live";
  const { code, stdout } = await deskhand(['validate', 'both.yaml'], place);
  expect([code, stdout]).toEqual([3, expect.stringContaining(`PB427] ${words}`)]);
  const planned = await deskhand(['plan', 'both.yaml'], place);
  expect([planned.code, planned.stderr]).toEqual([3, expect.stringContaining(words)]);
});
