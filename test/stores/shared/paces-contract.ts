/** What every implementation of SharedPaces must do. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { hour, second, systemClock, type Millis } from '../../../src/base/clock.ts';
import type { Limit } from '../../../src/exchange/api/operation.ts';
import { storedPace } from '../../../src/app/config/stored-pace.ts';
import { openPaces } from '../../../src/stores/databases.ts';
import type { DatabaseSettings } from '../../../src/stores/settings.ts';
import type { SharedPaces } from '../../../src/stores/shared/shared-paces.ts';
import { paceContract } from '../../exchange/client/pace-contract.ts';
import { busiest } from '../../support/pace.ts';
import { answerText, rawServer } from '../../support/raw-server.ts';

export interface PacesWorld {
  readonly url: string;
  close(): Promise<void>;
}

export const lease = 4 * second;
export const limit: Limit = { permits: 2, per: second / 5, of: 'ip' };
const permits = 20; // ticker requests per second
const clock = systemClock;

let count = 0;
export const newKey = (): string => `key ${++count}`;

/** Asks until it has a place. @returns how often it asked */
export async function untilTaken(
  paces: SharedPaces,
  key: string,
  id: string,
  of = limit,
): Promise<number> {
  for (let asked = 1; ; asked++) {
    const ms = await paces.take(key, of, id);
    if (ms === 0) return asked;
    await clock.sleep(ms + 1);
  }
}

export function sharedPacesContract(
  store: DatabaseSettings['store'],
  open: () => Promise<PacesWorld>,
): void {
  describe(`rate limits of machines: ${store}`, () => {
    let world: PacesWorld;
    let paces: SharedPaces;

    beforeAll(async () => {
      world = await open();
      paces = await openPaces(store, { url: world.url, lease });
    });
    afterAll(async () => {
      await paces.close();
      await world.close();
    });

    paceContract(store, {
      clock,
      open: async (of) => {
        const key = newKey();
        const warn = (message: string): never => {
          throw new Error(message);
        };
        return () => storedPace(paces, key, of, { clock, warn });
      },
    });

    test('a limit of which nothing is known begins as if it were used up', async () => {
      const since = clock.monotonic();
      await untilTaken(paces, newKey(), 'a');
      expect(clock.monotonic() - since).toBeGreaterThanOrEqual(limit.per);
    });

    test('a request that is repeated after a lost answer has one place', async () => {
      const key = newKey();
      await untilTaken(paces, key, 'a');
      expect(await paces.take(key, limit, 'a')).toBe(0);
      expect(await paces.take(key, limit, 'b')).toBe(0);
      expect(await paces.take(key, limit, 'c')).toBeGreaterThan(0);
    });

    test('requests get their places in the order in which they asked, and ask seldom', async () => {
      const key = newKey();
      const ids = Array.from({ length: 12 }, (_none, at) => `id ${at}`);
      for (const id of ids) await paces.take(key, limit, id);
      const order: string[] = [];
      const asked = await Promise.all(
        ids.map(async (id) => {
          const times = await untilTaken(paces, key, id);
          order.push(id);
          await paces.answered(key, id);
          return times;
        }),
      );
      const pairs = order.map((id, at) => Math.abs(ids.indexOf(id) - at));
      expect(Math.max(...pairs)).toBeLessThanOrEqual(1); // two places at the same time
      expect(asked.reduce((sum, times) => sum + times, 0)).toBeLessThan(6 * ids.length);
    });

    test('no place is given while the exchange has asked for a pause', async () => {
      const key = newKey();
      await untilTaken(paces, key, 'a');
      await paces.hold(key, minuteOfPause);
      await paces.hold(key, 1);
      const ms = await paces.take(key, limit, 'b');
      expect(ms).toBeGreaterThan(minuteOfPause - 10 * second);
      expect(ms).toBeLessThanOrEqual(minuteOfPause);
    });

    test('three processes with clocks an hour off stay within the limit by the server’s count', async () => {
      const arrivals: Millis[] = [];
      const envelope = '{"code":"00000","msg":"success","requestTime":1,"data":[]}';
      const exchange = await rawServer({
        onRequest: (socket) => {
          arrivals.push(clock.monotonic());
          socket.write(answerText(envelope));
        },
      });
      onTestFinished(async () => exchange.close());
      const child = join(import.meta.dirname, '..', '..', 'support', 'stored-pace-child.ts');
      const shifted = pathToFileURL(
        join(import.meta.dirname, '..', '..', 'support', 'shifted.mjs'),
      ).href;
      const words = ['--import', 'tsx', '--import', shifted, child, store];
      const args = [`http://127.0.0.1:${exchange.port}`, world.url, '40'];
      const run = promisify(execFile);
      await Promise.all(
        [-hour, 0, hour].map((ahead) =>
          run(process.execPath, [...words, ...args], {
            env: { ...process.env, CLOCK_AHEAD_MS: String(ahead) },
          }),
        ),
      );
      expect(arrivals).toHaveLength(120);
      expect(busiest(arrivals)).toBeLessThanOrEqual(permits);
    });
  });
}

const minuteOfPause = 60 * second;
