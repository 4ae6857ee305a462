/** The exchange's clock, estimated from responses: a single outlier moves it neither forward nor back. */
import { describe, expect, test } from 'vitest';
import { hour, minute, second, standingClock } from '../../../src/base/clock.ts';
import { Anchor } from '../../../src/exchange/client/anchor.ts';
import { createClient } from '../../../src/exchange/client/client.ts';
import { seededRandom } from '../../../src/base/random.ts';
import type { Transport } from '../../../src/exchange/api/exchange.ts';
import { secrets, startOfTest, success } from '../../support/scripted.ts';

/** A response with this clock difference after this round-trip time. */
interface Told {
  readonly off?: number;
  readonly out?: number;
  readonly back?: number;
  readonly isBinding?: boolean;
}

function anchored(...answers: readonly Told[]) {
  const clock = standingClock(startOfTest);
  const anchor = new Anchor(clock);
  const watch = anchor.watch();
  for (const { off = 0, out = 0, back = 0, isBinding = false } of answers) {
    const sentAt = clock.monotonic();
    clock.advance(out);
    const requestTime = startOfTest + clock.monotonic() + off;
    clock.advance(back);
    anchor.learn(requestTime, { sentAt, receivedAt: clock.monotonic() }, isBinding);
  }
  const truth = startOfTest + clock.monotonic();
  const moment = clock.monotonic();
  return {
    off: (anchor.now() ?? 0) - truth,
    earliest: (watch.earliest(moment) ?? 0) - truth,
    dispute: watch.dispute(),
  };
}

const ahead = { off: 2 * minute };

describe('the time that requests are signed with', () => {
  test.each<[string, readonly Told[], number]>([
    ['the only answer', [{ off: 7 }], 7],
    ['true answers with one from the future last', [{}, {}, ahead], 0],
    ['true answers with one from the future first', [ahead, {}, {}], 0],
    ['one from the future, then a true one', [ahead, {}], 0],
    ['a true one, then one from the future', [{}, ahead], 0],
    ['one from the past between true ones', [{}, { off: -hour }, {}], 0],
    ['two that agree on a later time', [{}, ahead, ahead], ahead.off],
    ['a slow answer after a quick one', [{}, { back: 9 * second }], 0],
    ['a request slow on its way after a quick answer', [{}, { out: 9 * second }], 0],
    ['a refused timestamp alone', [{}, {}, {}, { ...ahead, isBinding: true }], ahead.off],
  ])('%s', (_, answers, off) => {
    expect(anchored(...answers).off).toBe(off);
  });
});

describe('the time that a lookup uses', () => {
  test.each<[string, readonly Told[], number, number]>([
    ['answers that agree', [{}, {}], 0, 0],
    ['one from the future', [{}, ahead, {}], 0, ahead.off],
    ['all but one from the future', [ahead, ahead, {}, ahead], 0, ahead.off],
    ['one from the past', [{}, { off: -hour }], -hour, hour],
    ['a slow answer', [{}, { back: 9 * second }], -9 * second, 0],
  ])('%s', (_, answers, earliest, dispute) => {
    expect(anchored(...answers)).toMatchObject({ earliest, dispute });
  });
});

describe('before a write that may be sent only once', () => {
  const order = {
    symbol: 'BTCUSDT',
    productType: 'USDT-FUTURES',
    marginMode: 'crossed',
    marginCoin: 'USDT',
    size: '0.01',
    side: 'buy',
    orderType: 'market',
    clientOid: 'ours-1',
  } as const;

  /** The operations of two orders, with something in between. */
  async function asked(between: 'nothing' | 'a minute' | 'sleep', resend: boolean) {
    const clock = standingClock(startOfTest);
    let slept = 0;
    const operations: string[] = [];
    const transport: Transport = async ({ operation, headers }) => {
      const now = Math.floor(startOfTest + clock.monotonic() + slept);
      const signedAt = headers['ACCESS-TIMESTAMP'];
      const late = signedAt === undefined ? '' : ` ${(now - Number(signedAt)) / second} s late`;
      operations.push(`${operation}${late}`);
      return success(operation === 'futures/place-order' ? { clientOid: 'ours-1' } : [], now);
    };
    const wall = { ...clock, now: () => clock.now() + slept };
    const random = seededRandom(1);
    const client = createClient({ transport, clock: wall, random, credentials: secrets });
    await client.call('futures/place-order', order, { resend });
    if (between === 'a minute') clock.advance(minute + 1);
    if (between === 'sleep') slept = hour;
    await client.call('futures/place-order', order, { resend });
    return operations;
  }

  const [time, placed] = ['market/list-discount-rates', 'futures/place-order 0 s late'];

  test('the time is read again after a minute without a response or a suspension', async () => {
    expect(await asked('nothing', false)).toEqual([time, placed, placed]);
    expect(await asked('a minute', false)).toEqual([time, placed, time, placed]);
    expect(await asked('sleep', false)).toEqual([time, placed, time, placed]);
  });

  test('the time is not read again if a refused timestamp is signed again', async () => {
    expect(await asked('a minute', true)).toEqual([time, placed, placed]);
  });
});
