/**
 * Exports of the sandbox itself against its own books: 100,000 orders at the market with their bills
 * and fills, over 80 days, read by `deskhand export` over HTTP and compared row by row with what the
 * world's file holds. The exchange's limits are off; the client keeps its own pace.
 *
 *   npm run build && npx tsx bench/export-ledger.ts [--orders 100000]
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { day } from '../src/base/clock.ts';
import { decimal, decimalText } from '../src/base/decimal.ts';
import { format } from '../src/sandbox/persistence/entry.ts';
import { beginLog } from '../src/sandbox/persistence/log.ts';
import { bring } from '../src/sandbox/world/quoter.ts';
import { newWorld } from '../src/sandbox/world/genesis.ts';
import { saveWorld } from '../src/sandbox/world/saved.ts';
import { settle } from '../src/sandbox/world/advance.ts';
import { tradeIdOf } from '../src/sandbox/world/tape.ts';
import { timeFrom } from '../src/sandbox/world/time.ts';
import { tradesBetween } from '../src/sandbox/world/trades.ts';
import type { World } from '../src/sandbox/world/world.ts';

const { values } = parseArgs({ options: { orders: { type: 'string', default: '100000' } } });
const orders = Number(values.orders);
const uid = '7000000002'; // the hedge account
const [category, symbol] = ['USDT-FUTURES', 'BTCUSDT'] as const;
const orderWords = ['orderId', 'clientOid', 'cumExecQty', 'avgPrice', 'createdTime'] as const;
const perMoment = 250; // more than two pages of one millisecond
const days = 80;
const now = Math.floor(Date.now() / day) * day;
const born = now - days * day;
const deskhand = join(import.meta.dirname, '..', 'bin', 'deskhand.js');
const folder = mkdtempSync(join(tmpdir(), 'deskhand-ledger-'));

const world = lived();
const stateFile = join(folder, 'world');
beginLog(stateFile, { kind: 'world', format, saved: saveWorld(world) })?.close();

const ready = join(folder, 'ready.json');
const words = ['sandbox', 'start', '--port', '0', '--state', stateFile, '--ready-file', ready];
const server = spawn(process.execPath, [deskhand, ...words], {
  cwd: folder,
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  while (!existsSync(ready)) {
    if (server.exitCode !== null) throw new Error('the sandbox did not start');
    await pause(100);
  }
  await compare();
} finally {
  if (server.kill()) await once(server, 'exit');
}
rmSync(folder, { recursive: true });

/** Opens and closes longs, many at one moment; then the clock stands. */
function lived(): World {
  const origin = { seed: 1, born, generation: 0 };
  const time = timeFrom('frozen', { at: now, wall: now, speed: 1 });
  const made = newWorld({ origin, time, limits: false });
  const market = made.market(category, symbol);
  if (market === undefined) throw new Error(`no market ${symbol}`);
  const moments = Math.ceil(orders / perMoment);
  let left = orders;
  for (let moment = 0; moment < moments; moment++) {
    const at = born + Math.floor(((moment + 1) * days * day) / (moments + 1));
    settle(made, at, () => undefined);
    bring(made, market, at);
    for (let place = 0; place < Math.min(perMoment, left); place++) {
      const tradeSide = place % 2 === 0 ? 'open' : 'close';
      const terms = { side: 'buy', orderType: 'market', size: '0.001', tradeSide } as const;
      made.command({ kind: 'place', uid, category, symbol, ...terms }, at);
    }
    left -= perMoment;
  }
  settle(made, now, () => undefined);
  return made;
}

async function compare(): Promise<void> {
  const { engine } = world;
  const market = world.market(category, symbol);
  if (market === undefined) throw new Error(`no market ${symbol}`);
  const from = now - 85 * day;
  const span = { startTime: String(from), endTime: String(now) };
  const place = { productType: category };
  await same('order/list-history', span, [...engine.closedOrders(uid)].map(orderRow), orderWords);
  const bills = await same(
    'futures/list-bills',
    { ...place, ...span },
    // The first credit is older than the exchange keeps anything.
    [...engine.bills(uid, category)]
      .filter(({ time }) => time >= from)
      .map(
        ({ billId, amount, fee, balance, time }) => `${billId} ${amount} ${fee} ${balance} ${time}`,
      ),
    ['billId', 'amount', 'fee', 'balance', 'cTime'],
  );
  leadToWallet(bills);
  const trades = [...tradesBetween(world, market, { from, to: now })];
  await same(
    'market/list-fills',
    { ...place, symbol, ...span },
    trades.map((trade) => `${tradeIdOf(trade)} ${trade.ts}`),
    ['tradeId', 'ts'],
  );
}

function orderRow(order: Record<(typeof orderWords)[number], string | number>): string {
  return orderWords.map((name) => order[name]).join(' ');
}

/** Exports, and holds every row against the books: none missing, none twice, none other. */
async function same(
  operation: string,
  fields: Readonly<Record<string, string>>,
  books: readonly string[],
  names: readonly string[],
): Promise<readonly string[]> {
  const file = `${operation.replace('/', '-')}.ndjson`;
  const given = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  const began = performance.now();
  const child = spawn(process.execPath, [deskhand, 'export', operation, ...given, '--file', file], {
    cwd: folder,
    env: { ...process.env, ...environment() },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = (await once(child, 'exit')) as [number];
  if (code !== 0) throw new Error(`${operation} ended with ${code}`);
  const rows: string[] = [];
  for await (const line of createInterface({ input: createReadStream(join(folder, file)) })) {
    const row: Record<string, string> = JSON.parse(line);
    rows.push(names.map((name) => row[name]).join(' '));
  }
  const wanted = new Set(books);
  const found = new Set(rows);
  const missing = books.filter((row) => !found.has(row)).length;
  const other = rows.filter((row) => !wanted.has(row)).length;
  const twice = rows.length - found.size;
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(
    `${operation}: ${rows.length} rows of ${books.length} in ${seconds} s; ${missing} missing, ${other} other, ${twice} twice`,
  );
  if (missing + other + twice > 0 || rows.length !== books.length) process.exitCode = 1;
  return rows;
}

function environment(): Readonly<Record<string, string>> {
  const { baseUrl, accounts } = JSON.parse(readFileSync(ready, 'utf8'));
  return {
    DESKHAND_STATE_DIR: join(folder, 'state'),
    DESKHAND_BASE_URL: baseUrl,
    DESKHAND_API_KEY: accounts.hedge.apiKey,
    DESKHAND_API_SECRET: accounts.hedge.secretKey,
    DESKHAND_API_PASSPHRASE: accounts.hedge.passphrase,
  };
}

/** From bill to bill, to what the wallet holds. */
function leadToWallet(bills: readonly string[]): void {
  let balance: string | undefined;
  let broken = 0;
  for (const bill of [...bills].sort()) {
    const [, amount = '', fee = '', after = ''] = bill.split(' ');
    const moved = decimal(amount).plus(decimal(fee));
    if (balance !== undefined && decimalText(decimal(balance).plus(moved)) !== after) broken += 1;
    balance = after;
  }
  const wallet = world.engine.wallets(uid).find(({ walletType }) => walletType === category);
  const ends = wallet?.balance === balance ? 'the wallet' : `${balance}, not ${wallet?.balance}`;
  console.log(`bills lead to ${ends}, ${broken} steps broken`);
  if (broken > 0 || wallet?.balance !== balance) process.exitCode = 1;
}
