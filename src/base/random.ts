/** Random numbers as a parameter, so that a seed reproduces a run exactly. */
import { randomBytes } from 'node:crypto';

export interface Random {
  /** A number in [0, 1). */
  next(): number;
  /** A whole number in [0, below). */
  integer(below: number): number;
}

/** A small seeded generator (the public-domain mulberry32 recurrence); not for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return { next, integer: (below) => Math.floor(next() * below) };
}

/** A generator seeded by the operating system. */
export function systemRandom(): Random {
  return seededRandom(randomBytes(4).readUInt32LE(0));
}

const idAlphabet = '0123456789abcdefghjkmnpqrstvwxyz'; // without i, l, o and u: ids are read aloud

/** A short lower-case id such as `7k2m9xq4`, from the operating system's random source. */
export function randomId(length: number): string {
  return Array.from(randomBytes(length), (byte) => idAlphabet.charAt(byte & 31)).join('');
}
