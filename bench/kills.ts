/**
 * Real processes, killed: runs over HTTP on a sandbox in another process die by SIGKILL at moments
 * of chance and are resumed, until each is done. The sandbox counts the orders.
 *
 *   npm run build && npx tsx bench/kills.ts [--kills 200] [--seed 1]
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { seededRandom } from '../src/base/random.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
  },
});
const wanted = Number(values.kills);
const random = seededRandom(Number(values.seed));
const deskhand = join(import.meta.dirname, '..', 'bin', 'deskhand.js');
const folder = mkdtempSync(join(tmpdir(), 'deskhand-kills-'));
const ready = join(folder, 'ready.json');
const longest = 700; // ms; a run that is left alone takes about half of it

writeFileSync(
  join(folder, 'ladder.yaml'),
  `playbook: 1
name: ladder
inputs: { base: { type: integer } }
steps:
  - id: ladder
    for-each: "{{ range inputs.base (add inputs.base 4) }}"
    uses: futures/place-order
    with: { symbol: BTCUSDT, productType: USDT-FUTURES, marginMode: crossed, marginCoin: USDT,
      side: buy, tradeSide: open, orderType: limit, price: "{{ each.value }}", size: "0.001" }
`,
);

const starting = [deskhand, 'sandbox', 'start', '--port', '0', '--ready-file', ready];
const sandbox = spawn(process.execPath, starting);
await once(sandbox.stdout, 'data');
const { baseUrl, controlUrl, accounts } = JSON.parse(readFileSync(ready, 'utf8'));
const env = {
  ...process.env,
  DESKHAND_STATE_DIR: join(folder, 'state'),
  DESKHAND_BASE_URL: baseUrl,
  DESKHAND_API_KEY: accounts.hedge.apiKey,
  DESKHAND_API_SECRET: accounts.hedge.secretKey,
  DESKHAND_API_PASSPHRASE: accounts.hedge.passphrase,
};

function begin(...words: string[]): ChildProcess {
  return spawn(process.execPath, [deskhand, ...words], { cwd: folder, env, stdio: 'ignore' });
}

/** Lets a process live for a while, or to its end; tells how it ended. */
async function lived(child: ChildProcess, ms: number): Promise<'killed' | number> {
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const code = await exit;
  clearTimeout(timer);
  return code ?? 'killed';
}

/** The newest run that is not done. */
function openRun(): string | undefined {
  const runs = join(folder, 'state', 'runs');
  if (!existsSync(runs)) return undefined;
  return latestUnfinished(runs);
}

function latestUnfinished(runs: string): string | undefined {
  for (const name of names(runs)) {
    const journal = join(runs, name, 'journal.ndjson');
    const text = existsSync(journal) ? readFileSync(journal, 'utf8') : '';
    if (text.includes('"kind":"started"') && !text.includes('"status":"done","exit":0'))
      return name;
  }
  return undefined;
}

function names(path: string): string[] {
  return readdirSync(path).filter((name) => name.startsWith('r-'));
}

let kills = 0;
let rounds = 0;
const began = systemClock.monotonic();
while (kills < wanted) {
  const base = 20_000 + rounds * 10;
  rounds += 1;
  let isDone = false;
  for (let life = 0; !isDone; life++) {
    const run = openRun();
    const words =
      run === undefined ? ['run', 'ladder.yaml', '--var', `base=${base}`] : ['resume', run];
    const mayDie = kills < wanted && life < 5;
    const end = await lived(begin(...words), mayDie ? random.integer(longest) : 60_000);
    if (end === 'killed') kills += 1;
    else if (end !== 0) throw new Error(`${words.join(' ')} ended with ${end}`);
    isDone = end === 0;
  }
  await fetchJson('orders/cancel', { uid: accounts.hedge.uid, symbol: 'BTCUSDT' });
}

const { open, closed } = Object(await fetchJson(`orders?uid=${accounts.hedge.uid}`));
const counts = new Map<number, number>();
for (const order of [...open, ...closed]) {
  const price = Number(order.price);
  counts.set(price, (counts.get(price) ?? 0) + 1);
}
const placed = Array.from({ length: rounds }, (_, round) =>
  [0, 1, 2, 3].map((rung) => counts.get(20_000 + round * 10 + rung) ?? 0),
).flat();
const twice = placed.filter((count) => count > 1).length;
const lost = placed.filter((count) => count === 0).length;
const seconds = ((systemClock.monotonic() - began) / 1000).toFixed(0);
console.log(
  `${kills} kills in ${rounds} runs, ${placed.length} orders: ${twice} twice, ${lost} lost, ${seconds} s`,
);
sandbox.kill('SIGTERM');
await once(sandbox, 'exit');
rmSync(folder, { recursive: true, force: true });
process.exitCode = twice + lost === 0 ? 0 : 1;

async function fetchJson(path: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${controlUrl}/${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  return Object(await answer.json()).data;
}
