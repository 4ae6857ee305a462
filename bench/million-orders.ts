/**
 * A million orders, open or canceled: the memory they take, and how long a snapshot of them takes.
 *
 *   npx tsx bench/million-orders.ts [--orders 1000000] [--closed]
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { seededRandom } from '../src/base/random.ts';
import { restoreEngine } from '../src/sandbox/engine/create.ts';
import { beginLog, type CommandLog } from '../src/sandbox/persistence/log.ts';
import { newWorld } from '../src/sandbox/world/genesis.ts';
import { saveWorld } from '../src/sandbox/world/saved.ts';
import type { World } from '../src/sandbox/world/world.ts';

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '1000000' },
    closed: { type: 'boolean', default: false },
  },
});
const orders = Number(values.orders);
const state = values.closed ? 'canceled' : 'open';
const perAccount = 400; // the exchange's own limit
const accounts = Math.ceil(orders / perAccount);
const born = Date.UTC(2026, 0, 1);

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
const random = seededRandom(1);

const origin = { seed: 1, born, generation: 0 };
const world = newWorld({ origin, time: { mode: 'frozen', at: born }, limits: false });
openAccounts(world);
const before = memory();
const placing = seconds(() => placeOrders(world));
const after = memory();
const heap = after.heap - before.heap;
const resident = after.resident - before.resident;
console.log(
  `${orders} ${state} orders of ${accounts} accounts: ${megabytes(heap)} of heap, ${megabytes(resident)} resident; ` +
    `${Math.round(heap / orders)} bytes and ${((placing / orders) * 1e6).toFixed(1)} µs of CPU for one`,
);

const folder = mkdtempSync(join(tmpdir(), 'deskhand-bench-'));
const file = join(folder, 'world');
let log: CommandLog | undefined;
const writing = seconds(() => {
  log = beginLog(file, { kind: 'world', saved: saveWorld(world) });
});
const hash = world.engine.hash();
let restored: unknown;
const reading = seconds(() => {
  const saved: unknown = JSON.parse(JSON.stringify(world.engine.snapshot()));
  restored = restoreEngine(saved as ReturnType<typeof world.engine.snapshot>).hash();
});
console.log(
  `snapshot of ${megabytes(statSync(file).size)} written in ${writing.toFixed(1)} s of CPU; ` +
    `restored from JSON and hashed in ${reading.toFixed(1)} s of CPU, ${restored === hash ? 'the same' : 'ANOTHER'} state`,
);
log?.close();
rmSync(folder, { recursive: true });

function openAccounts({ engine }: World): void {
  for (let place = 0; place < accounts; place++) {
    const uid = uidOf(place);
    engine.apply({ kind: 'open-account', uid, accountKind: 'main' }, born);
    const money = { walletType: 'USDT-FUTURES', coin: 'USDT', amount: '100000000' } as const;
    engine.apply({ kind: 'credit', uid, ...money }, born);
  }
}

/** Both sides of one symbol, thousands of prices deep, each order with an id of its own. */
function placeOrders({ engine }: World): void {
  for (let at = 0; at < orders; at++) {
    const side = at % 2 === 0 ? 'buy' : 'sell';
    const away = 1_000 + random.integer(20_000);
    const tenths = 780_000 + (side === 'buy' ? -away : away);
    const { reply } = engine.apply(
      {
        kind: 'place',
        category: 'USDT-FUTURES',
        symbol: 'BTCUSDT',
        uid: uidOf(at % accounts),
        side,
        orderType: 'limit',
        force: 'gtc',
        size: `0.${String(1 + random.integer(999)).padStart(3, '0')}`,
        price: `${Math.floor(tenths / 10)}.${tenths % 10}`,
        clientOid: `mine-${at}`,
      },
      born + at,
    );
    if (reply.kind === 'refused') throw new Error(`${reply.code} ${reply.message}`);
    const { orderId } = reply.data;
    if (values.closed && orderId !== undefined) {
      engine.apply({ kind: 'cancel', orderId }, born + at);
    }
  }
}

function uidOf(place: number): string {
  return String(7_200_000_000 + place);
}

function memory(): { heap: number; resident: number } {
  collectGarbage();
  collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  return { heap: heapUsed, resident: rss };
}

/** Seconds of CPU: what else the machine does is not counted. */
function seconds(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
