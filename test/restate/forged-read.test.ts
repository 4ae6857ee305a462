/** What a run read is not believed by an approved resume when whoever writes to Restate wrote the record. */
import { test } from 'vitest';
import { expectReadAgain, inDatabase } from '../cli/forged-desk.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { preparedServer, type Prepared } from './world.ts';

const servers: Prepared[] = [];
afterEachTest(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

test('a price that the run read is read again, and a forged one sends nothing', async () => {
  const newAddress = async (): Promise<string> => {
    const prepared = await preparedServer();
    servers.push(prepared);
    return prepared.server.url;
  };
  await expectReadAgain('late.yaml', inDatabase('restate', newAddress));
});
