/** Limits of the server that need no connection. */
import { describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { openTurns } from '../../../src/serve/server/actions/turns.ts';
import { attemptLimit } from '../../../src/serve/server/sign-in/attempts.ts';
import { openStreams, streamsOfSession } from '../../../src/serve/server/streams.ts';
import { teamSessions } from '../../../src/serve/server/team-sessions.ts';
import { served } from './desk.ts';

const none = (): void => undefined;

test('attempts are remembered for 10,000 addresses, and the oldest is forgotten', () => {
  const attempts = attemptLimit(standingClock(0));
  const last = (address: string): number => {
    let wait = 0;
    for (let n = 0; n < 21; n++) wait = attempts.wait(address);
    return wait;
  };
  expect(last('192.0.2.1')).toBe(3_000);
  for (let n = 0; n < 9_999; n++) attempts.wait(`10.0.${n >> 8}.${n & 255}`);
  expect(attempts.wait('192.0.2.1')).toBe(3_000);
  attempts.wait('10.9.9.9');
  expect(attempts.wait('192.0.2.1')).toBe(0);
});

test.each([
  ['2001:db8:0:1::1', '2001:0db8:0000:0001:ffff::', true],
  ['2001:db8::1', '2001:db8:0:0:5::', true],
  ['2001:db8:0:1::1', '2001:db8:0:2::1', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ['fe80::1%eth0', 'fe80::2%eth1', true],
  ['192.0.2.1', '192.0.2.2', false],
])('%s and %s are one client: %s', (a, b, isSame) => {
  const attempts = attemptLimit(standingClock(0));
  for (let n = 0; n < 20; n++) attempts.wait(a);
  expect(attempts.wait(b) > 0).toBe(isSame);
});

test('streams of all sessions have a limit, and a place is given back once', () => {
  const streams = openStreams(3);
  const leave = streams.enter('a', none);
  streams.enter('b', none);
  streams.enter('c', none);
  expect(() => streams.enter('d', none)).toThrow('too many pages are open');
  leave();
  leave();
  streams.enter('d', none);
  expect(() => streams.enter('e', none)).toThrow('too many pages are open');
});

test('a session cannot take the places of others', () => {
  const streams = openStreams();
  const ended: number[] = [];
  streams.enter('other', () => ended.push(-1));
  for (let n = 0; n < streamsOfSession + 2; n++) streams.enter('a', () => ended.push(n));
  expect(ended).toEqual([0, 1]);
});

test('at most a thousand sessions are kept', () => {
  const sessions = teamSessions({ idle: 10, expires: 10 }, standingClock(0));
  const begin = (n: number): string => sessions.begin({ who: `person ${n}`, role: 'viewer' });
  const first = begin(0);
  for (let n = 1; n < 1_000; n++) begin(n);
  expect(sessions.find(first)).toBeDefined();
  begin(1_000);
  expect(sessions.find(first)).toBeUndefined();
});

test('a person who signs in again and again ends only their own sessions', () => {
  const sessions = teamSessions({ idle: 10, expires: 10 }, standingClock(0));
  const ann = sessions.begin({ who: 'ann', role: 'approver' });
  const begin = (): string => sessions.begin({ who: 'eve', role: 'viewer' });
  const eve = Array.from({ length: 1_500 }, begin);
  expect(sessions.find(ann)).toBeDefined();
  expect(eve.filter((secret) => sessions.find(secret) !== undefined)).toEqual(eve.slice(-20));
});

describe('commands that answer a request', () => {
  test('run a few at once, those that wait in their order, and others are refused', async () => {
    const turns = openTurns(2, 2);
    const log: string[] = [];
    const ends = new Map<string, () => void>();
    const take = (name: string): Promise<void> =>
      turns.take(async () => {
        log.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const all = ['a', 'b', 'c', 'd'].map(take);
    await expect(take('e')).rejects.toMatchObject({ status: 503, code: 'busy' });
    expect(log).toEqual(['a', 'b']);
    ends.get('b')?.();
    await all[1];
    const late = take('f');
    ends.get('a')?.();
    await all[0];
    expect(log).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['c', 'd']) ends.get(name)?.();
    await Promise.all(all.slice(2));
    ends.get('f')?.();
    await late;
    expect(log.at(-1)).toBe('f');
  });

  test('give their place back when they fail', async () => {
    const turns = openTurns(1, 1);
    const failed = turns.take(() => Promise.reject(new Error('no')));
    const next = turns.take(() => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('done');
  });

  test('are those that compute a plan for its page', async () => {
    const it = await served({ command: ['none'] });
    const never = (): Promise<void> => new Promise(() => undefined);
    for (let n = 0; n < 54; n++) void it.server.actions.turns.take(never);
    expect((await it.get('/plans/p-00000000?desk=desk')).status).toBe(503);
  });
});
