/** Every status with every body, for each kind of call: what is resent, and what is in doubt. */
import { expect, test } from 'vitest';
import { DoubtError, RefusedError, type WireResponse } from '../../../src/exchange/api/exchange.ts';
import type { OperationName } from '../../../src/exchange/api/operations/index.ts';
import { answer, scripted, success } from '../../support/scripted.ts';

const order = {
  symbol: 'BTCUSDT',
  productType: 'COIN-FUTURES',
  marginMode: 'crossed',
  marginCoin: 'BTC',
  size: '0.01',
  side: 'buy',
  orderType: 'market',
  clientOid: 'ours-1',
} as const;

const account = { username: 'a', subUid: '7', status: 'normal', note: '' };
const times = { createdTime: '1', updatedTime: '1' };

const kinds = {
  read: {
    operation: 'futures/list-adl-ranks',
    input: { productType: 'USDT-FUTURES' },
    data: [],
  },
  set: {
    operation: 'futures/set-all-leverage',
    input: { productType: 'USDT-FUTURES', leverage: '5' },
    data: 'success',
  },
  keyed: {
    operation: 'futures/place-order',
    input: order,
    data: { orderId: '1', clientOid: 'ours-1' },
  },
  once: {
    operation: 'account/create-sub',
    input: { username: 'alpha' },
    data: { ...account, ...times },
  },
} as const satisfies Record<string, { operation: OperationName; input: object; data: unknown }>;

type Kind = keyof typeof kinds;
type Body = 'success' | 'refusal' | 'limit' | 'clock' | 'unclear' | 'none';

const statuses = [200, 201, 302, 400, 401, 403, 404, 408, 418, 429, 500, 502, 503, 504] as const;

/** The meaning of each body by itself. */
const bodies: readonly (readonly [string, Body, (kind: Kind) => Parameters<typeof answer>[0]])[] = [
  ['success', 'success', (kind) => ({ code: '00000', data: kinds[kind].data })],
  ['half a success', 'none', (kind) => halfOf({ code: '00000', data: kinds[kind].data })],
  ['40762', 'refusal', () => ({ code: '40762' })],
  ['40009', 'refusal', () => ({ code: '40009' })],
  ['429', 'limit', () => ({ code: '429' })],
  ['25004', 'limit', () => ({ code: '25004' })],
  ['half a 429', 'none', () => halfOf({ code: '429', data: null })],
  ['40008', 'clock', () => ({ code: '40008' })],
  ['45001', 'unclear', () => ({ code: '45001' })],
  ['40786', 'unclear', () => ({ code: '40786' })],
  ['99999', 'unclear', () => ({ code: '99999' })],
  ['a page', 'none', () => '<html>Slow down</html>'],
  ['nothing', 'none', () => ''],
  ['another JSON', 'none', () => '{"error":"rate limit"}'],
];

function halfOf(envelope: object): string {
  const whole = JSON.stringify({ ...envelope, msg: 'said', requestTime: 1_795_000_000_000 });
  return whole.slice(0, whole.length / 2);
}

type End = 'sent again' | 'done' | 'refused' | 'in doubt' | 'failed';

/** The rule, implemented again independently of the client. */
function expected(kind: Kind, status: number, body: Body, resend: boolean): End {
  const isGateway = status === 408 || status >= 500;
  const isRedirect = status === 302;
  if (body === 'success' && status < 300) return 'done';
  if (kind === 'read') {
    if (isRedirect) return 'failed';
    if (isGateway || status === 429) return 'sent again';
    if (body === 'none' && status === 401) return 'refused';
    return body === 'refusal' ? 'refused' : 'sent again';
  }
  const isBelieved = !isGateway && !isRedirect && (status !== 429 || body === 'limit');
  if (isBelieved && body === 'refusal') return 'refused';
  if (kind === 'set') return 'sent again';
  const isNotExecuted = body === 'limit' || body === 'clock';
  return resend && isBelieved && isNotExecuted ? 'sent again' : 'in doubt';
}

async function endOf(kind: Kind, first: WireResponse, resend: boolean): Promise<End> {
  const { operation, input, data } = kinds[kind];
  const { client, requests } = scripted((_, nth) => (nth === 1 ? first : success(data)));
  const options = { resend, timeoutMs: 60_000 };
  const end: unknown = await client
    .call<OperationName>(operation, input, options)
    .then(() => 'done')
    .catch((error: unknown) => error);
  if (requests.length > 1) return end === 'done' ? 'sent again' : 'failed';
  if (end === 'done') return 'done';
  if (end instanceof DoubtError) return 'in doubt';
  return end instanceof RefusedError ? 'refused' : 'failed';
}

const policies = [
  ['ask', false],
  ['resend', true],
] as const;

for (const [policy, resend] of policies) {
  test.each(['read', 'set', 'keyed', 'once'] as const)(`under ${policy}, a %s`, async (kind) => {
    const [told, meant]: [string[], string[]] = [[], []];
    for (const status of statuses) {
      for (const [name, body, contentOf] of bodies) {
        const end = await endOf(kind, answer(contentOf(kind), { status }), resend);
        told.push(`${status} ${name}: ${end}`);
        meant.push(`${status} ${name}: ${expected(kind, status, body, resend)}`);
      }
    }
    expect(told).toEqual(meant);
  });
}
