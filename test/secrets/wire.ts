/** The exchange with someone on the way: hears what proves who calls, and says it back on demand. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { readdirSync, readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { marks } from './marks.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What comes back instead of the exchange's answer, for one path. */
export interface Manner {
  readonly path: string;
  /** Of how many answers; all when absent. */
  readonly times?: number;
  readonly respond: (headers: IncomingHttpHeaders, answer: Reply) => Reply;
}

export interface Wire {
  readonly baseUrl: string;
  /** Every signature that came along. */
  readonly signatures: string[];
  /** Command lines of this machine in which a secret stood while a request was in progress. */
  readonly exposed: string[];
  /** Speaks so from now on, or again as the exchange does. */
  behave(manner?: Manner): void;
  close(): Promise<void>;
}

export async function wireTo(exchange: string): Promise<Wire> {
  const [signatures, exposed]: [string[], string[]] = [[], []];
  let manner: Manner | undefined;
  let left = 0;
  const server = createServer((request, response) => {
    exposed.push(...exposedNow());
    const { url = '/', method = 'GET', headers } = request;
    const signature = headers['access-sign'];
    if (typeof signature === 'string') signatures.push(signature);
    const pass = async (): Promise<void> => {
      const answer = await passedOn(`${exchange}${url}`, method, headers, await buffer(request));
      const isMeant = manner !== undefined && url.includes(manner.path) && left-- > 0;
      send(response, isMeant && manner ? manner.respond(headers, answer) : answer);
    };
    pass().catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    signatures,
    exposed,
    behave: (next) => {
      manner = next;
      left = next?.times ?? Infinity;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function passedOn(
  url: string,
  method: string,
  { host: _host, connection: _connection, ...headers }: IncomingHttpHeaders,
  body: Buffer,
): Promise<Reply> {
  const answer = await fetch(url, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(method !== 'GET' && { body: body.toString('utf8') }),
  });
  return {
    status: answer.status,
    headers: { 'content-type': answer.headers.get('content-type') ?? '' },
    body: await answer.text(),
  };
}

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, headers);
  response.end(body);
}

/** Anybody on a machine may list the words its programs were started with. */
export function exposedNow(): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => Object.values(marks).some((mark) => line.includes(mark)));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return ''; // it has ended
  }
}

/** A refusal as the exchange frames one. */
export function envelope(code: string, msg: string, data: unknown = null): string {
  return JSON.stringify({ code, msg, requestTime: 1_800_000_000_000, data });
}

/** All that proves who calls, as a careless server puts it into what it says. */
function quoted(headers: IncomingHttpHeaders): string {
  const proof = ['access-key', 'access-sign', 'access-passphrase'].map((name) => headers[name]);
  return [
    ...proof,
    JSON.stringify(headers),
    Buffer.from(JSON.stringify(headers)).toString('base64'),
  ]
    .map(String)
    .join(' ');
}

const plain = { 'content-type': 'text/plain' };
const json = { 'content-type': 'application/json' };

/** Servers that say back what they were reported, each in its own way. */
export const manners = {
  'a refusal': (headers) => ({
    status: 400,
    headers: json,
    body: envelope('40009', `sign signature error: ${quoted(headers)}`),
  }),
  'an unknown code': (headers) => ({
    status: 200,
    headers: json,
    body: envelope(String(headers['access-sign']), quoted(headers)),
  }),
  'a page of HTML': (headers) => ({
    status: 502,
    headers: { 'content-type': 'text/html', server: String(headers['access-sign']) },
    body: `<pre>${quoted(headers)}</pre>`,
  }),
  'a text': (headers) => ({ status: 200, headers: plain, body: quoted(headers) }),
  'half an envelope': (headers) => ({
    status: 200,
    headers: json,
    body: `{"code":"00000","msg":"${String(headers['access-sign'])} ${String(headers['access-key'])}`,
  }),
  'names of fields': (headers) => ({
    status: 200,
    headers: json,
    body: envelope('00000', 'success', {
      [String(headers['access-key'])]: 1,
      [String(headers['access-sign'])]: { [String(headers['access-passphrase'])]: quoted(headers) },
      orderId: { is: quoted(headers) },
      clientOid: quoted(headers),
      list: [{ orderId: quoted(headers) }],
    }),
  }),
  'another order': (headers) => ({
    status: 200,
    headers: json,
    body: envelope('00000', 'success', { orderId: '1', clientOid: quoted(headers) }),
  }),
  'a redirect': (headers) => ({
    status: 307,
    headers: { location: `http://127.0.0.1:9/?${encodeURIComponent(quoted(headers))}` },
    body: quoted(headers),
  }),
  'a limit': (headers) => ({
    status: 429,
    headers: { 'retry-after': String(headers['access-sign']) },
    body: envelope('429', quoted(headers)),
  }),
} as const satisfies Readonly<Record<string, Manner['respond']>>;
