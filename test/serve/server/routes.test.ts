import { readFileSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { schemaProblems } from '../../../src/exchange/api/check.ts';
import { lockRun } from '../../../src/engine/journal/lock.ts';
import { serverOpenApi } from '../../../src/serve/server/openapi.ts';
import { routes, type AnswerOf } from '../../../src/serve/server/routes/index.ts';
import { components } from '../../../src/serve/server/components.ts';
import { clientOidOf } from '../../support/desk-setup.ts';
import {
  approvedRun,
  doneRun,
  doubtRun,
  killedRun,
  resumedRun,
  stoppedRun,
  warnedRun,
} from '../../support/entries.ts';
import { hostileRun } from '../../support/hostile.ts';
import { continueRun, recordRun } from '../../support/recorded.ts';
import { served, type Served } from './desk.ts';

type Home = AnswerOf<(typeof routes)['GET /home']>;
type View = AnswerOf<(typeof routes)['GET /runs/{run}']>;
type Events = AnswerOf<(typeof routes)['GET /runs/{run}/events']>;

async function answer<A>({ get }: Served, path: string): Promise<A> {
  const response = await get(path);
  const data = (await response.json()) as A;
  if (response.status !== 200) throw new Error(`${path}: ${JSON.stringify(data)}`);
  return data;
}

/** A desk with a run of each kind. */
async function deskWithRuns(): Promise<Served> {
  const server = await served();
  for (const entries of [doneRun(), doubtRun(), stoppedRun()]) {
    await recordRun(server.stateDir, entries);
  }
  await server.poll();
  return server;
}

const ids = (home: Home): string[] => home.runs.map(({ run }) => run).toSorted();

describe('home', () => {
  test('lists runs, and first what needs a person', async () => {
    const home = await answer<Home>(await deskWithRuns(), '/home');
    expect(
      home.runs.map(({ run, state, doubts }) => `${run} ${state} ${doubts}`).toSorted(),
    ).toEqual(['r-7k2m done 0', 'r-8p0a stopped 0', 'r-9d1f doubt 1']);
    expect(home.needs).toMatchObject([
      { kind: 'doubt', run: 'r-9d1f', label: '1 in doubt', action: 'Settle' },
    ]);
    expect(home).toMatchObject({ matching: 3, all: 3, unread: 0 });
  });

  test('finds runs by state, playbook, account, time and text, clientOids included', async () => {
    const server = await deskWithRuns();
    const found = async (query: string): Promise<string[]> =>
      ids(await answer<Home>(server, `/home?${query}`));
    expect(await found('state=stopped')).toEqual(['r-8p0a']);
    expect(await found('account=sandbox')).toEqual(['r-7k2m', 'r-8p0a']);
    expect(await found('playbook=none')).toEqual([]);
    expect(await found(`text=${clientOidOf('61500.0')}`)).toEqual(['r-7k2m', 'r-8p0a', 'r-9d1f']);
    expect(await found('text=R-7K2M%20btcusdt')).toEqual(['r-7k2m']);
    expect(await found('text=r-7k2m%20ethusdt')).toEqual([]);
    expect(await found('until=1')).toEqual([]);
    expect(await found('since=1')).toHaveLength(3);
  });

  test('finds runs by the person who approved them', async () => {
    const server = await served();
    await recordRun(server.stateDir, approvedRun());
    await server.poll();
    const home = await answer<Home>(server, '/home?person=ana@desk.example');
    expect(home.runs[0]?.people).toEqual(['ana@desk.example', 'ben@desk.example']);
    expect(await answer<Home>(server, '/home?person=ana')).toMatchObject({ matching: 0 });
  });

  test('shows a run as running only while its process holds its lock', async () => {
    const server = await served();
    const run = await recordRun(server.stateDir, killedRun());
    const lock = await lockRun(server.stateDir, run);
    await server.poll();
    const during = await answer<Home>(server, '/home');
    await lock.release();
    await server.poll();
    const after = await answer<Home>(server, '/home');
    expect(during).toMatchObject({ running: [{ run }], needs: [] });
    expect(after.running).toEqual([]);
    expect(after.needs).toMatchObject([{ run }]);
  });

  test('shows a run that was resumed, changed or removed', async () => {
    const server = await deskWithRuns();
    const entries = doneRun();
    await recordRun(server.stateDir, entries.slice(0, 9), 'r-new');
    await server.poll();
    expect(server.desk.runs.row('r-new')?.state).toBe('unfinished');
    await continueRun(server.stateDir, 'r-new', entries.slice(9));
    await server.poll();
    expect(server.desk.runs.row('r-new')?.state).toBe('done');
    rmSync(join(server.stateDir, 'runs', 'r-new'), { recursive: true });
    rmSync(join(server.stateDir, 'high-water', 'r-new.mark'));
    await server.poll();
    expect(server.desk.has('r-new')).toBe(false);
  });

  test('shows damaged runs and those that cannot be identified', async () => {
    const server = await deskWithRuns();
    truncateSync(join(server.stateDir, 'runs', 'r-7k2m', 'journal.ndjson'), 300);
    rmSync(join(server.stateDir, 'runs', 'r-8p0a', 'header.json'));
    for (let round = 0; round < 10; round++) await server.poll();
    const home = await answer<Home>(server, '/home?state=damaged');
    expect(ids(home)).toEqual(['r-7k2m', 'r-8p0a']);
    expect(home.needs.map(({ kind }) => kind)).toEqual(['doubt', 'damaged', 'damaged']);
    const failed = await server.get('/runs/r-7k2m');
    expect(failed.status).toBe(422);
  });
});

describe('a run', () => {
  test('has the sections of its report', async () => {
    const view = await answer<View>(await deskWithRuns(), '/runs/r-8p0a');
    expect(view.headline).toBe('stopped at step 3 of 5');
    expect(view.stop).toMatchObject({ code: '40762', title: 'Why it stopped' });
    expect(view.stop?.lines.some(({ isMarked }) => isMarked)).toBe(true);
    expect(view.playbook.filter(({ isMarked }) => isMarked)).toHaveLength(1);
    expect(view.orders?.rows).toHaveLength(5);
    expect(view.tallies.map(({ name, n }) => [name, n])).toContainEqual(['Refused', 1]);
  });

  test('in progress has writes without a response, which are not doubts', async () => {
    const server = await served();
    const run = await recordRun(server.stateDir, killedRun());
    const lock = await lockRun(server.stateDir, run);
    await server.poll();
    const during = await answer<View>(server, `/runs/${run}`);
    await lock.release();
    await server.poll();
    const after = await answer<View>(server, `/runs/${run}`);
    expect([during.row.doubts, during.doubts.length]).toEqual([0, 0]);
    expect(after.doubts.length).toBe(after.row.doubts);
    expect(after.row.doubts).toBeGreaterThan(0);
  });

  test('has its events once each, in order, continued after any of them', async () => {
    const server = await deskWithRuns();
    const all = await answer<Events>(server, '/runs/r-7k2m/events');
    expect(all.events.map(({ seq }) => seq)).toEqual(doneRun().map(({ seq }) => seq));
    for (const { seq } of all.events) {
      const rest = await answer<Events>(server, `/runs/r-7k2m/events?after=${seq}`);
      expect(rest.events).toEqual(all.events.slice(seq));
    }
  });

  test('that does not exist is not found', async () => {
    const server = await deskWithRuns();
    for (const path of ['/runs/r-none', '/runs/..%2f..%2fetc', '/runs/r-7k2m?desk=other']) {
      expect([path, (await server.get(path)).status]).toEqual([path, 404]);
    }
  });
});

test('every answer has the shape that the table of routes states', async () => {
  const server = await served();
  const runs = [
    doneRun(),
    doubtRun(),
    stoppedRun(),
    killedRun(),
    resumedRun(),
    warnedRun(2),
    approvedRun(),
    hostileRun(),
  ];
  for (const [index, entries] of runs.entries()) {
    await recordRun(server.stateDir, entries, `r-${index}`);
  }
  await server.poll();
  const problems = async (name: keyof typeof routes, path: string): Promise<unknown> => {
    const route = routes[name];
    if (!('answer' in route)) throw new Error('it has no JSON answer');
    const schema = { ...route.answer.json, components: { schemas: components } };
    return schemaProblems(schema, await answer(server, path));
  };
  expect(await problems('GET /about', '/about')).toEqual([]);
  expect(await problems('GET /home', '/home')).toEqual([]);
  for (const index of runs.keys()) {
    expect(await problems('GET /runs/{run}', `/runs/r-${index}`)).toEqual([]);
    expect(await problems('GET /runs/{run}/events', `/runs/r-${index}/events`)).toEqual([]);
  }
});

test('the printed OpenAPI document has every route', () => {
  const root = join(import.meta.dirname, '..', '..', '..');
  const printed: unknown = JSON.parse(
    readFileSync(join(root, 'schemas', 'server.openapi.json'), 'utf8'),
  );
  expect(printed).toEqual(JSON.parse(JSON.stringify(serverOpenApi())));
  expect(JSON.stringify(printed)).toContain('/runs/{run}/events');
});

test('a run shows the outputs of its playbook, and of those that it used', async () => {
  const server = await served();
  const entries = doneRun().map((entry) =>
    entry.kind === 'finished' ? { ...entry, outputs: { csv: 'out/a.csv', uids: [1, 2] } } : entry,
  );
  const run = await recordRun(server.stateDir, entries);
  await server.poll();
  const { outputs } = await answer<View>(server, `/runs/${run}`);
  expect(outputs).toEqual([
    ['csv', { code: 'out/a.csv' }],
    ['uids', { code: '[1,2]' }],
  ]);
});
