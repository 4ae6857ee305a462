/** Random numbers without state: the number at a position is derived from the seed and the position. */

/** A random-access stream of pseudorandom numbers. */
export interface Noise {
  /** A whole number in [0, 2^32). */
  bits(at: number): number;
  /** A whole number in [0, below). */
  integer(at: number, below: number): number;
  /** A number in [0, 1). */
  uniform(at: number): number;
  /** An approximately normal number with mean 0 and variance 1, within ±2.5. */
  bell(at: number): number;
}

/** The stream for a name under a seed. */
export function noise(seed: number, name: string): Noise {
  let key = seed | 0;
  for (const character of name) key = mix(key ^ (character.codePointAt(0) ?? 0));
  const bits = (at: number): number => {
    const high = Math.floor(at / two32);
    return mix(mix(key ^ (at | 0)) ^ Math.imul(high + 1, 0x27d4eb2d)) >>> 0;
  };
  return {
    bits,
    integer: (at, below) => Math.floor((bits(at) / two32) * below),
    uniform: (at) => bits(at) / two32,
    bell: (at) => {
      const value = bits(at);
      // Two uniform halves make a triangular distribution with variance 1/6, with exact operations
      // only.
      return ((value & 0xffff) + (value >>> 16) - 0xffff) * bellScale;
    },
  };
}

const two32 = 4_294_967_296;
const bellScale = 2.449489742783178 / 65_536; // the square root of 6, over the width of a half

/**
 * The final steps of a well-known public-domain hash: every input bit changes half of the output
 * bits.
 */
function mix(value: number): number {
  let mixed = value;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
