/** Content compressed with gzip: equal content gives equal bytes. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const systemByte = 9; // of the header (RFC 1952); the time before it is already 0
const unknownSystem = 255;

/** Compresses a stream; errors of `content` are passed on. */
export async function* gzipped(
  content: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: 6 });
  const packing = pipeline(Readable.from(owned(content)), gzip);
  packing.catch(() => undefined); // returned by the loop below
  let isFirst = true;
  for await (const chunk of gzip) {
    const bytes = Buffer.from(chunk);
    if (isFirst) bytes[systemByte] = unknownSystem;
    isFirst = false;
    yield bytes;
  }
  await packing;
}

/** Copies bytes that are valid only until the next are requested: the stream reads ahead. */
async function* owned(
  content: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<string | Uint8Array> {
  for await (const piece of content) yield typeof piece === 'string' ? piece : Buffer.from(piece);
}
