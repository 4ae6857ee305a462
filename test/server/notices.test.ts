import { describe, expect, test } from 'vitest';
import {
  openNotices,
  type Notice,
  type Notices,
  type ServerEvent,
} from '../../src/server/notices.ts';
import { doneRun } from '../support/entries.ts';
import { continueRun, recordRun } from '../support/recorded.ts';
import { served } from './desk.ts';

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
