/** Traces of commands: sent when the environment names a collector, and never a reason to fail. */
import { afterEach, expect, test } from 'vitest';
import { openCollector, type Collector } from '../report/telemetry/collector.ts';
import { folderWith } from './deskhand.ts';
import { inside } from './inside.ts';

const collectors: Collector[] = [];
afterEach(() => {
  for (const collector of collectors.splice(0)) collector.close();
});

const files = {
  'a.yaml':
    'playbook: 1\nname: a\nsteps: [{ id: spot, uses: market/list-tickers, with: { category: SPOT } }]\n',
};

test('sends the trace of its run', async () => {
  const collector = await openCollector();
  collectors.push(collector);
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'api-key=hunter2-hunter2',
  };
  const { code, stderr } = await inside(['run', 'a.yaml'], { cwd: folderWith(files), env });
  expect([code, collector.problems]).toEqual([0, []]);
  expect(collector.spans.map(({ name }) => name)).toEqual([
    'run a',
    'step spot',
    'GET /api/v3/market/tickers',
  ]);
  expect(collector.requests[0]?.headers['api-key']).toBe('hunter2-hunter2');
  expect(stderr).not.toContain('hunter2');
});

test.each([
  [
    'is away',
    'http://127.0.0.1:1',
    /warning 3 spans of traces not sent: ECONNREFUSED\n {2}help {2}check the collector/,
  ],
  [
    'has no address',
    'otel',
    /warning no traces are sent: OTEL_EXPORTER_OTLP_ENDPOINT is not an address/,
  ],
])('ends as without a collector when that %s', async (_name, endpoint, warning) => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
  const { code, stderr } = await inside(['run', 'a.yaml'], { cwd: folderWith(files), env });
  expect(code).toBe(0);
  expect(stderr).toMatch(warning);
});
