/** Short names derived from a digest: the same text gives the same name on every machine. */
import { hash } from 'node:crypto';

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/** `length` lower-case letters and digits derived from a text; 26 have 130 bits. */
export function nameFor(text: string, length: number): string {
  const digest = hash('sha256', text, 'buffer');
  let letters = '';
  let bits = 0;
  let held = 0;
  for (const byte of digest) {
    held = ((held & 31) << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) letters += alphabet.charAt((held >> (bits - 5)) & 31);
  }
  return letters.slice(0, length);
}
