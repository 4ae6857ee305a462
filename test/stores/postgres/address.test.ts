/** URLs of databases, and errors of the driver, without a server. */
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/base/error.ts';
import { addressIn } from '../../../src/stores/postgres/address.ts';
import { failureOf, timeoutOf } from '../../../src/stores/postgres/failure.ts';
import { StoreError } from '../../../src/stores/store.ts';

const url = 'postgres://trader:s3cret%2Fpass@db.example:6543/desk?sslmode=verify-full';
const address = addressIn(url);

describe('the URL of a database', () => {
  test('shows host, port and database', () => {
    expect(address.shown).toBe('db.example:6543/desk');
    expect(addressIn('postgresql://db.example/desk').shown).toBe('db.example:5432/desk');
    expect(addressIn('postgres:///desk?host=/run/pg').shown).toBe('/run/pg:5432/desk');
  });

  test('is refused without showing it when it is not one of Postgres', () => {
    for (const text of ['', 'db.example', 'mysql://trader:s3cret@db/desk', 'postgres//s3cret@db']) {
      expect(() => addressIn(text)).toThrow(ConfigError);
      expect(() => addressIn(text)).toThrow(/^the URL of the database is not valid$/);
    }
  });

  test('is refused with an sslmode that may silently send everything in clear text', () => {
    for (const mode of ['prefer', 'allow', 'verify_full', '']) {
      expect(() => addressIn(`postgres://db/desk?sslmode=${mode}`)).toThrow(/unsupported sslmode/);
    }
    expect(() => addressIn('postgres://db/desk?sslmode=verify-ca')).toThrow(/needs sslrootcert/);
  });
});

describe('an error of the driver', () => {
  const errorOf = (message: string, more: object = {}): Error =>
    Object.assign(new Error(message), more);

  test('is a StoreError with a hint, without user, password and cause', () => {
    for (const error of [
      errorOf('password authentication failed for user "trader"', { code: '28P01' }),
      errorOf('no pg_hba.conf entry for host "1.2.3.4", user "trader"', { code: '28000' }),
      errorOf('role "trader" is not permitted', { code: '42939' }),
      errorOf('cannot connect with trader and s3cret/pass'),
      errorOf('invalid url', { input: url }),
    ]) {
      const failure = failureOf(error, address);
      expect(failure).toBeInstanceOf(StoreError);
      expect(failure.message).toContain('db.example:6543/desk');
      expect(`${failure.message} ${failure.hint}`).not.toMatch(/trader|s3cret/);
      expect(failure.cause).toBeUndefined();
      expect(failure.hint).not.toBe('');
    }
  });

  test('names what is wrong with the database', () => {
    const messages = {
      ECONNREFUSED: 'is not reachable',
      '57P01': 'closed the connection',
      '57P03': 'is starting or stopping',
      '25006': 'is a standby',
      '40001': 'cancelled a statement',
      '42501': 'refused access',
      '53300': 'too many connections',
      XX001: 'reported an error: broken (XX001)',
    };
    for (const [code, message] of Object.entries(messages)) {
      expect(failureOf(errorOf('broken', { code }), address).message).toContain(message);
    }
    expect(timeoutOf(2_000, address).message).toContain('no answer within 2.0 s');
  });

  test('is passed on when it is a StoreError already', () => {
    const error = new StoreError('the package "pg" is not installed', 'npm install pg');
    expect(failureOf(error, address)).toBe(error);
  });
});
