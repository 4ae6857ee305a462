/** Bodies that a server or a network between compressed, although no request asks for it. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

type Decode = (body: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;

const decoders: Readonly<Record<string, Decode>> = {
  identity: (body) => Buffer.from(body),
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: (body, options) => (hasZlibHeader(body) ? inflateSync : inflateRawSync)(body, options),
  br: brotliDecompressSync,
};

const codingsMax = 3; // each may enlarge the body up to the limit

type DecodedBody = { readonly body: Uint8Array } | { readonly problem: string };

/**
 * The body without its content codings, or why it cannot be read.
 * @param codings the header `content-encoding`; empty for none
 * @param bytesMax the maximum size of the body after each decoding
 */
export function decodedBody(body: Uint8Array, codings: string, bytesMax: number): DecodedBody {
  const names = codings
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  if (names.length === 0 && isGzip(body)) names.push('gzip'); // a proxy removed the header
  if (names.length === 0 || body.length === 0) return { body };
  const known = names.map((name) => decoders[name]).filter((decode) => decode !== undefined);
  if (known.length < names.length || names.length > codingsMax) {
    return { problem: `the response is compressed as ${names.join(', ').slice(0, 60)}` };
  }
  try {
    const options = { maxOutputLength: bytesMax };
    return { body: known.reduceRight<Uint8Array>((left, decode) => decode(left, options), body) };
  } catch (error) {
    if (error instanceof RangeError) {
      const size = `${bytesMax / 1024 / 1024} MiB`;
      return { problem: `the response is larger than ${size} after decompression` };
    }
    if (isJson(body)) return { body }; // a proxy decompressed it and left the header
    return { problem: `the response is compressed as ${names.join(', ')} and damaged` };
  }
}

/**
 * Whether a body begins with the checked pair of bytes of the zlib format; some servers send the bare
 * format.
 */
function hasZlibHeader([first = 0, second = 0]: Uint8Array): boolean {
  return (first & 0x0f) === 8 && ((first << 8) | second) % 31 === 0;
}

/** Whether a body is gzip, by the three bytes that begin the format and that no JSON has. */
function isGzip(body: Uint8Array): boolean {
  return body[0] === 0x1f && body[1] === 0x8b && body[2] === 8;
}

function isJson(body: Uint8Array): boolean {
  return body[0] === 0x7b; // an envelope
}
