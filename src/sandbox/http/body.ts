/** Reads request bodies up to a size limit. */
import type { IncomingMessage } from 'node:http';
import { limits } from './door.ts';

/** Receives the body, truncated beyond the limit if it is longer. */
type Done = (body: Buffer) => void;

interface Arrival {
  readonly request: IncomingMessage;
  readonly done: Done;
}

/**
 * Creates a reader that handles together, in order of arrival, all requests of one turn of the
 * event loop: by then most have their body, and they share cached data.
 */
export function bodyReader(): (request: IncomingMessage, done: Done) => void {
  let arrived: Arrival[] = [];
  const takeUp = (): void => {
    const all = arrived;
    arrived = [];
    for (const { request, done } of all) {
      if (request.complete) done(whole(request));
      else collect(request, done);
    }
  };
  return (request, done) => {
    if (arrived.push({ request, done }) === 1) setImmediate(takeUp);
  };
}

const empty = Buffer.alloc(0);

/** A body that was received completely. One read returns all of it; since Node 26, only one chunk. */
function whole(request: IncomingMessage): Buffer {
  const first: Buffer | null = request.read();
  if (first === null || request.readableLength === 0) return first ?? empty;
  const chunks = [first];
  for (let next = request.read(); next !== null; next = request.read()) chunks.push(next);
  return Buffer.concat(chunks);
}

function collect(request: IncomingMessage, done: Done): void {
  const chunks: Buffer[] = [];
  let length = 0;
  const take = (chunk: Buffer): void => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > limits.bodyBytes) finish();
  };
  const finish = (): void => {
    request.off('data', take).off('end', finish);
    done(Buffer.concat(chunks));
  };
  request.on('data', take).on('end', finish);
}
