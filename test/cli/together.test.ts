/** Several processes of one machine at once: which has the account, and their combined speed. */
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { busiest } from '../support/pace.ts';
import { begin, deskhand, folderWith } from './deskhand.ts';
import { ladder } from './ladder.ts';
import { startSandbox } from './sandbox.ts';

const pause = `  - { id: pause, uses: wait, with: { until: "{{ addTime run.time '1h' }}" } }\n`;
const waiting = ladder.replace('  - id: tickers', `${pause}  - id: tickers`);

test('of four runs started at once on one account, one writes and three send nothing', async () => {
  const sandbox = await startSandbox();
  const cwd = folderWith({ 'waiting.yaml': waiting });
  const env = sandbox.env('hedge');
  const children = [1, 2, 3, 4].map(() => begin(['run', 'waiting.yaml'], { cwd, env }));
  let running = children.length;
  const ends = await Promise.all(
    children.map(async (child) => {
      const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
      running -= 1;
      if (running === 1) for (const last of children) last.kill('SIGTERM');
      return { code, said };
    }),
  );
  expect(ends.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([5, 5, 5, 143]);
  const refused = ends.filter(({ said }) => /is writing to this account/.test(said));
  expect(refused).toHaveLength(3);
  const words = ['call', 'order/list-open', 'category=USDT-FUTURES', 'symbol=BTCUSDT'];
  const { stdout } = await deskhand([...words, '-o', 'json'], { cwd, env });
  const ours = JSON.parse(stdout).answer.list.filter(({ clientOid }: { clientOid: string }) =>
    clientOid.startsWith('dh'),
  );
  expect(ours.length).toBeLessThanOrEqual(3); // those of one process, as far as it got
});

test('three processes stay within the limit of one address by the exchange’s count', async () => {
  const sandbox = await startSandbox();
  const reads = `playbook: 1
name: reads
steps:
  - id: many
    for-each: "{{ range 1 25 }}"
    uses: market/list-tickers
    with: { category: SPOT }
`;
  const cwd = folderWith({ 'reads.yaml': reads });
  const env = { ...sandbox.env('hedge'), DESKHAND_STATE_DIR: join(cwd, 'state') };
  const ends = await Promise.all(
    [1, 2, 3].map(() => deskhand(['run', 'reads.yaml'], { cwd, env })),
  );
  expect(ends.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(['', '', '']);
  const answer = await fetch(`${sandbox.controlUrl}/requests`);
  const notes: readonly { operation?: string; at: number; status: number }[] = Object(
    await answer.json(),
  ).data;
  const tickers = notes.filter(({ operation }) => operation === 'market/list-tickers');
  expect(tickers.length).toBeGreaterThanOrEqual(75);
  expect(tickers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(busiest(tickers.map(({ at }) => at))).toBeLessThanOrEqual(20);
});
