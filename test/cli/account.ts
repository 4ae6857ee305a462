/** One sandbox account over HTTP with several keys, and its orders according to the exchange. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Family } from '../../src/exchange/api/family.ts';
import { sha256 } from '../../src/base/json.ts';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { limitOrder } from '../support/order.ts';
import { startSandbox, type Started } from './sandbox.ts';

/** Five rungs, identified by their price. */
export const rungs = ladderOf(['40000', '39900', '39800', '39700', '39600']);

/** A once-per-playbook ladder over these prices. */
export function ladderOf(prices: readonly string[], size = '0.010', more = ''): string {
  return `playbook: 1
name: ladder
account: main
steps:
  - id: orders
    for-each: ${JSON.stringify(prices.map((price) => ({ price, size })))}
    key: "{{ each.value.price }}"
    uses: futures/place-order
    once-per: playbook
    with:${limitOrder({ price: '{{ each.value.price }}', size: '{{ each.value.size }}' })}
${more}`;
}

/** The name of a key in plans and in deskhand.yaml. */
export const fingerprint = (apiKey: string): string => sha256(apiKey).slice(0, 8);

export interface AccountWorld {
  readonly cwd: string;
  readonly sandbox: Started;
  readonly port: string;
  /** The environment of a key of the account: `first` is the sandbox's key. */
  key(name: string): Readonly<Record<string, string>>;
  /** Fingerprint of a key. */
  print(name: string): string;
  /** Creates a second key of the same account. */
  issue(name: string, family?: Family): Promise<void>;
  /** Revokes a key. */
  revoke(name: string): Promise<void>;
  /** Writes deskhand.yaml with these lines under profiles.main, next to its secrets. */
  profile(lines: string, more?: string): void;
  put(name: string, text: string): void;
  at(key: string, ...words: string[]): Promise<Ended>;
  control(method: 'GET' | 'POST' | 'PUT', path: string, fields?: object): Promise<unknown>;
  /** All orders this project placed on the account, open and closed. */
  orders(): Promise<readonly PlacedOrder[]>;
  /** Ages the orders until no list shows them. */
  forget(): Promise<void>;
}

export interface PlacedOrder {
  readonly orderId: string;
  readonly clientOid: string;
  readonly price: string;
  readonly qty: string;
}

const uid = '7000000002';

export async function accountWorld(files: Readonly<Record<string, string>>): Promise<AccountWorld> {
  const sandbox = await startSandbox();
  const cwd = folderWith(files);
  const own = sandbox.env('hedge');
  const port = new URL(sandbox.baseUrl).port;
  const parts = (name: string): readonly [string, string, string] =>
    name === 'first'
      ? [
          own['DESKHAND_API_KEY'] ?? '',
          own['DESKHAND_API_SECRET'] ?? '',
          own['DESKHAND_API_PASSPHRASE'] ?? '',
        ]
      : [`key-${name}-of-the-account`, `secret of ${name}`, `passphrase-${name}`];
  const control: AccountWorld['control'] = async (method, path, fields = {}) => {
    const url = new URL(`${sandbox.controlUrl}/${path}`);
    const body = method === 'GET' ? {} : { body: JSON.stringify(fields) };
    if (method === 'GET') for (const [k, v] of Object.entries(fields)) url.searchParams.set(k, v);
    const headers = { 'content-type': 'application/json' };
    const answer = Object(await (await fetch(url, { method, headers, ...body })).json());
    if (answer.code !== '00000') throw new Error(`${path}: ${answer.msg}`);
    return answer.data;
  };
  const put = (name: string, text: string): void => writeFileSync(join(cwd, name), text);
  const keyed = (name: string, isFrozen: boolean, family?: Family): Promise<unknown> => {
    const [apiKey, secretKey, passphrase] = parts(name);
    const permissions = ['account-read', 'trade-read', 'trade-write', 'account-write'];
    const record = { uid, apiKey, secretKey, passphrase, permissions, isFrozen };
    return control('POST', 'keys', { ...record, ...(family && { family }) });
  };
  const key = (name: string): Readonly<Record<string, string>> => {
    const [MAIN_API_KEY, MAIN_API_SECRET, MAIN_API_PASSPHRASE] = parts(name);
    return { MAIN_API_KEY, MAIN_API_SECRET, MAIN_API_PASSPHRASE };
  };
  await control('POST', 'config', { duplicateClientOid: 'accept', limits: false });
  const world: AccountWorld = {
    cwd,
    sandbox,
    port,
    key,
    print: (name) => fingerprint(parts(name)[0]),
    issue: async (name, family) => void (await keyed(name, false, family)),
    revoke: async (name) => void (await keyed(name, true)),
    profile: (lines, more = '') =>
      put(
        'deskhand.yaml',
        `profiles:\n  main: # the desk\n    secrets: { env: MAIN }\n${lines}\n${more}`,
      ),
    put,
    at: (name, ...words) => deskhand(words, { cwd, env: key(name) }),
    control,
    orders: async () => {
      const { open, closed } = Object(await control('GET', 'orders', { uid }));
      return [...open, ...closed].filter(({ clientOid }) => String(clientOid).startsWith('dh'));
    },
    forget: async () => {
      for (const { orderId } of await world.orders()) {
        await control('POST', 'orders/cancel', { uid, orderId });
      }
      await control('POST', 'clock/advance', { ms: 91 * 24 * 3_600_000 });
    },
  };
  world.profile(`    base-url: "http://127.0.0.1:${port}"`);
  return world;
}

/** A command's exit code and complete output. */
export const said = ({ code, stdout, stderr }: Ended): readonly [number | null, string] => [
  code,
  `${stdout}\n${stderr}`,
];

/** Waits until the books of the exchange have a number of orders. */
export async function placedOrders(world: AccountWorld, count: number): Promise<void> {
  for (let look = 0; look < 400; look++) {
    if ((await world.orders()).length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the exchange has fewer than ${count} orders`);
}
