/** Logins and TLS: what fails shows neither user nor password. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { second } from '../../src/base/clock.ts';
import { openPostgres } from '../../src/stores/postgres/runs.ts';
import { upgradePostgres } from '../../src/stores/postgres/upgrade.ts';
import { StoreError } from '../../src/stores/store.ts';
import { selfSigned } from '../support/certificate.ts';
import { login, startPostgres, type PostgresServer } from './server.ts';
import { freePort } from '../support/free-port.ts';

let server: PostgresServer;
let certificate: string;

beforeAll(async () => {
  const { key, cert } = selfSigned('database.example');
  server = await startPostgres({
    settings: ['ssl = on'],
    files: { 'server.key': key, 'server.crt': cert },
  });
  certificate = join(tmpdir(), 'root.crt');
  writeFileSync(certificate, cert);
  await upgradePostgres(server.url());
});

/** The error of a call, or undefined. */
async function failureAt(url: string): Promise<StoreError | undefined> {
  const runs = openPostgres({ url, lease: 6 * second });
  try {
    await runs.claims();
    return undefined;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error;
  } finally {
    await runs.close();
  }
}

test('errors show the address of the database, and nothing of the login', async () => {
  const { user, password, database } = login;
  const url = server.url();
  const address = `127.0.0.1:${server.port}/${database}`;
  const query = `?application_name=hidden-name`;
  const closed = await freePort();
  const cases = [
    [server.url({ password: 'wr0ng-p4ss', query }), `${address} refused the login`],
    [url.replace(`${user}:`, 'nobody-there:'), `${address} refused the login`],
    [url.replace(`/${database}`, '/missing'), '/missing does not exist'],
    [server.url({ port: closed, query }), `127.0.0.1:${closed}/${database} is not reachable`],
    [url.replace('127.0.0.1', 'host.invalid'), 'host name is unknown'],
    [server.url({ query: '?sslmode=verify-full' }), 'self-signed certificate'],
    [server.url({ query: '?sslmode=require&sslrootcert=/nowhere/x.crt' }), 'not readable'],
  ] as const;
  for (const [bad, message] of cases) {
    const error = await failureAt(bad);
    expect(error?.message).toContain(message);
    expect(error?.hint).toBeTruthy();
    const whole = inspect(error, { depth: 10, showHidden: true });
    for (const secret of [user, password, 'wr0ng', 'nobody-there', 'hidden-name']) {
      expect(whole).not.toMatch(new RegExp(`(?<![\\w/])${secret}(?!hand)`));
    }
  }
});

test('TLS is used and checked as sslmode says', async () => {
  const root = `&sslrootcert=${certificate}`;
  for (const query of ['?sslmode=disable', '?sslmode=require', `?sslmode=verify-ca${root}`]) {
    expect(await failureAt(server.url({ query })), query).toBeUndefined();
  }
  expect(await failureAt(server.url({ query: `?sslmode=verify-full${root}` }))).toBeUndefined();
  const strange = join(tmpdir(), 'other.crt');
  writeFileSync(strange, selfSigned('database.example').cert);
  const failed = await failureAt(
    server.url({ query: `?sslmode=verify-ca&sslrootcert=${strange}` }),
  );
  expect(failed?.message).toContain('no answer');
  await server.sql('alter system set ssl = off');
  await server.reload();
  expect((await failureAt(server.url({ query: '?sslmode=require' })))?.message).toContain('SSL');
});
