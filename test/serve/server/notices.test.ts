import process from 'node:process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openLatest, type Latest } from '../../../src/serve/server/latest.ts';
import {
  openNotices,
  type Notice,
  type Notices,
  type Numbered,
  type ServerEvent,
} from '../../../src/serve/server/notices.ts';
import { cookieName } from '../../../src/serve/server/protection.ts';
import { streamsOfSession } from '../../../src/serve/server/streams.ts';
import { doneRun } from '../../support/entries.ts';
import { continueRun, recordRun } from '../../support/recorded.ts';
import { port, served } from './desk.ts';

const of = (run: string, seq: number) => ({ kind: 'run', desk: 'desk', run, seq }) as const;

/** The next events of a reader. */
async function take(
  notices: Notices,
  lastSeen: string | undefined,
  count: number,
): Promise<ServerEvent<Notice>[]> {
  const ending = new AbortController();
  const found: ServerEvent<Notice>[] = [];
  for await (const event of notices.follow(lastSeen, ending.signal)) {
    found.push(event);
    if (found.length === count) break;
  }
  return found;
}

describe('a reader', () => {
  test('that is new reads everything, and then gets what changes', async () => {
    const notices = openNotices('e');
    notices.publish(of('r-1', 1));
    const ending = new AbortController();
    const events = notices.follow(undefined, ending.signal);
    expect((await events.next()).value).toEqual({ id: 'e.1', data: { kind: 'reset' } });
    const next = events.next();
    notices.publish(of('r-2', 1));
    expect((await next).value).toEqual({ id: 'e.2', data: of('r-2', 1) });
    ending.abort();
    expect((await events.next()).done).toBe(true);
  });

  test('that was away gets the last notice of each run that changed meanwhile', async () => {
    const notices = openNotices('e');
    for (const [run, seq] of [
      ['r-1', 1],
      ['r-2', 1],
      ['r-1', 2],
      ['r-3', 1],
    ] as const) {
      notices.publish(of(run, seq));
    }
    expect(await take(notices, 'e.1', 3)).toEqual([
      { id: 'e.2', data: of('r-2', 1) },
      { id: 'e.3', data: of('r-1', 2) },
      { id: 'e.4', data: of('r-3', 1) },
    ]);
  });

  test.each(['other.1', 'e.99', 'e.-1', 'e', 'nonsense', ''])(
    'whose last notice %j is of another server reads everything again',
    async (lastSeen) => {
      const notices = openNotices('e');
      notices.publish(of('r-1', 1));
      expect(await take(notices, lastSeen, 1)).toEqual([{ id: 'e.1', data: { kind: 'reset' } }]);
    },
  );

  test('whose last notice is forgotten reads everything again', async () => {
    const notices = openNotices('e');
    for (let run = 1; run <= 10_002; run++) notices.publish(of(`r-${run}`, 1));
    expect(await take(notices, 'e.1', 1)).toEqual([{ id: 'e.10002', data: { kind: 'reset' } }]);
    expect(await take(notices, 'e.10001', 1)).toEqual([{ id: 'e.10002', data: of('r-10002', 1) }]);
  });
});

/** Counts the notices that are visited. */
function counted(latest: Latest<Numbered>) {
  let visited = 0;
  return {
    visited: () => visited,
    latest: {
      ...latest,
      get size() {
        return latest.size;
      },
      *newestFirst() {
        for (const each of latest.newestFirst()) {
          visited += 1;
          yield each;
        }
      },
    },
  };
}

describe('beside 10,000 runs', () => {
  const many = () => {
    const { latest, visited } = counted(openLatest());
    const notices = openNotices('e', latest);
    for (let run = 1; run <= 10_000; run++) notices.publish(of(`r-${run}`, 1));
    return { notices, visited };
  };

  test('an event costs each reader that waits two visited notices, not one for each run', async () => {
    const { notices, visited } = many();
    const endings = Array.from({ length: 50 }, () => new AbortController());
    const readers = endings.map(({ signal }) => notices.follow('e.10000', signal));
    const next = readers.map((reader) => reader.next());
    await new Promise(setImmediate); // all wait
    const before = visited();
    notices.publish(of('r-5', 2));
    for (const event of await Promise.all(next)) expect(event.value?.data).toEqual(of('r-5', 2));
    expect(visited() - before).toBe(2 * readers.length);
    for (const ending of endings) ending.abort();
  });

  test('a reader that was away costs as many as changed meanwhile', async () => {
    const { notices, visited } = many();
    for (const run of ['r-7', 'r-8', 'r-7', 'r-9']) notices.publish(of(run, 2));
    const events = await take(notices, 'e.10000', 3);
    expect(events.map(({ id }) => id)).toEqual(['e.10002', 'e.10003', 'e.10004']);
    expect(visited()).toBeLessThanOrEqual(4);
  });
});

test('the last values of keys are kept in the order in which they were set', () => {
  const operation = fc.oneof(
    fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.constant('remove' as const),
  );
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
      const latest = openLatest<number>();
      let model: (readonly [string, number])[] = [];
      operations.forEach((each, at) => {
        if (each === 'remove') {
          expect(latest.removeOldest()).toBe(model[0]?.[1]);
          model = model.slice(1);
        } else {
          latest.set(each.key, at);
          model = [...model.filter(([key]) => key !== each.key), [each.key, at]];
        }
        expect([...latest.newestFirst()].toReversed()).toEqual(model.map(([, value]) => value));
        expect(latest.size).toBe(model.length);
      });
    }),
  );
});

/** Lines of a page: it reads what it does not have whenever a notice arrives. */
test('a page has every event once, although servers end and others begin while it reads', async () => {
  const first = await served();
  const { stateDir } = first;
  const entries = doneRun();
  const run = await recordRun(stateDir, entries.slice(0, 1));
  const lines: number[] = [];
  let lastSeen: string | undefined;
  let server = first;
  for (let at = 1; at < entries.length; at++) {
    await continueRun(stateDir, run, entries.slice(at, at + 1));
    if (at % 3 === 0) server = await served({ stateDir });
    await server.poll();
    const isAsleep = at % 4 === 0 && at < entries.length - 1;
    if (isAsleep) continue;
    const [event] = await take(server.server.notices, lastSeen, 1);
    lastSeen = event?.id;
    const response = await server.get(`/runs/${run}/events?after=${lines.at(-1) ?? 0}`);
    const { events } = (await response.json()) as { events: { seq: number }[] };
    lines.push(...events.map(({ seq }) => seq));
  }
  expect(lines).toEqual(entries.map(({ seq }) => seq));
});

test('the stream has ids, and continues after Last-Event-ID', async () => {
  const server = await served();
  await recordRun(server.stateDir, doneRun());
  const opened = await server.get('/events');
  expect(opened.headers.get('content-type')).toContain('text/event-stream');
  const [id = ''] = /^id: (.+)$/m.exec(await textUntil(opened, 'id: '))?.slice(1) ?? [];
  await server.poll();
  const again = await server.get('/events', { 'last-event-id': id });
  const text = await textUntil(again, 'id: ');
  expect(text).toContain('"run":"r-7k2m"');
  expect(text).not.toContain('reset');
  server.close();
});

/** What arrives until a text, and then leaves. */
async function textUntil(response: Response, wanted: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader !== undefined && !text.includes(wanted)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return text;
}

test('fifty open streams cause no warning of listeners, and all end with the server', async () => {
  const server = await served();
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on('warning', onWarning);
  const bodies: ReadableStream[] = [];
  for (let session = 0; session < 5; session++) {
    const secret = await server.links.exchange(server.links.link());
    const cookie = `${cookieName(port)}=${secret}`;
    for (let tab = 0; tab < streamsOfSession; tab++) {
      const { body } = await server.get('/events', { cookie });
      if (body !== null) bodies.push(body);
    }
  }
  expect(bodies).toHaveLength(50);
  await new Promise(setImmediate); // warnings are emitted later
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
  server.close();
  for (const body of bodies) await body.pipeTo(new WritableStream());
});
