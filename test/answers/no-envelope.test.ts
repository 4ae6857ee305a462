/** Gateways before the exchange, with the quirk `answers: real`: a read is repeated, a write is in doubt, nothing is sent twice. */
import { expect, onTestFinished, test } from 'vitest';
import { standingClock, type Millis } from '../../src/base/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { encode } from '../../src/exchange/api/wire.ts';
import { operationOf, type Input } from '../../src/exchange/api/operations/index.ts';
import { DoubtError, type Transport } from '../../src/exchange/api/exchange.ts';
import { createClient } from '../../src/exchange/client/client.ts';
import { httpTransport } from '../../src/exchange/client/transports/http.ts';
import {
  envelopeFaultOf,
  envelopeFaults,
  type EnvelopeFault,
} from '../../src/sandbox/gateway/no-envelope.ts';
import { openSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { startServer } from '../../src/sandbox/server.ts';
import { answerAs } from '../support/answer-forms.ts';
import {
  clientOf,
  live,
  openHarness,
  ordersPlaced,
  playbookFrom,
  type Harness,
} from '../support/harness.ts';
import { limitInput, limitOrder } from '../support/order.ts';

interface Note {
  readonly method: string;
  readonly fault?: string;
}

const notesOf = (sandbox: Sandbox): readonly Note[] => Object(sandbox.control('GET', 'requests'));

const faultsOf = (sandbox: Sandbox): ReadonlySet<string | undefined> =>
  new Set(notesOf(sandbox).flatMap(({ fault }) => fault ?? []));

async function openReal(seed: number): Promise<Harness> {
  const harness = await openHarness();
  const sandbox = await openSandbox({ clock: harness.clock, seed, limits: false });
  answerAs('real', sandbox);
  return { ...harness, sandbox };
}

test('a read is repeated after each of them, and none comes without the quirk', async () => {
  const on = await openReal(1);
  const read = async (times: number): Promise<void> => {
    for (let nth = 0; nth < times; nth++) {
      on.clock.advance(1);
      await clientOf(on).call('market/list-discount-rates', {});
    }
  };
  await read(900);
  expect(faultsOf(on.sandbox)).toEqual(new Set(envelopeFaults));
  answerAs('interface', on.sandbox);
  await read(1_000); // the log keeps as many
  expect(faultsOf(on.sandbox)).toEqual(new Set());
});

/** An order whose first request at this moment has this fault. */
function orderWith(fault: EnvelopeFault, at: Millis): Input<'futures/place-order'> {
  for (let nth = 1; ; nth++) {
    const order = limitInput({ price: (40_000 - nth / 10).toFixed(1) });
    const input = { ...order, clientOid: `name-${nth}` };
    const { method, path: target, body: text } = encode('futures/place-order', input);
    const found = envelopeFaultOf({ method, target, body: Buffer.from(text) }, { seed: 1, at });
    if (found === fault) return input;
  }
}

test.each(envelopeFaults)(
  'a write is sent once, in doubt unless its response was compressed, and stands only where it was executed: %s',
  async (fault) => {
    const on = await openReal(1);
    let sent = 0;
    const counting =
      (transport: Transport): Transport =>
      (request, signal) => {
        if (request.operation === 'futures/place-order') sent += 1;
        return transport(request, signal);
      };
    const exchange = clientOf(on, counting);
    await exchange.serverTime();
    const input = orderWith(fault, on.clock.now());
    const ended: unknown = await exchange
      .call('futures/place-order', input, { resend: true })
      .catch((error: unknown) => error);
    expect(sent).toBe(1);
    expect(notesOf(on.sandbox).at(-1)).toMatchObject({ method: 'POST', fault });
    const isClear = fault === 'packed';
    if (isClear) expect(ended).toMatchObject({ clientOid: input.clientOid });
    else expect(ended).toBeInstanceOf(DoubtError);
    const { uid } = on.sandbox.accounts.hedge;
    const { open } = Object(on.sandbox.control('GET', 'orders', { uid }));
    const names: readonly unknown[] = open.map((one: object) => Object(one).clientOid);
    expect(names.includes(input.clientOid)).toBe(isClear || fault === 'empty-200');
  },
);

const ladder = playbookFrom(`
playbook: 1
name: ladder
guards: { max-writes: 60 }
steps:
  - id: bids
    for-each: [${Array.from({ length: 30 }, (_none, rung) => 40_000 + rung * 10).join(', ')}]
    uses: futures/place-order
    with:${limitOrder({ price: '{{ each.value }}' })}
`);

test('a run looks up what is in doubt, and places each order once', async () => {
  let doubts = 0;
  for (let seed = 1; seed <= 6; seed++) {
    const on = await openReal(seed);
    const before = await ordersPlaced(on);
    const { status } = await live(on, ladder);
    expect(status, `world ${seed}`).toBe('done');
    doubts += notesOf(on.sandbox).filter(
      ({ method, fault }) => method === 'POST' && fault !== undefined && fault !== 'packed',
    ).length;
    const placed = [...(await ordersPlaced(on))].filter(([name]) => !before.has(name));
    expect(placed.map(([, times]) => times)).toEqual(Array.from({ length: 30 }, () => 1));
  }
  expect(doubts).toBeGreaterThan(0);
});

test('over HTTP a body is compressed although nobody asked for it, and read', async () => {
  const { method, path } = operationOf('market/list-discount-rates');
  const begun = Date.UTC(2026, 10, 20, 4);
  const request = { method, target: path, body: Buffer.of() };
  const isPacked = (at: Millis): boolean => envelopeFaultOf(request, { seed: 1, at }) === 'packed';
  let at = begun;
  while (!isPacked(at)) at += 1;
  const clock = standingClock(at);
  const sandbox = await openSandbox({ clock });
  answerAs('real', sandbox);
  const server = await startServer(sandbox, { port: 0 });
  const { transport, close } = httpTransport({ baseUrl: server.baseUrl });
  onTestFinished(async () => {
    await close();
    await server.close();
  });
  const exchange = createClient({ transport, clock, random: seededRandom(1) });
  expect(await exchange.call('market/list-discount-rates', {})).toHaveLength(6);
  expect(notesOf(sandbox)).toMatchObject([{ fault: 'packed', status: 200 }]);
  const { headers } = await fetch(`${server.baseUrl}${path}`);
  expect(headers.get('content-encoding')).toBe('gzip');
});

test('another run of the same orders, with other ids, meets the same of them', () => {
  const met = (id: string): readonly (EnvelopeFault | undefined)[] =>
    Array.from({ length: 1_000 }, (_none, nth) => {
      const order = { ...limitInput({ price: `${nth}` }), clientOid: `${id}-${nth}` };
      const body = Buffer.from(JSON.stringify(order));
      const request = { method: 'POST', target: '/api/v2/mix/order/place-order', body };
      return envelopeFaultOf(request, { seed: 1, at: 0 });
    });
  expect(met('a')).toEqual(met('b'));
  expect(new Set(met('a'))).toEqual(new Set([undefined, ...envelopeFaults]));
});
