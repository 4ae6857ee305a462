/** Traces: made from journals, the same from every machine, and never a reason for a run to fail. */
import { afterEach, describe, expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { Entry } from '../../../src/engine/journal/entry.ts';
import { traceExporter, type ExporterOptions } from '../../../src/report/telemetry/exporter.ts';
import { traceSettingsIn, wantsTraces } from '../../../src/report/telemetry/settings.ts';
import type { Span } from '../../../src/report/telemetry/span.ts';
import { spansOf } from '../../../src/report/telemetry/spans.ts';
import { done, tape } from '../../support/tape.ts';
import { live, orderInput, started } from '../../support/desk-setup.ts';
import { doneRun, doubtRun, killedRun, resumedRun, stoppedRun } from '../../support/entries.ts';
import { openCollector, type Collector } from './collector.ts';

const collectors: Collector[] = [];
afterEach(() => {
  for (const collector of collectors.splice(0)) collector.close();
});

async function collecting(statuses?: (number | undefined)[]): Promise<Collector> {
  const collector = await openCollector(statuses);
  collectors.push(collector);
  return collector;
}

function exporterTo(url: string, options: Partial<ExporterOptions> = {}) {
  const lost: string[] = [];
  const settings = traceSettingsIn({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  const exporter = traceExporter({
    ...settings,
    version: '1.2.3',
    clock: standingClock(0),
    secrets: [],
    onLost: (message) => lost.push(message),
    ...options,
  });
  return { exporter, lost };
}

describe('the spans of a run', () => {
  test.each([
    ['done', doneRun()],
    ['stopped', stoppedRun()],
    ['in doubt', doubtRun()],
    ['killed', killedRun()],
    ['resumed', resumedRun()],
  ])('that is %s are valid, and form one tree', async (_name, entries) => {
    const collector = await collecting();
    const { exporter, lost } = exporterTo(collector.url);
    exporter.add(entries);
    await exporter.idle();
    expect([collector.problems, lost]).toEqual([[], []]);
    const { spans } = collector;
    expect(spans.length).toBeGreaterThan(3);
    const ids = new Set(spans.map(({ spanId }) => spanId));
    expect(ids.size).toBe(spans.length);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    const roots = spans.filter(({ parentSpanId }) => !ids.has(parentSpanId ?? ''));
    expect(roots.length).toBe(1);
    expect(collector.resources[0]).toEqual({
      'service.name': 'deskhand',
      'service.version': '1.2.3',
    });
  });

  test('have a span for each request, with the waits before it', () => {
    const run = tape()
      .add(started('r-1', live))
      .add({ kind: 'opened', step: 'ladder', items: ['1', '2'] });
    const action = { operation: 'futures/place-order', input: orderInput('1') } as const;
    const waitedAt = run.entries.at(-1)?.at ?? 0;
    run.add({
      kind: 'waited',
      address: 'ladder[1]',
      operation: action.operation,
      why: 'limit',
      ms: 400,
    });
    run.wait(400).send({ ...action, address: 'ladder[1]', outcome: done(null), ms: 100 });
    run.send({
      ...action,
      address: 'ladder[2]',
      outcome: { kind: 'refused', code: '43012', message: 'no', exit: 1 },
      code: '43012',
      status: 400,
    });
    run.add({ kind: 'closed', step: 'ladder', status: 'refused', because: 'funds' });
    run.add({ kind: 'finished', status: 'stopped', exit: 1, outputs: null });
    const [root, step, first, second, ...others] = spansOf(run.entries);
    expect(others).toEqual([]);
    expect(root).toMatchObject({ name: 'run desk-setup', error: 'stopped' });
    expect(step).toMatchObject({
      name: 'step ladder',
      parentSpanId: root?.spanId,
      error: 'funds',
      events: [],
    });
    expect(first).toMatchObject({
      name: 'POST /api/v2/mix/order/place-order',
      kind: 'client',
      parentSpanId: step?.spanId,
      from: waitedAt + 400,
      to: waitedAt + 500,
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'deskhand.operation': 'futures/place-order',
        'deskhand.address': 'ladder[1]',
      },
      events: [{ name: 'rate limit wait', at: waitedAt, attributes: { 'deskhand.wait_ms': 400 } }],
    });
    expect(first).not.toHaveProperty('error');
    expect(second).toMatchObject({
      attributes: { 'error.type': '43012', 'http.response.status_code': 400 },
      error: 'the exchange responded with 43012',
      events: [],
    });
  });

  test('show a request without a response, and what was sent again', () => {
    const { entries } = tape().add(started('r-1', live)).add({ kind: 'opened', step: 'one' });
    const run = tape(entries);
    const intent = {
      kind: 'intended',
      address: 'one',
      operation: 'futures/place-order',
      input: {},
      identity: 'i',
      signedAt: 1,
    } as const;
    run.add({ ...intent, attempt: 1 }).wait(30_000);
    run.add({ kind: 'waited', address: 'one', operation: intent.operation, why: 'retry', ms: 500 });
    run.wait(500).send({ ...intent, outcome: done(null) });
    const requests = spansOf(run.entries).filter(({ kind }) => kind === 'client');
    expect(requests.map(({ attributes }) => attributes['error.type'])).toEqual([
      'no_response',
      undefined,
    ]);
    expect(requests[1]?.attributes['http.request.resend_count']).toBe(1);
  });

  test('of a nested playbook are below the step that uses it', () => {
    const run = tape()
      .add(started('r-1', live))
      .add({ kind: 'opened', step: 'desks', items: ['a/b'] });
    run.add({ kind: 'opened', step: 'desks[a/b]/ladder' });
    run.read('desks[a/b]/ladder', 'order/list-open', {});
    const [, outer, inner, request] = spansOf(run.entries);
    expect(inner?.parentSpanId).toBe(outer?.spanId);
    expect(request?.parentSpanId).toBe(inner?.spanId);
  });

  test('have no account key and no input', () => {
    const all = JSON.stringify([doneRun(), doubtRun(), resumedRun()].flatMap(spansOf));
    expect(all).not.toMatch(/ingerprint|accountId|signature|marginCoin/);
    for (const entry of doneRun()) {
      if (entry.kind !== 'started') continue;
      const { keyFingerprint = 'never', accountId = 'never' } = entry.destination;
      expect(all).not.toContain(keyFingerprint);
      expect(all).not.toContain(accountId);
    }
  });
});

describe('a resumed run', () => {
  const entries = resumedRun();
  const cut = entries.findIndex(({ kind }) => kind === 'resumed');
  const idsOf = (spans: readonly Span[]): Set<string> => new Set(spans.map(({ spanId }) => spanId));

  test('continues the trace, and sends no span twice', () => {
    const ended: Entry[] = [
      ...entries.slice(0, cut).filter(({ kind }) => kind !== 'finished'),
      { kind: 'finished', status: 'interrupted', exit: 130, outputs: null, seq: 900, at: 1 },
    ];
    const before = spansOf(ended);
    const after = spansOf([...ended, ...entries.slice(cut)]);
    expect(after[0]).toMatchObject({
      traceId: before[0]?.traceId,
      parentSpanId: before[0]?.spanId,
      name: 'resume desk-setup',
    });
    expect([...idsOf(after)].filter((id) => idsOf(before).has(id))).toEqual([]);
  });

  test('sends the spans of an attempt that crashed', () => {
    const crashed = entries.filter(({ kind, seq }) => kind !== 'finished' || seq > cut);
    const names = spansOf(crashed).map(({ name }) => name);
    expect(names.filter((name) => name.endsWith(' desk-setup'))).toEqual([
      'run desk-setup',
      'resume desk-setup',
    ]);
  });
});

describe('the exporter', () => {
  test('sends many spans in batches, and tries again once when the collector is busy', async () => {
    const collector = await collecting([503]);
    const { exporter, lost } = exporterTo(collector.url);
    for (let run = 0; run < 60; run++) exporter.add(doneRun());
    await exporter.idle();
    const total = 60 * spansOf(doneRun()).length;
    expect([lost, collector.problems, collector.spans.length]).toEqual([[], [], total]);
    const first = spansOf(doneRun()).length; // is sent while the others are queued
    expect(collector.requests.length).toBe(2 + Math.ceil((total - first) / 512));
    expect(collector.requests[0]?.path).toBe('/v1/traces');
  });

  test.each([
    ['refuses it', [400], 'the collector responded with 400'],
    ['is busy twice', [503, 429], 'the collector responded with 429'],
    ['never responds', [undefined], 'no response in time'],
  ])('gives up a collector that %s, with everything queued', async (_name, statuses, why) => {
    const collector = await collecting(statuses);
    const { exporter, lost } = exporterTo(
      collector.url,
      statuses[0] === undefined ? { timeoutMs: 50 } : {},
    );
    const batches = Math.ceil(600 / spansOf(doneRun()).length);
    for (let run = 0; run < batches; run++) exporter.add(doneRun());
    await exporter.idle();
    const total = batches * spansOf(doneRun()).length;
    expect(lost).toEqual([`${total} spans of traces not sent: ${why}`]);
    expect(collector.spans).toEqual([]);
  });

  test('masks secrets', async () => {
    const collector = await collecting();
    const { exporter } = exporterTo(collector.url, { secrets: [new Secret('desk-setup')] });
    exporter.add(doneRun());
    await exporter.idle();
    expect(collector.problems).toEqual([]);
    expect(collector.requests[0]?.body).not.toContain('desk-setup');
  });

  test('keeps a bounded queue', async () => {
    const collector = await collecting();
    const { exporter, lost } = exporterTo(collector.url, { queueMax: 5 });
    const size = spansOf(doneRun()).length;
    for (let run = 0; run < 3; run++) exporter.add(doneRun());
    await exporter.idle();
    // The first five are being sent when the others are queued.
    const left = [size - 5, size - 5, size];
    expect(lost).toEqual(
      left.map((spans) => `${spans} spans of traces not sent: the queue is full`),
    );
    expect(collector.spans.length).toBe(10);
  });
});

test('a run with many requests has the first of them, and their number', () => {
  const run = tape().add(started('r-1', live));
  const { entries } = run.read('one', 'order/list-open', {});
  const [first, answer] = entries;
  if (first === undefined || answer === undefined) throw new Error('nothing was read');
  const many = Array.from({ length: 20_010 }, (_, at): Entry => ({ ...answer, seq: at + 2 }));
  const spans = spansOf([first, ...many]);
  expect(spans.length).toBe(20_001);
  expect(spans[0]?.attributes['deskhand.dropped_spans']).toBe(10);
});

describe('the settings', () => {
  test('are those of OpenTelemetry', () => {
    const settings = traceSettingsIn({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example/base/',
      OTEL_EXPORTER_OTLP_HEADERS: 'api-key=a%20b, tenant = desk',
      OTEL_SERVICE_NAME: 'desk-1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '800',
    });
    expect(String(settings.url)).toBe('https://otel.example/base/v1/traces');
    expect([...settings.headers].map(([name, value]) => [name, value.reveal()])).toEqual([
      ['api-key', 'a b'],
      ['tenant', 'desk'],
    ]);
    expect([settings.service, settings.timeoutMs]).toEqual(['desk-1', 800]);
    const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/x' };
    expect(String(traceSettingsIn(own).url)).toBe('http://localhost:4318/x');
  });

  test.each([
    [{}, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }, true],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_SDK_DISABLED: 'true' }, false],
  ])('%o: traces are on: %s', (env, isOn) => {
    expect(wantsTraces(env)).toBe(isOn);
  });

  test.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'user:hunter2@otel' }, 'ENDPOINT is not an address'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel', OTEL_EXPORTER_OTLP_HEADERS: 'hunter2' },
      'HEADERS is not valid',
    ],
    [
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel',
        OTEL_EXPORTER_OTLP_HEADERS: 'a=hunter2%0d%0ab',
      },
      'HEADERS is not valid',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      'PROTOCOL is grpc',
    ],
  ])('%o are refused without showing a value', (env, message) => {
    expect(() => traceSettingsIn(env)).toThrow(message);
    expect(() => traceSettingsIn(env)).not.toThrow('hunter2');
  });
});
