/** The answer of a stream of events: what it allows caches, and what becomes of errors and sessions. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { record, text } from '../../../src/exchange/api/schema.ts';
import { noFields, streams } from '../../../src/serve/server/route.ts';
import type { ServerEvent } from '../../../src/serve/server/notices.ts';
import { served } from './desk.ts';

type Event = ServerEvent<{ readonly n: string }>;
const event = (n: number): Event => ({ id: `e.${n}`, data: { n: String(n) } });

/** A server with one stream. */
const streaming = (open: (signal: AbortSignal) => AsyncGenerator<Event>) =>
  served({
    table: {
      'GET /probe': streams({
        title: 'Stream',
        role: 'viewer',
        parameters: noFields,
        event: record({ n: text() }),
        open: (_request, _server, signal) => open(signal),
      }),
    },
  });

test('the answer is kept by no cache and no proxy, and no browser guesses its type', async () => {
  const it = await served();
  const { headers, body } = await it.get('/events');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-accel-buffering')).toBe('no');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-type')).toBe('text/event-stream');
  await body?.cancel();
});

test('an error of the events is reported once, and ends the stream after what came before', async () => {
  const broken = new Error('the disk is full');
  const it = await streaming(async function* () {
    yield event(1);
    throw broken;
  });
  const response = await it.get('/probe');
  expect(await response.text()).toBe('retry: 1000\n\ndata: {"n":"1"}\nid: e.1\n\n');
  expect(it.errors).toEqual([broken]);
});

test('an error at the end of the events is reported, although nobody reads them any more', async () => {
  const broken = new Error('the file cannot be closed');
  const it = await streaming(async function* (signal) {
    try {
      yield event(1);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    } finally {
      await Promise.reject(broken);
    }
  });
  const { body } = await it.get('/probe');
  const reader = body?.getReader();
  await reader?.read(); // the pause between two attempts
  await reader?.read();
  await reader?.cancel();
  await expect.poll(() => it.errors).toEqual([broken]);
});

test('a stream whose session has ended gets no further event', async () => {
  const it = await streaming(async function* () {
    for (let n = 1; ; n++) yield event(n);
  });
  const { body } = await it.get('/probe');
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  expect((await reader?.read())?.value).toContain('id: e.1');
  rmSync(join(it.stateDir, 'serve', 'sessions'), { recursive: true });
  expect((await reader?.read())?.done).toBe(true);
});
