/** The proxy of a profile, for what is not an operation: notifications, and the rules of its sandbox. */
import { expect, onTestFinished, test } from 'vitest';
import { webhook } from '../app/notification/recipients.ts';
import { limitOrder } from '../support/order.ts';
import { connectProxy } from '../support/proxy.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { startSandbox } from './sandbox.ts';

const stop = `playbook: 1
name: stop
account: main
steps:
  - { id: notice, uses: notify/webhook, with: { url: "{{ secrets.HOOK }}", text: placed } }
  - { id: spot, needs: [notice], uses: market/list-tickers, with: { category: SPOT }, expect: [{ that: "{{ eq 1 2 }}" }] }
`;
const odd = `playbook: 1
name: odd
account: main
steps:
  - id: bid
    uses: futures/place-order
    with:${limitOrder({ price: '40000.0', size: '0.000001' })}
`;

/** Nobody listens there: only the proxy leads to the sandbox. */
const exchange = '127.0.0.1:9';

/** A sandbox behind a proxy, and a receiver on this machine. */
async function scene() {
  const sandbox = await startSandbox();
  const hook = await webhook();
  const { port } = new URL(sandbox.baseUrl);
  const proxy = await connectProxy({ to: (server) => (server === exchange ? Number(port) : 1) });
  onTestFinished(async () => {
    await proxy.close();
    hook.close();
  });
  const asked = (): readonly string[] => [...new Set(proxy.asked.map(({ server }) => server))];
  const at = (words: readonly string[], address: string): Promise<Ended> => {
    const notify = 'notify: { webhook: { url: { env: HOOK }, on: [stopped] } }';
    const exit = `proxy: "http://127.0.0.1:${proxy.port}"`;
    const cwd = folderWith({
      'deskhand.yaml': `profiles: { main: { base-url: "http://${exchange}", ${exit}, ${notify} } }\n`,
      'stop.yaml': stop,
      'odd.yaml': odd,
    });
    const { DESKHAND_BASE_URL: _, ...keys } = sandbox.env('hedge');
    return deskhand(words, { cwd, env: { ...keys, HOOK: address, DESKHAND_SECRET_HOOK: address } });
  };
  return { hook, asked, at };
}

test('a receiver on this machine is reached directly, by a step and by the profile', async () => {
  const { hook, asked, at } = await scene();
  const { code, stderr } = await at(
    ['run', 'stop.yaml'],
    `http://127.0.0.1:${hook.port}/token-123`,
  );
  expect([code, hook.posted.length], stderr).toEqual([1, 2]);
  expect(asked()).toEqual([exchange]);
});

test('another receiver is reached through it, by a step and by the profile', async () => {
  const { hook, asked, at } = await scene();
  const step = await at(['run', 'stop.yaml'], 'https://hooks.example/token-123');
  expect(step.stderr).toContain('(profiles.main.proxy)');
  expect([...asked()].sort()).toEqual([exchange, 'hooks.example:443'].sort());
  expect(hook.posted).toEqual([]);
});

test('the rules of a sandbox are read through it, so that an order which they refuse is not planned', async () => {
  const { asked, at } = await scene();
  const { code, stderr } = await at(['plan', 'odd.yaml'], 'https://hooks.example/token-123');
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('size 0.000001 is not a multiple of'),
  ]);
  expect(asked()).toEqual([exchange]);
});
