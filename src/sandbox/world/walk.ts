/** A random walk that can be evaluated at any second, without intermediate steps. */
import { second, type Millis } from '../../base/clock.ts';
import { noise } from './noise.ts';

/** Returns the factor on the base price at a time. */
export type Walk = (moment: Millis) => number;

const levels = 23; // a block of 2^23 seconds is 97 days
const block = 2 ** levels;
const knotSpread = 0.08; // spread of the logarithm at block boundaries

/**
 * A random walk. Between fixed knots every midpoint has a random offset (a Brownian bridge), so a
 * price at one second takes 23 steps and never depends on earlier requests. The path to the last
 * second is cached: a neighbor takes only the few steps that differ.
 * @param dailySpread standard deviation of one day's logarithmic change
 */
export function walk(seed: number, name: string, dailySpread: number): Walk {
  const chance = noise(seed, `walk ${name}`);
  const knot = (index: number): number => (chance.uniform(index) * 2 - 1) * knotSpread;
  const spreads = bridgeSpreads(dailySpread);
  // The start of the interval of 2^level seconds around the last second, by level.
  const lefts = new Float64Array(levels + 1);
  const rights = new Float64Array(levels + 1);
  let last: number | undefined;

  return (moment) => {
    const at = Math.floor(moment / second);
    let from = last === undefined ? levels + 1 : sharedLevel(at, last);
    last = at;
    if (from > levels) {
      from = levels;
      const index = Math.floor(at / block);
      lefts[levels] = knot(index);
      rights[levels] = knot(index + 1);
    }
    descend(at, from);
    return exponential(lefts[0] ?? 0);
  };

  /** Halves the interval of 2^from seconds around `at` until it is one second long. */
  function descend(at: number, from: number): void {
    let half = 2 ** from / 2;
    let start = Math.floor(at / (2 * half)) * 2 * half;
    let left = lefts[from] ?? 0;
    let right = rights[from] ?? 0;
    for (let level = from; level > 0; level--, half /= 2) {
      const middle = start + half;
      // Each midpoint is at an odd multiple of its step, which identifies it.
      const set = (left + right) / 2 + (spreads[level] ?? 0) * chance.bell(middle + block);
      if (at < middle) {
        right = set;
      } else {
        start = middle;
        left = set;
      }
      lefts[level - 1] = left;
      rights[level - 1] = right;
    }
  }
}

/**
 * The lowest level at which two seconds are in one interval: above it, their binary digits agree.
 */
function sharedLevel(one: number, other: number): number {
  if (Math.floor(one / two32) !== Math.floor(other / two32)) return levels + 1;
  return 32 - Math.clz32(one ^ other);
}

const two32 = 2 ** 32;

/**
 * The standard deviation of a midpoint of 2^level seconds, by level: half the root of the length.
 */
function bridgeSpreads(dailySpread: number): number[] {
  const oneSecond = dailySpread / 293.9387691339814; // the root of 86400
  const spreads: number[] = [];
  for (let level = 0, root = oneSecond; level <= levels; level++, root *= Math.SQRT2) {
    spreads.push(root / 2);
  }
  return spreads;
}

/** Computes e^x with exact operations only, so that all machines get the same last digit. */
function exponential(exponent: number): number {
  const part = exponent / 1024;
  let value = 1 + part + (part * part) / 2 + (part * part * part) / 6;
  for (let step = 0; step < 10; step++) value *= value;
  return value;
}
