/** Invocations that follow a process: what is stored when one side of its connection disappears. */
import { expect, test } from 'vitest';
import { hour, systemClock } from '../../src/base/clock.ts';
import { keyOf, runObject } from '../../src/stores/restate/objects/names.ts';
import {
  rowName,
  type RunState,
  type StoredRow,
} from '../../src/stores/restate/objects/run-state.ts';
import { batchOf, requestOf, resumeOf, taken } from '../stores/shared/contract.ts';
import { interrupted, queried, replaceValues, valuesOf } from './forget.ts';
import {
  keepFollowed,
  keepLines,
  lease,
  lines,
  place,
  placeBehind,
  type Place,
} from './stream-world.ts';
import type { RestateServer } from './server.ts';
import { movedClock } from './world.ts';

test('each line is stored once, in order, while the server and processes of the service end in the middle', async () => {
  const there = await place();
  const [one, two] = [there.connect(), there.connect()];
  const { holder } = await taken(one, requestOf('r-1', { lease }));
  let isOver = false;
  const storing = keepLines(one, holder, { to: 400 }).finally(() => (isOver = true));
  let seen = 0;
  for (let replaced = 0; !isOver; replaced++) {
    await systemClock.sleep(150);
    const read = await two.lines('r-1', 0);
    expect(read?.text).toBe(lines(read?.count ?? 0));
    expect(read?.count).toBeGreaterThanOrEqual(seen);
    seen = read?.count ?? 0;
    if (replaced === 2) {
      await there.server.kill();
      await there.server.begin();
      await there.server.answers();
    } else if (replaced < 5) await there.replaceService();
  }
  await storing;
  expect(await two.lines('r-1', 0)).toMatchObject({ count: 400, text: lines(400) });
  // It lives, and has not lost the rest of its lease with its connections.
  expect((await two.take(resumeOf('r-1', { lease }))).kind).toBe('running');
});

test('of a process that disappears a quarter of the lease is left, of one that is silent all of it', async () => {
  const clock = movedClock();
  const there = await place(clock);
  const two = there.connect();
  const left = async (run: string): Promise<number> => (await two.claims(run))[0]?.left ?? NaN;
  const long = { lease: hour }; // longer than this test
  for (const run of ['r-gone', 'r-silent']) {
    const one = there.connect();
    const { holder } = await taken(one, requestOf(run, long));
    const count = await keepFollowed(there, one, holder);
    if (run === 'r-gone') {
      await one.close();
      while ((await left(run)) > hour / 4) await systemClock.sleep(20);
      expect((await two.take(resumeOf(run, long))).kind).toBe('running');
      clock.advance(hour / 4);
      const again = await taken(two, resumeOf(run, long));
      expect(again.before?.host).toBe('desk-1');
      expect(await two.lines(run, 0)).toMatchObject({ count, text: lines(count) });
    }
  }
  expect(await left('r-silent')).toBeGreaterThan(hour / 2);
});

test('a process that is followed stores nothing once another has taken its run', async () => {
  const there = await place();
  const [one, two] = [there.connect(), there.connect()];
  const { holder } = await taken(one, requestOf('r-1', { lease }));
  const count = await keepFollowed(there, one, holder);
  expect(await two.unlock('r-1', 'nonce of r-1', false)).toBe(true);
  const { holder: next } = await taken(two, resumeOf('r-1', { lease }));
  expect(await one.keep(holder, batchOf(count, 'late\n'))).toBe(false);
  await keepLines(two, next, { from: count, to: count + 3 });
  expect(await one.keep(holder, batchOf(count + 3, 'late\n'))).toBe(false);
  expect(await one.renew(holder)).toBe(false);
  expect(await two.lines('r-1', 0)).toMatchObject({ text: lines(count + 3) });
});

test('a batch is not reported as stored while the server is suspended', async () => {
  const there = await place();
  const one = there.connect();
  const { holder } = await taken(one, requestOf('r-1', { lease }));
  const count = await keepFollowed(there, one, holder);
  const proceed = await there.server.suspend();
  const answer = one.keep(holder, batchOf(count, `${count}\n`)).catch(() => undefined);
  expect(await answer).toBe(undefined);
  proceed();
  await keepLines(one, holder, { from: count, to: count + 3 });
  expect(await one.lines('r-1', 0)).toMatchObject({ text: lines(count + 3) });
});

test('a connection that swallows what is sent costs time, and its late messages store nothing', async () => {
  const there = await placeBehind();
  const [one, two] = [there.connect(), there.connect()];
  const { holder } = await taken(one, requestOf('r-1', { lease }));
  const count = await keepFollowed(there, one, holder);
  there.relay.cut();
  await keepLines(one, holder, { from: count, to: count + 3 });
  expect(there.relay.hasSwallowed).toBe(true);
  expect(await two.lines('r-1', 0)).toMatchObject({ text: lines(count + 3) });
  expect(await two.unlock('r-1', 'nonce of r-1', false)).toBe(true);
  const { holder: next } = await taken(two, resumeOf('r-1', { lease }));
  there.relay.deliver();
  await keepLines(two, next, { from: count + 3, to: count + 6 });
  expect(await one.keep(holder, batchOf(count + 6, 'late\n'))).toBe(false);
  expect(await two.lines('r-1', 0)).toMatchObject({ text: lines(count + 6) });
});

/** Id of the call that follows a process. */
async function invocationOf(server: RestateServer): Promise<string> {
  const [row] = await queried(
    server,
    `select id from sys_invocation where target_service_name = '${runObject}' and target_handler_name = 'keep'`,
  );
  return row?.['id'] ?? '';
}

test('a call that a person cancels has stored what it reported, and the run continues', async () => {
  const there = await place();
  const [one, two] = [there.connect(), there.connect()];
  const { holder } = await taken(one, requestOf('r-1', { lease }));
  const count = await keepFollowed(there, one, holder);
  const url = `${there.server.admin}/invocations/${await invocationOf(there.server)}/cancel`;
  expect((await fetch(url, { method: 'PATCH' })).status).toBe(202);
  await keepLines(one, holder, { from: count, to: count + 3 });
  expect(await two.lines('r-1', 0)).toMatchObject({ text: lines(count + 3) });
  await one.release(holder);
  expect((await two.changed()).runs).toMatchObject([{ run: 'r-1', lines: count + 3 }]);
});

/** Ends the call that follows a process. */
async function kill({ server }: Place): Promise<void> {
  const url = `${server.admin}/invocations/${await invocationOf(server)}/kill`;
  expect((await fetch(url, { method: 'PATCH' })).status).toBe(200);
}

test.each([true, false])(
  'a call that a person kills leaves no doubt once its process has stored more (connected: %s)',
  async (isConnected) => {
    const there = await placeBehind();
    const [one, two] = [there.connect(), there.connect()];
    const { holder } = await taken(one, requestOf('r-1', { lease }));
    const count = await keepFollowed(there, one, holder);
    await kill(there);
    if (!isConnected) there.relay.cut();
    await keepLines(one, holder, { from: count, to: count + 3 });
    expect(await two.lines('r-1', 0)).toMatchObject({ text: lines(count + 3) });
    expect(await two.unlock('r-1', 'nonce of r-1', false)).toBe(true);
    const { before } = await taken(two, resumeOf('r-1', { lease }));
    expect(before).toEqual({ host: 'desk-1', since: expect.any(Number) });
  },
);

test('a run whose last call was killed may lack lines, until it is released', async () => {
  const there = await place();
  const [one, two] = [there.connect(), there.connect()];
  const { holder } = await taken(one, requestOf('r-1', { lease }));
  const count = await keepFollowed(there, one, holder);
  await kill(there);
  // What is lost if the server ends the call before the last row has arrived.
  const key = keyOf('desk', 'r-1');
  const values = await valuesOf(there.server, key);
  const last = [...values].find(
    ([name, value]) => name.startsWith('tail ') && value.includes(`"first":${count},`),
  );
  values.delete(last?.[0] ?? '');
  await replaceValues(there.server, key, values);
  expect(await two.lines('r-1', 0)).toMatchObject({ text: lines(count - 1) });
  expect(await one.keep(holder, batchOf(count, 'late\n'))).toBe(false);
  expect(await two.unlock('r-1', 'nonce of r-1', false)).toBe(true);
  const second = resumeOf('r-1', { lease });
  expect((await taken(two, second)).before).toMatchObject({ isIncomplete: true });
  expect(await two.unlock('r-1', second.nonce, false)).toBe(true);
  const again = await taken(two, second);
  expect(again.before).toMatchObject({ isIncomplete: true });
  await keepLines(two, again.holder, { from: count - 1, to: count + 1 });
  expect(await two.release(again.holder)).toBe(true);
  const { before, holder: next } = await taken(two, second);
  expect(before).toBeUndefined();
  await keepLines(two, next, { from: count + 1, to: count + 2 });
  expect(await two.unlock('r-1', second.nonce, false)).toBe(true);
  const { isIncomplete } = (await taken(two, second)).before ?? {};
  expect(isIncomplete).toBeUndefined();
});

test('a release after a killed call does not say that all lines are there', async () => {
  const there = await place();
  const one = there.connect();
  const { holder } = await taken(one, requestOf('r-1', { lease }));
  await keepFollowed(there, one, holder);
  await kill(there);
  // Only a batch shows that its process misses no line.
  expect(await one.renew(holder)).toBe(true);
  await interrupted(there.server, keyOf('desk', 'r-1'));
  expect(await one.release(holder)).toBe(true);
  expect(await one.release(holder)).toBe(true);
  const { before } = await taken(one, resumeOf('r-1', { lease }));
  expect(before).toMatchObject({ isIncomplete: true });
});

test('rows of another epoch, or of an incomplete batch, are not lines of the run', async () => {
  const there = await place();
  const [one, two] = [there.connect(), there.connect()];
  const { holder } = await taken(one, requestOf('r-1', { lease }));
  const count = await keepFollowed(there, one, holder);
  const key = keyOf('desk', 'r-1');
  await interrupted(there.server, key);
  const values = await valuesOf(there.server, key);
  const { tailRows, epoch: own } = JSON.parse(values.get('state') ?? '') as RunState;
  const row = { first: count + 1, last: count + 1, text: 'other\n' };
  const withRow = (more: Partial<StoredRow>): Map<string, string> =>
    new Map(values).set(rowName(tailRows), JSON.stringify({ ...row, ...more }));
  const { link } = batchOf(count, 'other\n');
  await replaceValues(there.server, key, withRow({ epoch: own, link }));
  expect((await two.lines('r-1', 0))?.count).toBe(count + 1);
  for (const more of [{ epoch: own - 1, link }, { epoch: own }]) {
    await replaceValues(there.server, key, withRow(more));
    expect(await two.lines('r-1', 0)).toMatchObject({ count, text: lines(count) });
  }
  await keepLines(one, holder, { from: count, to: count + 3 });
  expect(await two.lines('r-1', 0)).toMatchObject({ text: lines(count + 3) });
});

test('a run that version 1 of the service has stored is read, and continues', async () => {
  const there = await place();
  const [one, two] = [there.connect(), there.connect()];
  const { holder } = await taken(one, requestOf('r-1', { lease }));
  await keepLines(one, holder, { to: 1 });
  const key = keyOf('desk', 'r-1');
  await interrupted(there.server, key);
  const values = await valuesOf(there.server, key);
  const { tailRows, tailCharacters, ...state } = JSON.parse(values.get('state') ?? '') as Record<
    string,
    unknown
  >;
  expect([tailRows, tailCharacters]).toEqual([1, 2]);
  const { link } = batchOf(4, '4\n');
  const earlier = { ...state, lines: 5, link, last: null, tailSize: 10 };
  values.delete('tail 0');
  values.set('row 1', JSON.stringify({ first: 1, last: 2, text: '0\n1\n' }));
  values.set('row 3', JSON.stringify({ first: 3, last: 5, text: '2\n3\n4\n' }));
  values.set('state', JSON.stringify(earlier));
  await replaceValues(there.server, key, values);
  expect(await two.lines('r-1', 0)).toMatchObject({ count: 5, text: lines(5) });
  await keepLines(one, holder, { from: 5, to: 9 });
  expect(await two.lines('r-1', 0)).toMatchObject({ count: 9, text: lines(9) });
});
