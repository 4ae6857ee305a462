/** A run is queued once over a store that gives no answer for a while, and what is told about it is true. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, type Stage } from '../jobs/stage.ts';
import type { Typed } from '../jobs/desk.ts';
import { isWhole } from '../support/share.ts';
import { openFleet, type Fleet } from './fleet.ts';
import { isDone } from './judge.ts';
import { simulatedStore } from './store.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

interface Scene {
  readonly fleet: Fleet;
  readonly run: string;
  /** Types on the machine of a person. */
  readonly type: (...words: string[]) => Promise<Typed>;
  /** Jobs that have not ended. */
  readonly jobs: () => Promise<readonly string[]>;
}

async function withScene(play: (scene: Scene) => Promise<void>): Promise<void> {
  const fleet = await openFleet(stage, simulatedStore());
  const [home] = fleet.machines;
  try {
    const type = (...words: string[]): Promise<Typed> => home.type(words);
    await type('plan', 'ladder.yaml', '--out', 'ladder.json');
    const run = /"run": "(r-[^"]+)"/.exec(home.read('ladder.json'))?.[1] ?? '';
    await play({ fleet, run, type, jobs: fleet.jobs });
  } finally {
    await fleet.close();
  }
}

/** The exchange refuses an order, so that the run stops and has a rest. */
async function stopped({ fleet, type }: Scene): Promise<void> {
  const action = { kind: 'status', status: 400, code: '40762' };
  const match = { operation: 'futures/place-order' };
  const rules = [{ match, when: 'before', times: 1, action }];
  stage.sandbox.control('PUT', 'faults', { rules });
  await type('run', 'ladder.json', '--queue');
  await fleet.machines[1].type(['worker', '--once']);
  stage.sandbox.control('PUT', 'faults', { rules: [] });
}

const questions = 12; // more than a command asks
const each = isWhole ? 1 : 3;

test.each([
  ['a question', 1],
  ['two questions', 2],
  ['several questions', 7],
])('a run is queued although %s got no answer, from any of them on', async (_what, cut) => {
  for (let after = 0; after < questions; after += each) {
    await withScene(async ({ fleet, run, type, jobs }) => {
      fleet.cut(cut, after);
      const { code, err } = await type('run', 'ladder.json', '--queue');
      fleet.cut(0);
      expect([after, code, err]).toEqual([after, 0, expect.stringContaining(`${run} is queued`)]);
      expect(await jobs()).toEqual([run]);
    });
  }
});

test('a store that stays away ends the command with what it did, and the next one works', async () => {
  const said = new Set<string>();
  for (let after = 0; after < questions; after++) {
    await withScene(async ({ fleet, run, type, jobs }) => {
      fleet.cut(Infinity, after);
      const { code, err } = await type('run', 'ladder.json', '--queue');
      fleet.cut(0);
      if (code === 0) return;
      expect([after, code, err]).toEqual([after, 5, expect.stringContaining('waiting up to 30 s')]);
      const words = /nothing was queued|it is not known whether r-\w+ is queued/.exec(err)?.[0];
      said.add(words?.replace(run, 'r') ?? err);
      if (words === 'nothing was queued') expect(await jobs()).toEqual([]);
      expect(err).toContain(': deskhand run ladder.json --queue');
      expect((await type('run', 'ladder.json', '--queue')).code).toBe(0);
      expect(await jobs()).toEqual([run]);
    });
  }
  expect(said).toEqual(new Set(['nothing was queued', 'it is not known whether r is queued']));
});

test('the rest of a run is queued once, whatever gets no answer', async () => {
  for (let after = 0; after < questions; after += each) {
    await withScene(async (scene) => {
      const { fleet, run, type, jobs } = scene;
      await stopped(scene);
      fleet.cut(3 + (after % 2), after);
      const { code, err } = await type('resume', run, '--queue');
      fleet.cut(0);
      expect([after, code, err]).toEqual([after, 0, expect.stringContaining(`${run} is queued`)]);
      expect(await jobs()).toEqual([run]);
      fleet.cut(Infinity, after);
      const again = await type('resume', run, '--queue');
      fleet.cut(0);
      expect([0, 5]).toContain(again.code);
      if (again.code === 5) expect(again.err).toContain(`: deskhand resume ${run} --queue`);
      await stage.clock.sleep(60_000);
      await fleet.machines[1].type(['worker', '--once']);
      const truth = { entries: await fleet.entriesOf(run) };
      expect([isDone(truth), fleet.placed('ladder'), await jobs()]).toEqual([true, 3, []]);
    });
  }
});

test('a job is cancelled once, and told so, whatever gets no answer', async () => {
  for (let after = 0; after < 3; after++) {
    for (const cut of [1, 2, 3]) {
      await withScene(async ({ fleet, run, type, jobs }) => {
        await type('run', 'ladder.json', '--queue');
        fleet.cut(cut, after);
        const { code, out } = await type('runs', 'cancel', run);
        fleet.cut(0);
        const told = expect.stringContaining(`${run} is cancelled; no worker had it`);
        expect([after, cut, code, out]).toEqual([after, cut, 0, told]);
        expect(await jobs()).toEqual([]);
        const again = await type('runs', 'cancel', run);
        expect(again.out).not.toContain('is cancelled');
      });
    }
  }
});
