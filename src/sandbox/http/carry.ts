/** Puts a delivery on a connection, with every damage done to real bytes and sockets. */
import type { ServerResponse } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Delivery } from '../faults/delivery.ts';
import type { RawResponse } from '../gateway/request.ts';

/** @param signal aborted when the server closes or the client has gone */
export async function carry(
  delivery: Delivery,
  answer: ServerResponse,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  switch (delivery.kind) {
    case 'whole':
      return send(answer, delivery.response);
    case 'wait':
      await clock.sleep(delivery.ms, signal);
      return carry(delivery.next(), answer, { clock, signal });
    case 'reset':
      answer.socket?.resetAndDestroy();
      return;
    case 'empty':
      answer.socket?.destroy();
      return;
    case 'silence':
      await clock.sleep(delivery.ms, signal);
      answer.socket?.destroy();
      return;
    case 'half':
      head(answer, delivery.response);
      answer.write(delivery.response.body.subarray(0, delivery.response.body.length / 2), () =>
        answer.socket?.destroy(),
      );
      return;
    case 'drip':
      head(answer, delivery.response);
      for (let at = 0; at < delivery.response.body.length; at++) {
        answer.write(delivery.response.body.subarray(at, at + 1));
        await clock.sleep(delivery.everyMs, signal);
      }
      answer.end();
  }
}

/** Sends a whole answer. */
export function send(answer: ServerResponse, response: RawResponse): void {
  head(answer, response);
  const { buffer, byteOffset, length } = response.body;
  // As text of one letter per byte it leaves together with its head, in one piece.
  answer.end(Buffer.from(buffer, byteOffset, length).toString('latin1'), 'latin1');
}

function head(answer: ServerResponse, { status, headers, body }: RawResponse): void {
  answer.writeHead(status, Object.assign({ 'content-length': body.length }, headers));
}
