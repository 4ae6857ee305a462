/** Matching: our book alone and the whole engine against nodejs-order-book, on the same orders. */
import process from 'node:process';
import { compiled } from './figures/compiled.ts';
import { median } from './figures/median.ts';
import {
  mixed,
  newPrices,
  orderedAndCancelled,
  orderedAndSold,
  quoted,
  swept,
  type Operation,
} from './matching/mixes.ts';
import { peer } from './matching/peer.ts';
import type { Rival } from './matching/rival.ts';
import type * as rivals from './matching/rivals.ts';

const rounds = 5;
const mixes: Readonly<Record<string, readonly Operation[]>> = {
  'its own: 100,000 new prices': newPrices(100_000),
  'its own: 100,000 orders, a fifth cancelled': orderedAndCancelled(100_000),
  'its own: 10,000 orders, as many market orders': orderedAndSold(10_000),
  'quoted: 10,000 resting at 700 prices': quoted(100_000, { resting: 10_000, spread: 100 }),
  'quoted: 10,000 resting at 70 prices': quoted(100_000, { resting: 10_000, spread: 10 }),
  'mixed: 200,000, about 50 at a price': mixed(200_000, { spread: 50 }),
  'mixed: 200,000, about 250 at a price': mixed(200_000, { spread: 10 }),
  'one price of 2,000 orders, swept': swept(2_000),
  'one price of 8,000 orders, swept': swept(8_000),
};

const theirs = peer();
const { bookAlone, engine } = await compiled<typeof rivals>(
  new URL('matching/rivals.ts', import.meta.url),
);
console.log('µs of CPU for one operation, and how many times less than nodejs-order-book');
for (const [name, operations] of Object.entries(mixes)) {
  const spent = { theirs: [] as number[], book: [] as number[], engine: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    const [peerRound, bookRound, engineRound] = [theirs, bookAlone, engine].map((rival) =>
      timed(rival, operations),
    );
    if (peerRound === undefined || bookRound === undefined || engineRound === undefined) continue;
    if (new Set([peerRound.depth, bookRound.depth, engineRound.depth]).size > 1) {
      throw new Error(`${name}: the books differ`);
    }
    if (round === 0) continue; // everything is compiled now
    spent.theirs.push(peerRound.micros);
    spent.book.push(bookRound.micros);
    spent.engine.push(engineRound.micros);
  }
  const peerMicros = median(spent.theirs);
  const against = (figures: readonly number[]): string =>
    `${median(figures).toFixed(2)} (${(peerMicros / median(figures)).toFixed(1)} ×)`;
  console.log(
    `${name.padEnd(48)} theirs ${peerMicros.toFixed(2)}, our book alone ${against(spent.book)}, engine ${against(spent.engine)}`,
  );
}

function timed(rival: Rival, operations: readonly Operation[]): { micros: number; depth: string } {
  const prepared = rival(operations);
  const before = process.cpuUsage();
  prepared.run();
  const { user, system } = process.cpuUsage(before);
  return { micros: (user + system) / operations.length, depth: prepared.depth() };
}
