/** What every call of a run needs is made once for its account, and a record is made of its text. */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect, onTestFinished, test, vi } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { effectContexts, type RunEnvironment } from '../../../src/engine/effects/effect-context.ts';
import { accountOf } from '../../../src/engine/journal/account.ts';
import type { Destination, Event } from '../../../src/engine/journal/entry.ts';
import { encodeRecord } from '../../../src/engine/journal/record.ts';

const account = (profile: string): Destination => ({ profile, target: 'sandbox', host: 'x' });

test('the facts of a run are collected once for each account, and shared by its attempts', () => {
  const ledgers = [new Map(), new Map()] as const;
  const world = {
    account: { destination: account('main') },
    accounts: [{ destination: account('other'), ledger: ledgers[1] }],
    visibilities: { of: ({ profile }: Destination) => profile },
    ledger: ledgers[0],
    clock: standingClock(0),
    workspace: 'here',
  } as unknown as RunEnvironment;
  const contextFor = effectContexts(world);
  const attempt = { note: 1, noteLater: 2, signal: 3, before: 4 } as unknown as Parameters<
    typeof contextFor
  >[1];
  const [first, second, other] = ['main', 'main', 'other'].map((name) => contextFor(name, attempt));
  // What comes after a spread of this size takes longer than all else about a context.
  const own = ['before', 'record', 'recordLater', 'halt'];
  expect(Object.keys(first ?? {}).slice(0, own.length)).toEqual(own);
  expect(second?.searches).toBe(first?.searches);
  expect(other?.searches).not.toBe(first?.searches);
  expect([first?.ledger, other?.ledger]).toEqual(ledgers);
  expect(first).toMatchObject({ record: 1, recordLater: 2, halt: 3, before: 4, workspace: 'here' });
  expect([first?.visibility, other?.visibility]).toEqual(['main', 'other']);
  expect(other?.isOneOfMany).toBe(true);
});

test('the short name of an account is made once', () => {
  const hashed = vi.spyOn(crypto, 'hash');
  syncBuiltinESMExports(); // to those who import it by its name
  onTestFinished(() => {
    hashed.mockRestore();
    syncBuiltinESMExports();
  });
  const main = account('main');
  const name = accountOf(main);
  expect([accountOf(main), hashed.mock.calls.length]).toEqual([name, 1]);
  expect([accountOf(account('main')), hashed.mock.calls.length]).toEqual([name, 2]);
});

test('a record is the text of its entry, with its links at the end', () => {
  const event: Event = { kind: 'opened', step: 'deposit' };
  const prev = 'a'.repeat(16);
  const textOf = (group: number): string => {
    const { line } = encodeRecord(event, { seq: 7, at: 5, group, prev });
    return line.slice(line.indexOf('{'));
  };
  const entry = { seq: 7, at: 5, ...event };
  expect(textOf(6)).toBe(`${JSON.stringify({ ...entry, group: 6, prev })}\n`);
  expect(textOf(7)).toBe(`${JSON.stringify({ ...entry, prev })}\n`);
});
