/**
 * What commands cost beside many ended runs, in CPU time (user and system) of whole processes: beside
 * none, 10,000 runs of 3 orders and 100,000 runs of one order, after an earlier command has read them. Rounds take turns, and
 * the least of each counts: whatever else the machine does only adds to it.
 *
 *   npm run build && npx tsx bench/beside.ts [COMMAND…] [--rounds 5] [--folder FOLDER]
 *
 * A folder is kept, and used again: to make 100,000 runs and read them once takes minutes.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { day, second, systemClock } from '../src/base/clock.ts';
import { ladderText, onlyStart, recordQuickly } from './growth/records.ts';
import { deskhand } from './processes/desk.ts';
import { spentBy } from './processes/spent.ts';

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, folder: { type: 'string' } },
  allowPositionals: true,
});

const commands: Readonly<Record<string, readonly string[]>> = {
  run: ['-q', 'run', 'ladder.yaml'],
  plan: ['plan', 'ladder.yaml'],
  'runs list': ['runs', 'list'],
  'runs show': ['runs', 'show', 'last'],
  doctor: ['doctor'],
};
const sizes = [
  { runs: 0, orders: 1 },
  { runs: 10_000, orders: 3 },
  { runs: 100_000, orders: 1 },
];

const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'deskhand-beside-'));
const places: string[] = [];
for (const { runs, orders } of sizes) places.push(await placeWith(runs, orders));
const chosen = Object.entries(commands).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
);
const least = new Map<string, number>();
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [name, words] of chosen) {
    for (const place of places) {
      const { cpu } = await spentBy(deskhand, words, { cwd: place, env: environment(place) });
      const key = `${name} ${place}`;
      least.set(key, Math.min(least.get(key) ?? Infinity, cpu));
    }
  }
}
for (const [name] of chosen) {
  const [alone = 0, ...beside] = places.map((place) => least.get(`${name} ${place}`) ?? 0);
  const above = beside.map((cpu) => `+${(cpu - alone).toFixed(2)} s`);
  console.log(`${name.padEnd(10)} ${alone.toFixed(2)} s  ${above.join('  ')}`);
}
if (values.folder === undefined) rmSync(folder, { recursive: true });

/** A folder with a playbook of one order, and so many ended runs, which a command has read. */
async function placeWith(runs: number, orders: number): Promise<string> {
  const place = join(folder, String(runs));
  if (existsSync(place)) return place;
  const state = join(place, 'state');
  mkdirSync(state, { recursive: true, mode: 0o700 });
  writeFileSync(join(place, 'ladder.yaml'), ladderText(1));
  const start = (...words: readonly string[]): unknown =>
    execFileSync(process.execPath, [deskhand, ...words], {
      cwd: place,
      env: environment(place),
      stdio: 'ignore',
    });
  start('-q', 'run', 'ladder.yaml');
  const model = onlyStart(state);
  for (let run = 0; run < runs; run++) {
    const at = model.at - 2 * day + second * run;
    recordQuickly(state, model, { run: `r-${run}`, orders, from: 20_000 + run * orders, at });
  }
  await systemClock.sleep(2.1 * second); // so long after their last change, what is read of files is stored
  start('plan', 'ladder.yaml');
  start('runs', 'list');
  return place;
}

function environment(place: string): NodeJS.ProcessEnv {
  return { ...process.env, DESKHAND_STATE_DIR: join(place, 'state') };
}
