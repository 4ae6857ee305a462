/** Takes in the body of a request, as far as anybody may send one. */
import type { IncomingMessage } from 'node:http';
import process from 'node:process';
import { limits } from './door.ts';

/** @param done gets the body, cut short somewhere beyond the limit when it is longer */
export function readBody(request: IncomingMessage, done: (body: Buffer) => void): void {
  process.nextTick(() => {
    // Most bodies come in one piece with their head: they need no waiting and no events.
    if (request.complete) done(request.read() ?? empty);
    else collect(request, done);
  });
}

const empty = Buffer.alloc(0);

function collect(request: IncomingMessage, done: (body: Buffer) => void): void {
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
