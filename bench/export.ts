/**
 * Exports of 100,000 and 1,000,000 orders to CSV: CPU time and memory against a plain node:http
 * loop, with --peers against the same loop over ccxt and bitget-api, and the rows against what the
 * server holds. The server is a fixture that makes pages of 100 without limits: at the exchange's
 * 20 a second the larger export would take over eight minutes.
 *
 *   npm ci --prefix test/peers
 *   npx tsx bench/export.ts --peers [--workbook] [--rounds 3] [--orders 100000] [--large 1000000]
 */
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { median } from './figures/median.ts';
import { spentBy, type Spent } from './processes/spent.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    orders: { type: 'string', default: '100000' },
    large: { type: 'string', default: '1000000' },
    peers: { type: 'boolean', default: false },
    workbook: { type: 'boolean', default: false },
  },
});
const folder = await mkdtemp(join(tmpdir(), 'deskhand-bench-'));
execFileSync(process.execPath, [join(import.meta.dirname, 'processes', 'bundle.mjs'), folder]);
const programs = {
  plain: join(import.meta.dirname, 'export', 'plain.mjs'),
  ours: join(folder, 'runner.js'),
  ccxt: join(import.meta.dirname, 'export', 'ccxt.mjs'),
  bitget: join(import.meta.dirname, 'export', 'bitget.mjs'),
} as const;
type Name = keyof typeof programs;
const names: readonly Name[] = values.peers
  ? ['plain', 'ours', 'ccxt', 'bitget']
  : ['plain', 'ours'];
const small = Number(values.orders);
const spent: Record<Name, Spent[]> = { plain: [], ours: [], ccxt: [], bitget: [] };
for (let round = 0; round < Number(values.rounds); round++) {
  for (const name of names) spent[name].push(await exported(name, small));
}
const of = (name: Name, what: keyof Spent): number => median(spent[name].map((each) => each[what]));
for (const name of names) {
  const figures = `${of(name, 'cpu').toFixed(2)} s of CPU, ${of(name, 'peak').toFixed(0)} MB`;
  const ratio = median(spent.ours.map(({ cpu }, at) => cpu / (spent[name][at]?.cpu ?? NaN)));
  const against = name === 'ours' ? '' : `; ours needs ${ratio.toFixed(2)} × its CPU`;
  console.log(`${small} orders, ${name}: ${figures}${against}`);
}
if (values.workbook) {
  const { cpu, peak } = await exported('workbook', small);
  const ratio = (cpu / of('ours', 'cpu')).toFixed(2);
  console.log(
    `${small} orders, workbook: ${cpu.toFixed(2)} s of CPU, ${peak.toFixed(0)} MB; it needs ${ratio} × the CPU of the CSV`,
  );
}
const large = Number(values.large);
if (large > 0) {
  const plain = await exported('plain', large);
  const { cpu, peak } = await exported('ours', large);
  const memory = `${peak.toFixed(0)} MB, ${(peak / of('ours', 'peak')).toFixed(2)} × the memory`;
  const ratio = `${(cpu / plain.cpu).toFixed(2)} × plain’s ${plain.cpu.toFixed(1)} s`;
  console.log(`${large} orders: ${cpu.toFixed(1)} s of CPU, ${ratio}; ${memory}`);
}
await rm(folder, { recursive: true });

/** One export in its own process, its rows checked against what the server has. */
async function exported(name: Name | 'workbook', orders: number): Promise<Spent> {
  const end = Math.floor(Date.now() / 1000) * 1000;
  const server = fork(join(import.meta.dirname, 'export', 'server.mjs'), [
    String(orders),
    String(end),
  ]);
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const place = await mkdtemp(join(folder, 'export-'));
  const baseUrl = `http://127.0.0.1:${port}`;
  const times = [String(end - 85 * 86_400_000), String(end)] as const;
  const isOurs = name === 'ours' || name === 'workbook';
  const file = name === 'workbook' ? 'ours.xlsx' : `${name}.csv`;
  const words = isOurs ? [await playbookIn(place, file, ...times)] : times;
  const usage = await spentBy(programs[isOurs ? 'ours' : name], [baseUrl, place, ...words]);
  server.disconnect();
  if (name !== 'workbook') await requireAll(join(place, file), orders);
  await rm(place, { recursive: true });
  return usage;
}

async function playbookIn(
  folder: string,
  file: string,
  startTime: string,
  endTime: string,
): Promise<string> {
  const path = join(folder, 'export.yaml');
  await writeFile(
    path,
    `playbook: 1
name: bench
steps:
  - id: orders
    uses: order/list-history
    with: { startTime: "${startTime}", endTime: "${endTime}" }
    write: { file: ${file}, overwrite: true }
`,
  );
  return path;
}

/** Every order once, none missing. */
async function requireAll(file: string, orders: number): Promise<void> {
  const seen = new Uint8Array(orders);
  let rows = -1;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    if (++rows === 0) continue;
    const index = Number(/,bench-(\d+),/.exec(line)?.[1]);
    if (seen[index] !== 0) throw new Error(`${file}: order ${index} is there twice, or is none`);
    seen[index] = 1;
  }
  if (rows !== orders) throw new Error(`${file} has ${rows} rows, not ${orders}`);
}
