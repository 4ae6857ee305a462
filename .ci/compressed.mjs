// Compresses what few commands load. Brotli gives the same bytes on each machine, other than the zlib of Node.
import { brotliCompressSync, constants } from 'node:zlib';

/** @param {Uint8Array | string} content */
export function compressed(content) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 9, // 11 takes ten times as long, for 2 % of the package
    [constants.BROTLI_PARAM_LGWIN]: 22,
  };
  return brotliCompressSync(content, { params });
}
