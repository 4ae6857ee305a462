/**
 * Exports of 100,000 and 1,000,000 orders to CSV: CPU time and memory against a plain node:http
 * loop, and the rows against what the server holds. The server is a fixture that makes pages of 100
 * without limits: at the exchange's 20 a second the larger export would take over eight minutes.
 *
 *   npx tsx bench/export.ts [--rounds 3] [--orders 100000] [--large 1000000]
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { median } from './figures/median.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    orders: { type: 'string', default: '100000' },
    large: { type: 'string', default: '1000000' },
  },
});
const folder = await mkdtemp(join(tmpdir(), 'deskhand-bench-'));
const bundle = join(folder, 'ours.js');
await writeFile(join(folder, 'package.json'), '{"type":"module"}');
await build({
  entryPoints: [join(import.meta.dirname, 'export', 'ours.ts')],
  outdir: folder,
  bundle: true,
  splitting: true, // what draws is not loaded, as in the command line
  format: 'esm',
  platform: 'node',
  banner: {
    js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);",
  },
});
const programs = { ours: bundle, plain: join(import.meta.dirname, 'export', 'plain.mjs') };
const meter = `data:text/javascript,${encodeURIComponent(
  "process.on('exit', () => { const { userCPUTime: u, systemCPUTime: s, maxRSS } = process.resourceUsage(); process.send?.({ cpu: (u + s) / 1e6, peak: maxRSS / 1024 }); });",
)}`;

interface Spent {
  /** Seconds of CPU, and MB of memory at the most. */
  readonly cpu: number;
  readonly peak: number;
}

const small = Number(values.orders);
const spent: Record<'ours' | 'plain', Spent[]> = { ours: [], plain: [] };
for (let round = 0; round < Number(values.rounds); round++) {
  for (const name of ['plain', 'ours'] as const) spent[name].push(await exported(name, small));
}
const of = (name: 'ours' | 'plain', what: keyof Spent): number =>
  median(spent[name].map((each) => each[what]));
const told = (name: 'ours' | 'plain'): string =>
  `${name} ${of(name, 'cpu').toFixed(2)} s of CPU, ${of(name, 'peak').toFixed(0)} MB`;
console.log(
  `${small} orders: ${told('ours')}; ${told('plain')}; ${(of('ours', 'cpu') / of('plain', 'cpu')).toFixed(2)} ×`,
);
const large = Number(values.large);
if (large > 0) {
  const { cpu, peak } = await exported('ours', large);
  const ratio = peak / of('ours', 'peak');
  console.log(
    `${large} orders: ${cpu.toFixed(1)} s of CPU, ${peak.toFixed(0)} MB, ${ratio.toFixed(2)} × the memory`,
  );
}
await rm(folder, { recursive: true });

/** One export in a process of its own, its rows held against what the server has. */
async function exported(name: 'ours' | 'plain', orders: number): Promise<Spent> {
  const end = Math.floor(Date.now() / 1000) * 1000;
  const server = fork(join(import.meta.dirname, 'export', 'server.mjs'), [
    String(orders),
    String(end),
  ]);
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const place = await mkdtemp(join(folder, 'export-'));
  const words = [`http://127.0.0.1:${port}`, place, String(end - 85 * 86_400_000), String(end)];
  const child = spawn(process.execPath, ['--import', meter, programs[name], ...words], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const [[usage], [code]] = (await Promise.all([once(child, 'message'), once(child, 'exit')])) as [
    [Spent],
    [number],
  ];
  server.disconnect();
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  await requireAll(join(place, `${name}.csv`), orders);
  await rm(place, { recursive: true });
  return usage;
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
