/** A run whose process is suspended at any moment, while another machine continues it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { minute } from '../../src/base/clock.ts';
import { openStage, type Stage } from '../jobs/stage.ts';
import type { Suspension, Typed } from '../jobs/desk.ts';
import { isWhole } from '../support/share.ts';
import { openFleet, type Fleet } from './fleet.ts';
import { isDone, untrueIn, untrueNotices } from './judge.ts';
import { simulatedStore } from './store.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

interface Played {
  readonly typed: Typed;
  readonly placed: number;
  readonly hasBegun: boolean;
  readonly isDone: boolean;
  readonly untrue: readonly string[];
  readonly acts: number;
}

/** @param elsewhere the acts of the process that continues it; default: until its end */
async function suspendedAt(at: number, elsewhere?: number): Promise<Played> {
  const fleet: Fleet = await openFleet(stage, simulatedStore());
  const [home, other] = fleet.machines;
  try {
    await home.type(['plan', 'ladder.yaml', '--out', 'ladder.json']);
    const run = /"run": "(r-[^"]+)"/.exec(home.read('ladder.json'))?.[1] ?? '';
    const id = /"id": "(p-[^"]+)"/.exec(home.read('ladder.json'))?.[1] ?? '';
    const suspension: Suspension = {
      at,
      meanwhile: async () => {
        await stage.clock.sleep(minute);
        await other.type(['resume', run, '--approve', run], elsewhere);
      },
    };
    const words = ['run', 'ladder.json', '--approve', id];
    const typed = await home.type(words, undefined, suspension);
    const entries = await fleet.entriesOf(run);
    const placed = fleet.placed('ladder');
    const truth = { run, total: 3, placed, entries };
    const untrue = untrueIn(typed, truth, true);
    const hasBegun = entries.length > 0;
    return { typed, placed, hasBegun, isDone: isDone(truth), untrue, acts: home.acts };
  } finally {
    await fleet.close();
  }
}

const each = isWhole ? 1 : 7;

test('another machine did the rest: the process that goes on tells its end', async () => {
  let tookOver = 0;
  for (let at = 1; ; at += each) {
    const { typed, placed, untrue, acts, hasBegun } = await suspendedAt(at);
    if (acts < at) break;
    if (typed.code !== 0 && !hasBegun) continue; // refused: what it had read was too old
    expect([at, typed.code, placed, untrue, typed.err]).toEqual([at, 0, 3, [], expect.any(String)]);
    if (typed.err.includes('took r-') && typed.out.includes('3 of 3')) tookOver += 1;
  }
  expect(tookOver).toBeGreaterThan(0);
});

/** A worker whose run the exchange stops, suspended until another one has continued it. */
async function mendedAt(at: number): Promise<Omit<Played, 'typed' | 'hasBegun'>> {
  const fleet = await openFleet(stage, simulatedStore());
  const [one, other] = fleet.machines;
  try {
    await one.type(['plan', 'ladder.yaml', '--out', 'ladder.json']);
    const run = /"run": "(r-[^"]+)"/.exec(one.read('ladder.json'))?.[1] ?? '';
    await one.type(['run', 'ladder.json', '--queue']);
    const action = { kind: 'status', status: 400, code: '40762' };
    const match = { operation: 'futures/place-order' };
    stage.sandbox.control('PUT', 'faults', {
      rules: [{ match, when: 'before', times: 1, action }],
    });
    const meanwhile = async (): Promise<void> => {
      await stage.clock.sleep(minute);
      await other.type(['worker', '--once']);
      fleet.notices(); // of its own stop, which was true
    };
    await one.type(['worker', '--once'], undefined, { at, meanwhile });
    const entries = await fleet.entriesOf(run);
    const placed = fleet.placed('ladder');
    const truth = { run, total: 3, placed, entries };
    const untrue = untrueNotices(fleet.notices(), truth);
    return { placed, isDone: isDone(truth), untrue, acts: one.acts };
  } finally {
    stage.sandbox.control('PUT', 'faults', { rules: [] });
    await fleet.close();
  }
}

test('a stop that another machine has mended meanwhile is not notified', async () => {
  const played = [];
  for (let at = 1; ; at += isWhole ? 1 : 3) {
    const one = await mendedAt(at);
    if (one.acts < at) break;
    played.push(one);
  }
  expect(played.flatMap(({ untrue }) => untrue)).toEqual([]);
  expect(played.some((one) => one.isDone)).toBe(true);
});

test('another machine has begun with the rest and died: what is sent and in doubt is told', async () => {
  const codes = new Set<unknown>();
  for (let at = 1; ; at += each) {
    const { typed, untrue, acts, hasBegun, isDone: isOver } = await suspendedAt(at, 30);
    if (acts < at) break;
    expect([at, untrue, typed.err]).toEqual([at, [], expect.any(String)]);
    if (hasBegun && !isOver) {
      expect(typed.err).toMatch(
        /another process has taken r-\w+ over|is writing to|has a claim on/,
      );
    }
    codes.add(typed.code);
  }
  expect(codes).toContain(0);
  expect(codes).toContain(6);
});
