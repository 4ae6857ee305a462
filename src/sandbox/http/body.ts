/** Takes in the bodies of requests, as far as anyone may send one. */
import type { IncomingMessage } from 'node:http';
import { limits } from './door.ts';

/** Gets the body, cut short somewhere beyond the limit when it is longer. */
type Done = (body: Buffer) => void;

interface Arrival {
  readonly request: IncomingMessage;
  readonly done: Done;
}

/**
 * Makes a reader that takes up together, in the order they came, all requests that one turn of the
 * event loop has brought: by then most have their body, and what one needs the next finds at hand.
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

/** A body that has come. One read gives all of it, but no more than a piece from Node 26 on. */
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
