/** Content packed with gzip: the same bytes for the same content, whenever and wherever made. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

const systemByte = 9; // of the header (RFC 1952); the time before it is 0 already
const unknownSystem = 255;

/** Packs as it goes; whatever `content` throws is passed on. */
export async function* gzipped(
  content: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const gzip = createGzip({ level: 6 });
  const packing = pipeline(Readable.from(content), gzip);
  packing.catch(() => undefined); // comes out of the loop below
  let isFirst = true;
  for await (const chunk of gzip) {
    const bytes = Buffer.from(chunk);
    if (isFirst) bytes[systemByte] = unknownSystem;
    isFirst = false;
    yield bytes;
  }
  await packing;
}
