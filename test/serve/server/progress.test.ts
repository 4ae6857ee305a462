/** The steps of a run as a graph, its items as a strip, and the page of a step: what the server answers. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Entry, Event } from '../../../src/engine/journal/entry.ts';
import { lockRun } from '../../../src/engine/journal/lock.ts';
import { loadPlaybook } from '../../../src/language/load.ts';
import { edgesOf } from '../../../src/language/step-graph.ts';
import type { AnswerOf, Routes } from '../../../src/serve/server/routes/index.ts';
import { sha256 } from '../../../src/base/json.ts';
import { recordRun } from '../../support/recorded.ts';
import {
  keyOf as key,
  large,
  many,
  manyItems,
  manySteps,
  ranStep,
  startOf,
  wait,
} from '../../support/large-runs.ts';
import { tape } from '../../support/tape.ts';
import { served, type Served } from './desk.ts';

type View = AnswerOf<Routes['GET /runs/{run}']>;
type Step = AnswerOf<Routes['GET /runs/{run}/step']>;
type Items = AnswerOf<Routes['GET /runs/{run}/items']>;
type Events = AnswerOf<Routes['GET /runs/{run}/events']>;

async function recorded(entries: readonly Entry[]): Promise<Served> {
  const server = await served();
  await recordRun(server.stateDir, entries);
  await server.poll();
  return server;
}

async function asked<A>({ get }: Served, path: string): Promise<A> {
  const response = await get(`/runs/r-1${path}`);
  if (response.status !== 200) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as A;
}

const diamond = `playbook: 1
name: diamond
parallel: 2
steps:
${wait('a')}${wait('b', ', needs: [a]')}${wait('c', ', needs: [a]')}${wait('d', ', needs: [b, c]')}on-failure:
${wait('note')}finally:
${wait('close')}${wait('tell')}`;

const edgesIn = ({ progress: { graph } }: View): string[] =>
  graph.edges.map(({ from, to, isImplicit }) => {
    const name = (at: number): string | undefined => graph.nodes[at]?.name;
    return `${name(from)} ${isImplicit ? '-.->' : '-->'} ${name(to)}`;
  });

test('the graph of a run has the edges of `deskhand graph`, and the layers that follow from them', async () => {
  const on = tape().add(startOf(diamond));
  for (const id of ['a', 'b']) ranStep(on, id);
  ranStep(on, 'c', 'failed').add({ kind: 'closed', step: 'd', status: 'skipped' });
  for (const id of ['note', 'close', 'tell']) ranStep(on, id);
  const { entries } = on.add({ kind: 'finished', status: 'stopped', exit: 1, outputs: null });
  const view = await asked<View>(await recorded(entries), '');
  const { playbook } = loadPlaybook(diamond, 'a.yaml');
  const own = playbook ? edgesOf(playbook).map(({ from, to }) => `${from.id} --> ${to.id}`) : [];
  expect(own).toHaveLength(4);
  expect(edgesIn(view)).toEqual([...own, 'close -.-> tell']);
  const { nodes } = view.progress.graph;
  expect(nodes.map(({ name, group, layer, state }) => [name, group, layer, state])).toEqual([
    ['a', 'steps', 0, 'done'],
    ['b', 'steps', 1, 'done'],
    ['c', 'steps', 1, 'failed'],
    ['d', 'steps', 2, 'skipped'],
    ['note', 'on-failure', 0, 'done'],
    ['close', 'finally', 0, 'done'],
    ['tell', 'finally', 1, 'done'],
  ]);
  expect(nodes[3]?.words).toBe('after b, c');
});

test('a run of some steps has the edges between these', async () => {
  const on = tape().add(startOf(diamond, {}, ['a', 'b']));
  const view = await asked<View>(await recorded(ranStep(on, 'a').entries), '');
  expect(view.progress.graph.nodes.map(({ name }) => name)).toEqual([
    'a',
    'b',
    'note',
    'close',
    'tell',
  ]);
  expect(edgesIn(view)).toEqual(['a --> b', 'close -.-> tell']);
});

test('a step in progress is running while its process lives, and open afterwards', async () => {
  const on = tape().add(startOf(diamond));
  const server = await recorded(
    ranStep(on, 'a').add({ kind: 'opened', step: 'b', uses: 'wait' }).entries,
  );
  const stateOf = async (): Promise<string | undefined> =>
    (await asked<View>(server, '')).progress.graph.nodes[1]?.state;
  const lock = await lockRun(server.stateDir, 'r-1');
  await server.poll();
  expect(await stateOf()).toBe('running');
  expect((await asked<Step>(server, '/step?at=b')).state).toBe('running');
  await lock.release();
  await server.poll();
  expect(await stateOf()).toBe('open');
});

test('a playbook that this version cannot read has its steps in order', async () => {
  const on = tape().add({
    ...startOf(diamond),
    playbook: { name: 'x', file: 'a.yaml', digest: sha256('?'), text: '?' },
  } as Event);
  const { progress } = await asked<View>(await recorded(ranStep(on, 'a').entries), '');
  expect(progress.graph).toMatchObject({ isPlain: true, edges: [] });
  expect(progress.graph.nodes.map(({ name, layer }) => [name, layer])).toEqual([
    ['a', 0],
    ['b', 1],
    ['c', 2],
    ['d', 3],
  ]);
});

test('of 4,000 steps an answer has some, says where the others are, and begins at the failed one', async () => {
  const server = await recorded(manySteps());
  const { progress } = await asked<View>(server, '');
  expect(progress).toMatchObject({ total: large, from: 960, earlier: 900, later: 1_020 });
  expect(progress.graph.nodes).toHaveLength(60);
  expect(progress.graph.nodes[39]).toMatchObject({ name: 's999', state: 'failed' });
  expect(progress.timeline.rows.map(({ name }) => name)).toEqual(
    progress.graph.nodes.map(({ name }) => name),
  );
  expect(gzipSync(JSON.stringify(progress)).length).toBeLessThan(6_000);
  const names = new Set<string>();
  for (let from: number | undefined = 0; from !== undefined;) {
    const part: View['progress'] = (await asked<View>(server, `?from=${from}`)).progress;
    for (const { name } of part.graph.nodes) names.add(name);
    expect(part.earlier).toBe(from === 0 ? undefined : from - 60);
    from = part.later === undefined ? undefined : part.later + 600; // each tenth part
  }
  expect(names.size).toBe(6 * 60 + 40);
  expect((await asked<View>(server, '?from=999999')).progress).toMatchObject({ from: 3_960 });
}, 60_000);

test('10,000 items are one small answer: failed and slow first, found by key and by state', async () => {
  const server = await recorded(manyItems());
  const { timeline, graph } = (await asked<View>(server, '')).progress;
  expect(timeline.rows.at(-1)).toMatchObject({
    level: 'more',
    name: '… 9999 more',
    address: 'items',
  });
  expect(graph.nodes[0]?.items).toEqual([
    { state: 'failed', n: 1 },
    { state: 'done', n: 9_899 },
    { state: 'not-sent', n: 100 },
  ]);
  const response = await server.get('/runs/r-1/items?at=items');
  const text = await response.text();
  expect(gzipSync(text).length).toBeLessThan(4_000);
  expect(text.length).toBeLessThan(16_000);
  const items = JSON.parse(text) as Items;
  expect(items).toMatchObject({ total: many, matching: many, page: 1, pages: 17 });
  expect(items.keys).toHaveLength(600);
  expect(items.keys.slice(0, 2)).toEqual([key(7_777), key(4_321)]);
  expect(items.took[1]).toBe(5_000);
  expect(items.first[0]).toMatchObject({ state: 'failed', tone: 'bad', detail: 'E1 it broke' });
  const found = await asked<Items>(server, '/items?at=items&find=K0432');
  expect([found.matching, found.keys[0]]).toEqual([10, key(4_321)]);
  const left = await asked<Items>(server, '/items?at=items&state=not-sent');
  expect([left.matching, left.keys.length]).toEqual([100, 100]);
  const seen = new Set<string>();
  for (const page of [1, 2, 17]) {
    for (const each of (await asked<Items>(server, `/items?at=items&page=${page}`)).keys) {
      seen.add(each);
    }
  }
  expect(seen.size).toBe(600 + 600 + 400);
  expect((await server.get('/runs/r-1/items?at=none')).status).toBe(404);
}, 60_000);

const child = `playbook: 1\nname: child\nsteps:\n${wait('pause')}${wait('rest')}`;
const parent = `playbook: 1
name: parent
steps:
  - id: desks
    for-each: ["a]/b", c]
    uses: ./child.yaml
${wait('cool')}`;

test('a step and an item lead to what is around and below them, whatever the key', async () => {
  const on = tape().add(startOf(parent, { 'child.yaml': child }));
  on.add({ kind: 'opened', step: 'desks', items: ['a]/b', 'c'] });
  ranStep(on, 'desks[a]/b]/pause').add({ kind: 'opened', step: 'desks[a]/b]/rest', uses: 'wait' });
  const server = await recorded(on.entries);
  const at = async (address: string): Promise<Step> =>
    asked<Step>(server, `/step?at=${encodeURIComponent(address)}`);
  expect(await at('desks')).toMatchObject({
    level: 'step',
    items: 2,
    after: [],
    before: [{ address: 'cool', state: 'not-sent' }],
    place: 'a.yaml, lines 4 to 6',
  });
  const item = await at('desks[a]/b]');
  expect(item).toMatchObject({
    level: 'item',
    name: 'a]/b',
    around: [{ address: 'desks', name: 'desks' }],
  });
  expect(item.inside?.graph.nodes.map(({ address, state }) => [address, state])).toEqual([
    ['desks[a]/b]/pause', 'done'],
    ['desks[a]/b]/rest', 'open'],
  ]);
  expect(item.inside?.graph.edges).toEqual([{ from: 0, to: 1, isImplicit: true }]);
  expect(await at('desks[a]/b]/rest')).toMatchObject({
    name: 'rest',
    around: [{ name: 'desks' }, { address: 'desks[a]/b]', name: 'a]/b' }],
    after: [{ address: 'desks[a]/b]/pause', state: 'done' }],
    place: 'child.yaml, lines 5 to 5',
  });
  // Not begun: the playbook has it, the journal not yet.
  expect(await at('desks[c]/rest')).toMatchObject({ state: 'not-sent', name: 'rest' });
  const { events } = await asked<Events>(server, '/events?of=desks%5Ba%5D%2Fb%5D');
  expect(new Set(events.map(({ address }) => address))).toEqual(
    new Set(['desks[a]/b]/pause', 'desks[a]/b]/rest']),
  );
  for (const none of ['none', 'desks[x]', 'cool/x', '']) {
    expect((await server.get(`/runs/r-1/step?at=${encodeURIComponent(none)}`)).status).toBe(404);
  }
});
