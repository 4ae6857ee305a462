/** Advances the time: prices move, due events happen, idle markets are skipped. */
import { hour, second, type Millis } from '../../base/clock.ts';
import type { Act } from './act.ts';
import type { Market } from './markets.ts';
import { bring, leave, moveTo } from './quoter.ts';
import { secondOf, type World } from './world.ts';

const fundingPeriod = 8 * hour;
const samples = 48; // sampled prices per interval
const stretchesMax = 400; // per advance, regardless of its length

/** Whether nothing is due before a read at this time. */
export function isSettled(world: World, at: Millis): boolean {
  const { quoted, postponed } = world.registry;
  if (postponed.some(({ due }) => due <= at)) return false;
  const seen = world.engine.time();
  if (world.milestones.some((moment) => seen < moment && moment <= at)) return false;
  if (seen < at && world.engine.settings().matchDelayMs > 0) return false; // orders may be pending
  const now = secondOf(at);
  for (const key in quoted) if (quoted[key] !== now) return false;
  return true;
}

/** Brings the world to a moment. @param perform does a postponed act when its time has come */
export function settle(world: World, at: Millis, perform: (act: Act, due: Millis) => void): void {
  if (isSettled(world, at)) return;
  for (let next = nextDue(world, at); next !== undefined; next = nextDue(world, at)) {
    travel(world, next.due);
    world.update({ postponed: world.registry.postponed.filter((item) => item !== next) });
    perform(next.act, next.due);
  }
  travel(world, at);
}

function nextDue(world: World, at: Millis): { due: Millis; act: Act } | undefined {
  return world.registry.postponed.filter(({ due }) => due <= at).sort((a, b) => a.due - b.due)[0];
}

/** Moves the world from the engine's time to another, in intervals that end at funding. */
function travel(world: World, to: Millis): void {
  if (to <= world.engine.time()) return;
  let from = world.engine.time();
  const length = Math.max(fundingPeriod, (to - from) / stretchesMax);
  while (from < to) {
    const end = Math.min(to, Math.floor((from + length) / fundingPeriod) * fundingPeriod);
    const stop = end > from ? end : to;
    stretch(world, { from, to: stop });
    from = stop;
  }
  world.engine.apply({ kind: 'advance' }, to);
}

/** Reaches the highest, the lowest and the last price of an interval; those between are passed. */
function stretch(world: World, { from, to }: { from: Millis; to: Millis }): void {
  const turns = active(world).flatMap((market) =>
    [...turningPoints(market, { from, to }), ...beforeFunding(market, to)].map((turn) => ({
      market,
      ...turn,
    })),
  );
  for (const { market, ticks, at } of turns.sort((a, b) => a.at - b.at)) {
    moveTo(world, market, { ticks, at });
  }
  for (const market of active(world)) {
    bring(world, market, to);
    if (isIdle(world, market)) leave(world, market, to);
  }
}

/** An extreme price within an interval, and when it is reached. */
interface Turn {
  readonly ticks: number;
  readonly at: Millis;
}

/**
 * Updates a market before funding, which uses the price of its time, not the last one at which the
 * engine stopped.
 */
function beforeFunding(market: Market, to: Millis): readonly Turn[] {
  return to % fundingPeriod === 0 ? [{ at: to - 1, ticks: market.ticksAt(to - 1) }] : [];
}

function turningPoints(
  market: Market,
  { from, to }: { from: Millis; to: Millis },
): readonly Turn[] {
  const gap = Math.max(second, (to - from) / samples);
  const seen: Turn[] = [];
  for (let at = from + gap; at < to; at += gap) {
    const moment = Math.floor(at);
    seen.push({ at: moment, ticks: market.ticksAt(moment) });
  }
  if (seen.length === 0) return [];
  const highest = seen.reduce((best, next) => (next.ticks > best.ticks ? next : best));
  const lowest = seen.reduce((best, next) => (next.ticks < best.ticks ? next : best));
  return highest === lowest ? [highest] : [highest, lowest];
}

function active(world: World): Market[] {
  return Object.keys(world.registry.quoted).flatMap((key) => {
    const market = world.markets.get(key);
    return market === undefined ? [] : [market];
  });
}

/** Whether only the maker has orders or positions in a market. */
function isIdle({ engine }: World, { instrument }: Market): boolean {
  const { category, symbol } = instrument;
  const interest = engine.market(category, symbol)?.openInterest ?? '0';
  if (/[1-9]/.test(interest)) return false;
  for (const { uid, kind } of engine.accounts()) {
    if (kind === 'maker' || kind === 'house') continue;
    const counts = engine.openCounts(uid);
    if (counts.futures + counts.spot === 0) continue;
    for (const order of engine.openOrders(uid)) {
      const traded = order.category === 'MARGIN' ? 'SPOT' : order.category;
      if (traded === category && order.symbol === symbol) return false;
    }
  }
  return true;
}
