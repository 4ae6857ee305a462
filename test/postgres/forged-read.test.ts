/** What a run read is not believed by an approved resume when whoever writes to the database wrote the record. */
import { test } from 'vitest';
import { expectReadAgain, inDatabase } from '../cli/forged-desk.ts';
import { login } from './server.ts';
import { preparedServer } from './world.ts';

test('a price that the run read is read again, and a forged one sends nothing', async () => {
  const server = await preparedServer();
  let count = 0;
  const newAddress = async (): Promise<string> => {
    const name = `place${++count}`;
    await server.sql(`create database ${name} template ${login.database} owner ${login.user}`);
    return server.url().replace(login.database, name);
  };
  await expectReadAgain('late.yaml', inDatabase('postgres', newAddress));
});
