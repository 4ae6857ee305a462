/** Runs of many items without the limits of an exchange: our client and journal against a bare server. */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { spentBy } from '../processes/spent.ts';
import type { Cost } from './curve.ts';

const processes = join(import.meta.dirname, '..', 'processes');
const actions = {
  read: 'uses: futures/list-adl-ranks\n    with: { productType: USDT-FUTURES }',
  order: `uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "{{ add 40000 each.value }}", size: "0.001" }`,
};

/** Makes a playbook of so many items, and tells how to measure a run of it. */
export async function forEachOf(
  kind: keyof typeof actions,
  items: number,
  folder: string,
): Promise<() => Promise<Cost>> {
  execFileSync(process.execPath, [join(processes, 'bundle.mjs'), folder]);
  const file = join(folder, `${kind}.yaml`);
  const text = `playbook: 1
name: bench
steps:
  - id: calls
    for-each: "{{ range 1 ${items} }}"
    ${actions[kind]}
`;
  writeFileSync(file, text);
  return async () => {
    const server = fork(join(import.meta.dirname, '..', 'workflow', 'server.mjs'));
    try {
      const [{ port }] = await once(server, 'message');
      const place = mkdtempSync(join(folder, 'run-'));
      const words = [`http://127.0.0.1:${port}`, place, file];
      return await spentBy(join(folder, 'runner.js'), words);
    } finally {
      server.disconnect();
    }
  };
}
