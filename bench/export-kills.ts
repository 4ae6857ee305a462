/**
 * Exports killed: `deskhand export` dies by SIGKILL at moments of chance and is resumed until it is
 * done; its file must be byte for byte the one of an export that was left alone.
 *
 *   npm run build && npx tsx bench/export-kills.ts [--kills 50] [--seed 1]
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/base/random.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '50' }, seed: { type: 'string', default: '1' } },
});
const wanted = Number(values.kills);
const random = seededRandom(Number(values.seed));
const deskhand = join(import.meta.dirname, '..', 'bin', 'deskhand.js');
const folder = mkdtempSync(join(tmpdir(), 'deskhand-kills-'));
const orders = 4_000; // 40 pages at 20 a second: two seconds to die in
const longest = 3_200; // ms
const end = Math.floor(Date.now() / 1000) * 1000;
const server = fork(join(import.meta.dirname, 'export', 'server.mjs'), [
  String(orders),
  String(end),
]);
const [{ port }] = (await once(server, 'message')) as [{ port: number }];
const formats = ['orders.csv', 'orders.ndjson.gz', 'orders.parquet', 'orders.xlsx'];

/** Starts a life in its own folder state; returns whether it came to its end. */
async function lived(place: string, words: readonly string[], ms?: number): Promise<boolean> {
  const env = {
    ...process.env,
    DESKHAND_STATE_DIR: join(place, 'state'),
    DESKHAND_BASE_URL: `http://127.0.0.1:${port}`,
    DESKHAND_API_KEY: 'bench',
    DESKHAND_API_SECRET: 'bench-secret',
    DESKHAND_API_PASSPHRASE: 'bench',
  };
  const child = spawn(process.execPath, [deskhand, ...words], { cwd: place, env, stdio: 'ignore' });
  const timer = ms === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), ms);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  if (code !== null && code !== 0) throw new Error(`${words.join(' ')} ended with ${code}`);
  return code === 0;
}

function wordsFor(place: string, file: string): readonly string[] {
  const runs = join(place, 'state', 'runs');
  const begun = existsSync(runs)
    ? readdirSync(runs).filter((name) => isBegun(join(runs, name)))
    : [];
  const [run] = begun;
  if (run !== undefined) return ['resume', run];
  const times = [`startTime=${end - 85 * 86_400_000}`, `endTime=${end}`];
  return ['export', 'order/list-history', ...times, '--file', file];
}

function isBegun(run: string): boolean {
  const journal = join(run, 'journal.ndjson');
  return existsSync(journal) && readFileSync(journal, 'utf8').includes('"kind":"started"');
}

const whole = new Map<string, Buffer>();
for (const file of formats) {
  const place = join(folder, 'whole');
  rmSync(place, { recursive: true, force: true });
  mkdirSync(place);
  await lived(place, wordsFor(place, file));
  whole.set(file, readFileSync(join(place, file)));
}
let kills = 0;
let exports = 0;
let differ = 0;
while (kills < wanted) {
  const file = formats[exports % formats.length] ?? '';
  const place = join(folder, `e${exports++}`);
  mkdirSync(place);
  for (let life = 0; ; life++) {
    const mayDie = kills < wanted && life < 4;
    const isDone = await lived(
      place,
      wordsFor(place, file),
      mayDie ? random.integer(longest) : undefined,
    );
    if (isDone) break;
    kills += 1;
  }
  const isSame = readFileSync(join(place, file)).equals(whole.get(file) ?? Buffer.alloc(0));
  const left = readdirSync(place).filter((name) => name.startsWith('.o'));
  if (!isSame || left.length > 0) {
    differ += 1;
    console.log(
      `${file} in ${place}: ${isSame ? 'the same' : 'differs'}, left behind: ${left.join(', ')}`,
    );
  }
}
console.log(`${kills} kills in ${exports} exports: ${differ} differ from an undisturbed one`);
server.disconnect();
if (differ === 0) rmSync(folder, { recursive: true });
else process.exitCode = 1;
