/**
 * A machine that sleeps: a run is stopped by SIGSTOP for longer than a signature is good for, and
 * goes on. Meanwhile a second run must be held back; after it, every order must stand once.
 *
 *   npm run build && npx tsx bench/standstill.ts [--seconds 45]
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '45' } } });
const seconds = Number(values.seconds);
const rungs = 30;
const deskhand = join(import.meta.dirname, '..', 'bin', 'deskhand.js');
const folder = mkdtempSync(join(tmpdir(), 'deskhand-standstill-'));
const ready = join(folder, 'ready.json');

writeFileSync(
  join(folder, 'ladder.yaml'),
  `playbook: 1
name: ladder
steps:
  - id: ladder
    for-each: "{{ range 30001 ${30_000 + rungs} }}"
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "{{ each.value }}", size: "0.001" }
`,
);

const sandbox = begin(['sandbox', 'start', '--port', '0', '--ready-file', ready], process.env);
while (!existsSync(ready)) await systemClock.sleep(20);
const { baseUrl, controlUrl, accounts } = JSON.parse(readFileSync(ready, 'utf8'));
const env = {
  ...process.env,
  DESKHAND_STATE_DIR: join(folder, 'state'),
  DESKHAND_BASE_URL: baseUrl,
  DESKHAND_API_KEY: accounts.hedge.apiKey,
  DESKHAND_API_SECRET: accounts.hedge.secretKey,
  DESKHAND_API_PASSPHRASE: accounts.hedge.passphrase,
};

const sleeper = begin(['run', 'ladder.yaml'], env);
const ended = once(sleeper, 'exit');
while ((await placed()).length < 3) await systemClock.sleep(5);
sleeper.kill('SIGSTOP');
const asleep = (await placed()).length;
const [second] = await once(begin(['run', 'ladder.yaml'], env), 'exit');
await systemClock.sleep(seconds * 1000);
sleeper.kill('SIGCONT');
const [code] = await ended;
const times = await placed();
console.log(
  `asleep for ${seconds} s after ${asleep} orders; a second run ended with ${second}; it ended with ${code}: ` +
    `${times.length} of ${rungs} orders, ${times.filter((count) => count > 1).length} twice`,
);
sandbox.kill('SIGTERM');
await once(sandbox, 'exit');
rmSync(folder, { recursive: true, force: true });
const isKept = times.length === rungs && times.every((count) => count === 1);
process.exitCode = isKept && code === 0 && second === 5 ? 0 : 1;

function begin(words: readonly string[], more: NodeJS.ProcessEnv): ChildProcess {
  return spawn(process.execPath, [deskhand, ...words], { cwd: folder, env: more, stdio: 'ignore' });
}

/** How often each of our orders stands. */
async function placed(): Promise<number[]> {
  const answer = await fetch(`${controlUrl}/orders?uid=${accounts.hedge.uid}`);
  const { open, closed } = Object(await answer.json()).data;
  const counts = new Map<string, number>();
  for (const { clientOid } of [...open, ...closed]) {
    if (clientOid.startsWith('dh')) counts.set(clientOid, (counts.get(clientOid) ?? 0) + 1);
  }
  return [...counts.values()];
}
