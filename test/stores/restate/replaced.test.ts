/** A worker notices that the service was replaced by a newer one, although it is connected. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { second, standingClock } from '../../../src/base/clock.ts';
import { serviceVersion } from '../../../src/stores/restate/objects/names.ts';
import { openRestateQueue } from '../../../src/stores/restate/queue.ts';

const worker = {
  name: 'one',
  host: 'desk-1',
  version: '0.1.0',
  format: 1,
  profiles: ['main'],
  slots: 1,
};

test('it takes nothing more within ten seconds, says what to do, and still reports', async () => {
  let version: number = serviceVersion;
  const server = createServer((request, response) => {
    const isAbout = request.url?.endsWith('/about') === true;
    request.resume();
    response.end(JSON.stringify(isAbout ? { version } : []));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const clock = standingClock(0);
  const lease = 60 * second;
  const queue = openRestateQueue({ url: `http://127.0.0.1:${port}`, lease, clock, env: {} });
  try {
    await queue.take(worker, lease);
    version += 1;
    await queue.take(worker, lease);
    clock.advance(10 * second);
    await expect(queue.take(worker, lease)).rejects.toMatchObject({
      message: expect.stringContaining(`is of a newer version: ${version}`),
      hint: 'install the version of deskhand that serves it, or a later one',
    });
    expect(await queue.beat(worker, lease)).toEqual([]);
  } finally {
    await queue.close();
    server.close();
  }
});
