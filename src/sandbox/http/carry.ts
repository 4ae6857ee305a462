/** Sends a delivery over a connection, with its faults on real bytes and sockets. */
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Clock } from '../../base/clock.ts';
import type { Delivery } from '../faults/delivery.ts';
import type { RawResponse } from '../gateway/request.ts';

/**
 * Sends a delivery over a connection.
 * @param signal aborted when the server closes or the client has disconnected
 */
export async function carry(
  delivery: Delivery,
  answer: ServerResponse,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<void> {
  switch (delivery.kind) {
    case 'whole':
      return send(answer, delivery.response);
    case 'packed':
      return sendPacked(answer, delivery.response);
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
    case 'half': {
      const { body } = delivery.response;
      head(answer, delivery.response);
      answer.write(body.subarray(0, body.length / 2), () => answer.socket?.destroy());
      return;
    }
    case 'drip': {
      const { body } = delivery.response;
      head(answer, delivery.response);
      for (let at = 0; at < body.length; at++) {
        answer.write(body.subarray(at, at + 1));
        await clock.sleep(delivery.everyMs, signal);
      }
      answer.end();
    }
  }
}

/** Sends a complete response in one write; `end` would send its text separately. */
export function send(answer: ServerResponse, response: RawResponse): void {
  const { socket } = answer; // none while an earlier request of its connection is in progress
  head(answer, response);
  socket?.cork();
  answer.write(response.text, 'utf8');
  socket?.uncork();
  answer.end();
}

function sendPacked(answer: ServerResponse, { status, headers, body }: RawResponse): void {
  const packed = gzipSync(body);
  answer.writeHead(status, linesOf({ ...headers, 'content-encoding': 'gzip' }, packed.length));
  answer.end(packed);
}

function head(answer: ServerResponse, { status, headers, text }: RawResponse): void {
  answer.writeHead(status, linesOf(headers, Buffer.byteLength(text)));
}

/** Headers as alternating names and values, a form that is written unchanged. */
function linesOf(headers: RawResponse['headers'], bytes: number): string[] {
  const lines: string[] = [];
  for (const [name, value] of Object.entries(headers)) lines.push(name, value);
  lines.push('content-length', String(bytes));
  return lines;
}
