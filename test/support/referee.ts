/**
 * An exchange of its own, to judge ours: it shares no code with the client or the sandbox, checks
 * every signature itself, answers with faults, and writes down whoever sends an order blindly.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export const keys = {
  apiKey: 'referee-key-0001',
  secretKey: 'referee-secret-0001',
  passphrase: 'referee-passphrase-0001',
};

/** What happens to one placement; those that begin with `lost` never tell. */
export type Fate =
  | 'placed'
  | 'placed, cut'
  | 'placed, half an answer'
  | 'placed, 502'
  | 'placed, a page'
  | 'placed, an unclear code'
  | 'placed, another clientOid'
  | 'lost, cut'
  | 'lost, 500'
  | 'lost, 408'
  | 'late, cut'
  | 'too many'
  | 'bad time'
  | 'refused';

export interface Referee {
  readonly baseUrl: string;
  /** What must never happen, and did. */
  readonly fouls: readonly string[];
  /** How often each clientOid was executed. */
  readonly executed: ReadonlyMap<string, number>;
  /** How often each clientOid was sent. */
  readonly sent: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

interface Placement {
  readonly signedAt: number;
  /** Whether its answer left no doubt that nothing was executed. */
  readonly isSafe: boolean;
}

interface Order {
  readonly clientOid: string;
  readonly orderId: string;
  readonly placed: Readonly<Record<string, string>>;
  readonly at: number;
}

/** A list that is being read, from its first page on. */
interface Sweep {
  readonly began: number;
  readonly from: number;
}

const validity = 30_000;
const visibility = 10_000;
const pageSize = 2; // few, so that ours is never on the first page

/**
 * @param now the time it goes by
 * @param fateOf what happens to the n-th placement, from 1
 * @param isBlind lists cannot be read at all
 */
export async function startReferee(
  now: () => number,
  fateOf: (nth: number) => Fate,
  isBlind = false,
): Promise<Referee> {
  const fouls: string[] = [];
  const executed = new Map<string, number>();
  const placements = new Map<string, Placement[]>();
  const orders: Order[] = [];
  const late: { readonly at: number; readonly run: () => void }[] = [];
  const reading = new Map<string, Sweep>();
  /** The last sweep of each list that came to its end. */
  const swept = new Map<string, Sweep>();
  let nth = 0;

  const execute = (placed: Order['placed']): Order => {
    const clientOid = placed['clientOid'] ?? '';
    executed.set(clientOid, (executed.get(clientOid) ?? 0) + 1);
    const order = { clientOid, orderId: String(9_000 + orders.length), placed, at: now() };
    orders.push(order);
    return order;
  };

  const judge = (clientOid: string): void => {
    const last = placements.get(clientOid)?.at(-1);
    if (last === undefined || last.isSafe) return;
    const fence = last.signedAt + validity + visibility;
    if (now() <= fence) fouls.push(`${clientOid} sent again ${fence - now()} ms too early`);
    for (const list of ['open', 'history']) {
      const sweep = swept.get(list);
      if (sweep === undefined || sweep.began <= fence) {
        fouls.push(`${clientOid} sent again, and ${list} was not read to its end after the fence`);
      } else if (list === 'history' && sweep.from > last.signedAt) {
        fouls.push(`${clientOid} sent again, and history was read from too late on`);
      }
    }
    const first = placements.get(clientOid)?.[0];
    const isThere = orders.some((order) => order.clientOid === clientOid);
    if (isThere && first) fouls.push(`${clientOid} sent again though the lists show it`);
  };

  const place = (response: ServerResponse, body: string, signedAt: number): void => {
    const placed = JSON.parse(body);
    const { clientOid } = placed;
    judge(clientOid);
    const fate = fateOf(++nth);
    const isSafe = fate === 'too many' || fate === 'bad time' || fate === 'refused';
    placements.set(clientOid, [...(placements.get(clientOid) ?? []), { signedAt, isSafe }]);
    const [what, how] = fate.split(', ');
    const order = what === 'placed' ? execute(placed) : undefined;
    if (what === 'late') late.push({ at: signedAt + validity - 5_000, run: () => execute(placed) });
    const data = { orderId: order?.orderId, clientOid };
    switch (how ?? what) {
      case 'placed':
        return answer(response, '00000', data);
      case 'half an answer':
        response.writeHead(200, { 'content-length': '500' });
        response.write('{"code":"00000","da');
        return void setImmediate(() => response.destroy());
      case '502':
        return page(response, 502);
      case 'a page':
        return page(response, 200);
      case 'an unclear code':
        return answer(response, '40010', null, 400);
      case 'another clientOid':
        return answer(response, '00000', { ...data, clientOid: 'someone-else' });
      case '500':
        return page(response, 500);
      case '408':
        return page(response, 408);
      case 'too many':
        response.setHeader('retry-after', '1');
        return answer(response, '429', null, 429);
      case 'bad time':
        return answer(response, '40008', null, 400);
      case 'refused':
        return answer(response, '40762', null, 400);
      default:
        response.destroy();
    }
  };

  /** Rows in pages of two, newest first; others are before ours. */
  const list = (response: ServerResponse, name: string, query: URLSearchParams): void => {
    if (isBlind) return answer(response, '40084', null, 400);
    const at = Number(query.get('cursor') ?? '0');
    if (at === 0) reading.set(name, { began: now(), from: Number(query.get('startTime') ?? '0') });
    const isOpen = name === 'open';
    const own = orders.filter((_, place) => (place % 2 === 0) === isOpen);
    const others = [1, 2, 3].map((each) => ({
      clientOid: `other-${name}-${each}`,
      orderId: String(each + (isOpen ? 10 : 20)),
      placed: { symbol: 'ETHUSDT', side: 'buy', size: '1', price: '1' },
      at: now(),
    }));
    const rows = [...others, ...own].slice(at, at + pageSize);
    const isEnd = at + pageSize >= others.length + own.length;
    const sweep = reading.get(name);
    if (isEnd && sweep) swept.set(name, sweep);
    answer(response, '00000', {
      list: rows.map((order) => rowOf(order, isOpen)),
      cursor: isEnd ? '' : String(at + pageSize),
    });
  };

  const answer = (response: ServerResponse, code: string, data: unknown, status = 200): void => {
    const text = JSON.stringify({ code, msg: 'said by the referee', requestTime: now(), data });
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(text);
  };

  const serve = (request: IncomingMessage, response: ServerResponse, body: string): void => {
    for (const due of late.filter(({ at }) => at <= now())) {
      late.splice(late.indexOf(due), 1);
      due.run();
    }
    const url = new URL(request.url ?? '/', 'http://referee');
    if (url.pathname.endsWith('/discount-rate')) return answer(response, '00000', []);
    const foul = wrongIn(request, url, body, now());
    if (foul !== undefined) {
      fouls.push(foul);
      return answer(response, '40009', null, 400);
    }
    const signedAt = Number(request.headers['access-timestamp']);
    if (url.pathname.endsWith('/place-order')) return place(response, body, signedAt);
    const isOpen = url.pathname.endsWith('/unfilled-orders');
    return list(response, isOpen ? 'open' : 'history', url.searchParams);
  };

  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    request.on('end', () => serve(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    fouls,
    executed,
    get sent() {
      return new Map([...placements].map(([clientOid, sent]) => [clientOid, sent.length]));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** What is wrong with a signed request, by the rules of the interface alone. */
function wrongIn(
  { method = '', headers }: IncomingMessage,
  url: URL,
  body: string,
  now: number,
): string | undefined {
  const timestamp = String(headers['access-timestamp']);
  const query = url.search === '' ? '' : `?${decodeURIComponent(url.search.slice(1))}`;
  const signed = `${timestamp}${method}${url.pathname}${query}${body}`;
  const right = createHmac('sha256', keys.secretKey).update(signed).digest('base64');
  if (headers['access-key'] !== keys.apiKey) return `${url.pathname}: another key`;
  if (headers['access-passphrase'] !== keys.passphrase) return `${url.pathname}: passphrase`;
  if (headers['access-sign'] !== right) return `${url.pathname}: the signature is wrong`;
  if (Math.abs(now - Number(timestamp)) > validity) return `${url.pathname}: a stale signature`;
  return undefined;
}

function page(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' });
  response.end('<html>who knows</html>');
}

function rowOf({ clientOid, orderId, placed, at }: Order, isOpen: boolean): object {
  return {
    orderId,
    clientOid,
    category: 'usdt-futures',
    symbol: placed['symbol'],
    orderType: 'limit',
    side: placed['side'],
    price: placed['price'],
    qty: placed['size'],
    amount: '',
    cumExecQty: '0',
    cumExecValue: '0',
    avgPrice: '',
    timeInForce: 'gtc',
    orderStatus: isOpen ? 'live' : 'cancelled',
    posSide: 'long',
    holdMode: 'hedge_mode',
    reduceOnly: 'NO',
    feeDetail: null,
    createdTime: String(at),
    updatedTime: String(at),
  };
}
