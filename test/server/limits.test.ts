/** Limits of the server that need no connection. */
import { expect, test } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import { attemptLimit } from '../../src/server/sign-in/attempts.ts';
import { openStreams, streamsOfSession } from '../../src/server/streams.ts';
import { teamSessions } from '../../src/server/team-sessions.ts';

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
  const begin = (): string => sessions.begin({ who: 'ann', role: 'viewer' });
  const first = begin();
  for (let n = 0; n < 999; n++) begin();
  expect(sessions.find(first)).toBeDefined();
  begin();
  expect(sessions.find(first)).toBeUndefined();
});
