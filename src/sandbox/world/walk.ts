/** A random walk through time that can be asked at any second, without walking there. */
import { second, type Millis } from '../../base/clock.ts';
import { noise } from './noise.ts';

/** Gives the factor on the base price at a moment. */
export type Walk = (moment: Millis) => number;

const levels = 23; // a block of 2^23 seconds is 97 days
const block = 2 ** levels;
const cachedLevel = 11; // halves of 2048 s are kept, as neighbours are asked one after another
const knotSpread = 0.08; // of the logarithm, at the ends of a block

/**
 * Between fixed knots every half-way point is set off by chance (a Brownian bridge), so a price at
 * one second costs 23 steps and never depends on what was asked before.
 * @param dailySpread standard deviation of one day's logarithmic change
 */
export function walk(seed: number, name: string, dailySpread: number): Walk {
  const chance = noise(seed, `walk ${name}`);
  const knot = (index: number): number => (chance.uniform(index) * 2 - 1) * knotSpread;
  const spreads = bridgeSpreads(dailySpread);
  let cached = { start: -1, left: 0, right: 0 };

  return (moment) => {
    const at = Math.floor(moment / second);
    const cell = 2 ** cachedLevel;
    const start = Math.floor(at / cell) * cell;
    if (cached.start !== start) {
      const first = Math.floor(at / block);
      const whole = { start: first * block, left: knot(first), right: knot(first + 1) };
      cached = descend(whole, { at, from: levels, to: cachedLevel });
    }
    return exponential(descend(cached, { at, from: cachedLevel, to: 0 }).left);
  };

  /** Halves a stretch of 2^from seconds around `at` until it is 2^to seconds long. */
  function descend(
    stretch: { start: number; left: number; right: number },
    { at, from, to }: { at: number; from: number; to: number },
  ): { start: number; left: number; right: number } {
    let { start, left, right } = stretch;
    for (let level = from; level > to; level--) {
      const half = 2 ** (level - 1);
      const middle = start + half;
      // Each half-way point lies at an odd multiple of its step, so its place names it.
      const set = (left + right) / 2 + (spreads[level] ?? 0) * chance.bell(middle + block);
      if (at < middle) right = set;
      else [start, left] = [middle, set];
    }
    return { start, left, right };
  }
}

/** How far the middle of 2^level seconds may lie off, by level: half the root of the length. */
function bridgeSpreads(dailySpread: number): number[] {
  const oneSecond = dailySpread / 293.9387691339814; // the root of 86400
  const spreads: number[] = [];
  for (let level = 0, root = oneSecond; level <= levels; level++, root *= Math.SQRT2) {
    spreads.push(root / 2);
  }
  return spreads;
}

/** e^x by exact operations alone, so that every machine gets the same last digit. */
function exponential(exponent: number): number {
  const part = exponent / 1024;
  let value = 1 + part + (part * part) / 2 + (part * part * part) / 6;
  for (let step = 0; step < 10; step++) value *= value;
  return value;
}
