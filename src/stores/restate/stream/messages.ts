/** The messages that a process with runs and the service exchange over a stream: a line of JSON each. */
import type { Socket } from 'node:net';
import { isRecord } from '../../../base/json.ts';
import type { Batch } from '../../shared/shared-runs.ts';

/** The address at which a process of the service accepts streams. */
export interface StreamAddress {
  readonly host: string;
  readonly port: number;
  /** The id of the service's process: another process at this address has another id. */
  readonly service: string;
}

/** A batch for an invocation that is open; its header is that of the invocation. */
export type StreamBatch = Omit<Batch, 'header'> & {
  /** Whether the lease is renewed as well. */
  readonly isRenewal: boolean;
};

/** Messages of a process with runs; `session` is the number that the process gave the invocation. */
export type FromProcess =
  | { readonly kind: 'batch'; readonly session: number; readonly batch: StreamBatch }
  /** The process sends nothing more in this session. */
  | { readonly kind: 'end'; readonly session: number };

export type FromService =
  /** The first message: an id of the connection that nobody else knows. */
  | { readonly kind: 'hello'; readonly service: string; readonly connection: string }
  /** The invocation is open, and the batch of its call is stored. */
  | { readonly kind: 'open'; readonly session: number }
  /** The batch whose last line has this number is stored. */
  | { readonly kind: 'kept'; readonly session: number; readonly lines: number }
  /** The invocation takes no more batches. */
  | { readonly kind: 'closed'; readonly session: number };

/** Messages of the service about an invocation. */
export type SessionMessage = Exclude<FromService, { readonly kind: 'hello' }>;

export function sendTo(socket: Socket, message: FromProcess | FromService): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}

/**
 * Calls a function with each message; an unreadable message ends the connection.
 * @param sizeMax maximum characters of a message, as of now
 */
export function onMessages(
  socket: Socket,
  sizeMax: () => number,
  hear: (message: Readonly<Record<string, unknown>>) => void,
): void {
  let parts: string[] = [];
  let size = 0;
  socket.setEncoding('utf8');
  socket.on('data', (text: string) => {
    let begin = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', begin)) {
      const line = parts.join('') + text.slice(begin, end);
      [parts, size, begin] = [[], 0, end + 1];
      const message = line.length > sizeMax() ? undefined : messageIn(line);
      if (message === undefined) {
        socket.destroy();
        return;
      }
      hear(message);
    }
    if (begin < text.length) parts.push(text.slice(begin));
    size += text.length - begin;
    if (size > sizeMax()) socket.destroy();
  });
}

export function isBatch(value: unknown): value is StreamBatch {
  if (!isRecord(value)) return false;
  const { after, rows, link, isRenewal } = value;
  return (
    typeof after === 'number' &&
    typeof link === 'string' &&
    typeof isRenewal === 'boolean' &&
    Array.isArray(rows) &&
    rows.every(isRow)
  );
}

function isRow(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { first, last, text } = value;
  return typeof first === 'number' && typeof last === 'number' && typeof text === 'string';
}

function messageIn(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
