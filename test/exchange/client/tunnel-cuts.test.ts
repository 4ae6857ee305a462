/**
 * Connections to a proxy that end after any byte: of the CONNECT exchange, of both handshakes, of a request.
 * `EVERY_BYTE=1` tries each byte with each ending, which is too much for every change.
 */
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TransportError, type Transport } from '../../../src/exchange/api/exchange.ts';
import { standingClock } from '../../../src/base/clock.ts';
import { proxyIn } from '../../../src/base/proxy.ts';
import { httpTransport } from '../../../src/exchange/client/transports/http.ts';
import { selfSigned } from '../../support/certificate.ts';
import {
  bookedExchange,
  cutLine,
  endings,
  order,
  type BookedExchange,
  type Cut,
  type CutLine,
} from '../../support/cut-line.ts';
import { connectProxy, type TestProxy } from '../../support/proxy.ts';
import { shareOf } from '../../support/share.ts';

const own = selfSigned('exchange.example');
const never = new AbortController().signal;

/** An exchange and a proxy for all cuts. */
interface Scene {
  readonly exchange: BookedExchange;
  readonly proxy: TestProxy;
}

const scenes = new Map<string, Scene>();
beforeAll(async () => {
  for (const scheme of ['http', 'https'] as const) {
    const exchange = await bookedExchange(own);
    const tls = scheme === 'https' ? { tls: own } : {};
    const proxy = await connectProxy({ to: exchange.port, login: 'ann:secret', ...tls });
    scenes.set(scheme, { exchange, proxy });
  }
});
afterAll(async () => {
  for (const { exchange, proxy } of scenes.values()) {
    await proxy.close();
    await exchange.close();
  }
});

type Scheme = 'http' | 'https';

/** A transport whose line to the proxy is cut. */
async function withLine<T>(
  scheme: Scheme,
  cut: Cut | undefined,
  act: (transport: Transport, line: CutLine & { arm(): void }, scene: Scene) => Promise<T>,
): Promise<T> {
  const scene = scenes.get(scheme);
  if (scene === undefined) throw new Error('no scene');
  let isArmed = false;
  const line = await cutLine(scene.proxy.port, cut, () => isArmed);
  const { transport, close } = httpTransport({
    baseUrl: 'https://exchange.example',
    ca: own.cert,
    proxy: proxyIn(`${scheme}://ann:secret@127.0.0.1:${line.port}`, 'HTTPS_PROXY'),
    clock: standingClock(0),
  });
  try {
    const arm = (): void => void (isArmed = true);
    return await act(transport, { ...line, arm }, scene);
  } finally {
    await close();
    scene.proxy.drop();
    await line.close();
    await scene.exchange.renew();
  }
}

type Outcome = 'answered' | 'maybe' | 'no';

async function outcomeOf(transport: Transport, name: string): Promise<Outcome> {
  try {
    await transport(order(name), never);
    return 'answered';
  } catch (error) {
    if (error instanceof TransportError) return error.sent;
    throw error;
  }
}

/** One cut: the outcome of the order must agree with the exchange's books. */
function judge(scheme: Scheme, cut: Cut, isWarm: boolean): Promise<Outcome> {
  return withLine(scheme, cut, async (transport, line, { exchange }) => {
    if (isWarm) await transport(order('first'), never);
    line.arm();
    const outcome = await outcomeOf(transport, 'second');
    const times = exchange.executed.filter((name) => name === 'second').length;
    const what = `${cut.from} ${cut.bytes} ${cut.ending.toString()}: ${outcome}`;
    expect(times, what).toBeLessThanOrEqual(1);
    if (outcome === 'answered') expect(times, what).toBe(1);
    if (outcome === 'no') expect(exchange.receivedMoreThan(['first']), what).toBe(false);
    // A response that arrived may have left the cut for the next order.
    if (outcome !== 'answered') expect(await outcomeOf(transport, 'third'), what).toBe('answered');
    return outcome;
  });
}

const isEvery = process.env['EVERY_BYTE'] !== undefined;

/** Cuts after these bytes: with one ending each, or with all of them. */
function cutsAt(from: Cut['from'], bytes: readonly number[]): readonly Cut[] {
  return bytes.flatMap((at, nth) =>
    endings
      .filter((_, which) => isEvery || which === nth % endings.length)
      .map((ending): Cut => ({ from, bytes: at, ending })),
  );
}

/** From `first` to `last`, each `step`-th; of these one in four in `npm test`. */
function bytesFrom(first: number, last: number, step = 1): readonly number[] {
  const by = isEvery ? 1 : shareOf(step, step * 4);
  const length = Math.max(0, Math.ceil((last - first) / by));
  return Array.from({ length }, (_, nth) => first + nth * by);
}

async function countsOf(
  cuts: readonly Cut[],
  ...how: [Scheme, boolean]
): Promise<Record<Outcome, number>> {
  const counts = { answered: 0, maybe: 0, no: 0 };
  for (const cut of cuts) counts[await judge(how[0], cut, how[1])] += 1;
  return counts;
}

/** Bytes of a connection until its first order was answered. */
function sizesOf(scheme: Scheme): Promise<CutLine['passed']> {
  return withLine(scheme, undefined, async (transport, line) => {
    await transport(order('second'), never);
    return { ...line.passed };
  });
}

/** Bytes of the CONNECT exchange, and at most of a request or a response in TLS. */
const connect = { client: 190, server: 60 };
const request = { client: 320, server: 140 };

describe('wherever a connection to an http:// proxy ends, an order is executed at most once, and known as it is', () => {
  test('during the CONNECT exchange, nothing was sent', async () => {
    for (const from of ['client', 'server'] as const) {
      const cuts = cutsAt(from, bytesFrom(0, from === 'client' ? 150 : 39));
      expect(await countsOf(cuts, 'http', false)).toEqual({
        answered: 0,
        maybe: 0,
        no: cuts.length,
      });
    }
  });

  test.each(['client', 'server'] as const)(
    'during the handshake and the first request, bytes of the %s',
    async (from) => {
      const whole = (await sizesOf('http'))[from];
      const handshake = bytesFrom(connect[from], whole - request[from], 31);
      const counts = await countsOf(
        cutsAt(from, [...handshake, ...bytesFrom(whole - request[from], whole)]),
        'http',
        false,
      );
      expect(counts.no).toBeGreaterThan(shareOf(10, 2));
      expect(counts.maybe).toBeGreaterThan(shareOf(50, 12));
    },
  );

  test.each(['client', 'server'] as const)(
    'during a request on a kept tunnel, bytes of the %s',
    async (from) => {
      const cuts = cutsAt(from, bytesFrom(0, request[from]));
      const counts = await countsOf(cuts, 'http', true);
      expect(counts.maybe).toBeGreaterThan(cuts.length / 2);
    },
  );
});

describe('the same to an https:// proxy', () => {
  test.each([
    ['client', false],
    ['server', false],
    ['client', true],
    ['server', true],
  ] as const)('bytes of the %s, on a kept tunnel: %s', async (from, isWarm) => {
    const whole = isWarm ? request[from] + 60 : (await sizesOf('https'))[from];
    const counts = await countsOf(
      cutsAt(from, bytesFrom(0, whole, isWarm ? 7 : 31)),
      'https',
      isWarm,
    );
    expect(counts.maybe).toBeGreaterThan(isWarm ? shareOf(5, 1) : 0);
    if (!isWarm) expect(counts.no).toBeGreaterThan(shareOf(20, 5));
  });
});
