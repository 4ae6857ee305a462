/** The server is killed between batches and during them: what it confirmed is there. */
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { seededRandom } from '../../src/base/random.ts';
import { StoreError } from '../../src/stores/store.ts';
import { batchOf, lease, requestOf, taken } from '../stores/shared/contract.ts';
import { preparedServer } from './world.ts';

test('confirmed lines survive kills of the server, and the holder continues', async () => {
  const server = await preparedServer();
  const runs = openPostgres({ url: server.url(), lease });
  const { holder } = await taken(runs, requestOf('killed'));
  const random = seededRandom(7);
  let confirmed = 0;
  const texts: string[] = [];
  let isOver = false;
  const storing = (async () => {
    while (!isOver) {
      const text = `line ${confirmed + 1}\n`;
      const stored = await runs.keep(holder, batchOf(confirmed, text)).catch(unreachable);
      expect(stored).not.toBe(false);
      if (stored === undefined) continue;
      confirmed += 1;
      texts.push(text);
    }
  })();
  for (let kill = 0; kill < 6; kill++) {
    await systemClock.sleep(random.integer(120));
    await server.kill();
    const known = confirmed;
    await server.start();
    const there = await runs.lines('killed', 0).catch(unreachable);
    expect(there?.count ?? known).toBeGreaterThanOrEqual(known);
    while (confirmed === known) await systemClock.sleep(1);
  }
  isOver = true;
  await storing;
  expect(await runs.lines('killed', 0)).toMatchObject({ count: confirmed, text: texts.join('') });
  await runs.close();
});

/** No answer is none: the same batch is stored again. @throws any other error */
async function unreachable(error: unknown): Promise<undefined> {
  if (!(error instanceof StoreError)) throw error;
  await systemClock.sleep(1);
  return undefined;
}
