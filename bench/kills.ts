/**
 * Real processes, killed: runs over HTTP on a sandbox in another process die by SIGKILL at moments
 * of chance and are resumed, until each is done. The sandbox counts the orders.
 *
 *   npm run build && npx tsx bench/kills.ts [--kills 200] [--seed 1] [--family classic|unified]
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { families } from '../src/exchange/api/family.ts';
import { seededRandom } from '../src/base/random.ts';
import { openDesk } from './processes/desk.ts';

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    family: { type: 'string' },
  },
});
const wanted = Number(values.kills);
const random = seededRandom(Number(values.seed));
const longest = 700; // ms; a run that is left alone takes about half of it
const desk = await openDesk(
  'range inputs.base (add inputs.base 4)',
  '{ base: { type: integer } }',
  families.find((family) => family === values.family),
);

/** Lets a process live for a while, or to its end; returns how it ended. */
async function lived(child: ChildProcess, ms: number): Promise<'killed' | number> {
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const code = await exit;
  clearTimeout(timer);
  return code ?? 'killed';
}

/** The runs so far, by whether they are done; one that is killed after its last word is done, too. */
function runsThat(areDone: boolean): readonly string[] {
  const runs = join(desk.state, 'runs');
  if (!existsSync(runs)) return [];
  return names(runs).filter((name) => {
    const journal = join(runs, name, 'journal.ndjson');
    const text = existsSync(journal) ? readFileSync(journal, 'utf8') : '';
    const isDone = text.includes('"status":"done","exit":0');
    return text.includes('"kind":"started"') && isDone === areDone;
  });
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
  for (let life = 0; runsThat(true).length < rounds; life++) {
    const [run] = runsThat(false);
    const words =
      run === undefined ? ['run', 'ladder.yaml', '--var', `base=${base}`] : ['resume', run];
    const mayDie = kills < wanted && life < 5;
    const end = await lived(desk.begin(words), mayDie ? random.integer(longest) : 60_000);
    if (end === 'killed') kills += 1;
    else if (end !== 0) throw new Error(`${words.join(' ')} ended with ${end}`);
  }
  await desk.control('orders/cancel', { uid: desk.uid, symbol: 'BTCUSDT' });
}

const { open, closed } = Object(await desk.control(`orders?uid=${desk.uid}`));
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
await desk.close();
process.exitCode = twice + lost === 0 ? 0 : 1;
