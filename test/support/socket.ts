/** Bytes sent to a port as they are, by whoever keeps to no protocol. */
import { once } from 'node:events';
import { connect } from 'node:net';

/** Everything that comes back until the other side closes. */
export async function saidTo(
  port: number,
  parts: readonly (string | Uint8Array)[],
): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined); // a reset after the answer is fine, the answer is looked at
  for (const part of parts) socket.write(part);
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('utf8');
}

/** Status and code of such an answer; its body must be an envelope of that moment. */
export function refusalIn(text: string, requestTime: number): string {
  const body: unknown = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
  const { code, msg, requestTime: at, data, ...rest } = Object(body);
  if (at !== requestTime || data !== null || Object.keys(rest).length > 0 || !msg) {
    throw new Error(`no envelope: ${text}`);
  }
  return `${text.split(' ')[1]} ${code}`;
}
