import { expect, test } from 'vitest';
import { createRun } from '../../../src/engine/journal/runs.ts';
import { sandbox, started } from '../../support/desk-setup.ts';
import { familiesIn } from '../../report/telemetry/exposition.ts';
import { port, served, type Served } from './desk.ts';

const get = ({ app }: Served, path: string): Promise<Response> =>
  Promise.resolve(app.request(path, { headers: { host: `127.0.0.1:${port}` } }));

test('a monitor reads metrics without a session, and sees new runs', async () => {
  const it = await served();
  const count = async (): Promise<unknown> => {
    const response = await get(it, '/metrics');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const families = familiesIn(await response.text());
    return families.get('deskhand_runs_total')?.samples.get('deskhand_runs_total{state="done"}');
  };
  expect(await count()).toBe(0);
  const header = {
    run: 'r-1',
    playbook: 'desk-setup',
    destination: sandbox,
    createdAt: 1,
    program: 'd',
  };
  const journal = await createRun(it.stateDir, header, it.clock);
  await journal.append(started('r-1', sandbox));
  await journal.append({ kind: 'finished', status: 'done', exit: 0, outputs: null });
  await journal.close();
  expect(await count()).toBe(1);
  it.close();
});

test('the server is alive while a store is away, and not ready', async () => {
  const it = await served();
  expect((await get(it, '/readyz')).status).toBe(200);
  const away = { ...it.desk, trouble: () => 'postgres://desk:hunter2@db refused' };
  const { createApp } = await import('../../../src/serve/server/app.ts');
  const app = createApp(
    { ...it.server, desks: [away] },
    {
      hosts: new Set([`127.0.0.1:${port}`]),
      cookie: 'c',
      assets: { page: '', files: new Map() },
      signal: new AbortController().signal,
      onError: () => undefined,
    },
  );
  const ready = await get({ ...it, app }, '/readyz');
  expect([ready.status, await ready.text()]).toEqual([
    503,
    'desk desk: its state store cannot be reached\n',
  ]);
  expect((await get({ ...it, app }, '/healthz')).status).toBe(200);
  it.close();
});

test.each(['/metrics', '/healthz', '/readyz'])(
  '%s under another host name is refused',
  async (path) => {
    const { app, close } = await served();
    expect((await app.request(path, { headers: { host: 'evil.example' } })).status).toBe(421);
    close();
  },
);
