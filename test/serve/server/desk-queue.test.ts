/** Plans that workers made, as a desk with approvals lists them. */
import { expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { StalePlanError } from '../../../src/engine/plan/stale.ts';
import type { Plan } from '../../../src/engine/plan/plan.ts';
import { deskQueue, type DeskQueue } from '../../../src/serve/server/desk-queue.ts';
import { UnreachableError } from '../../../src/stores/store.ts';

const ids = Array.from({ length: 25 }, (_none, at) => `p-${at.toString(16).padStart(8, '0')}`);

interface Scene {
  readonly queue: DeskQueue;
  /** Which plans were asked for. */
  readonly asked: string[];
  /** How a plan is answered; default: it is there. */
  readonly answers: Map<string, Error>;
  newest: readonly string[];
}

function scene(hasApprovals: boolean): Scene {
  const asked: string[] = [];
  const answers = new Map<string, Error>();
  const all: Scene = {
    asked,
    answers,
    newest: ids,
    queue: deskQueue(
      'desk',
      {
        read: async () => ({ jobs: [], workers: [], plans: all.newest }),
        stop: async () => 'unknown',
        plan: async (id) => {
          asked.push(id);
          const error = answers.get(id);
          if (error !== undefined) throw error;
          return { id, steps: [] } as unknown as Plan;
        },
        close: async () => undefined,
      },
      { clock: standingClock(0), hasApprovals },
    ),
  };
  return all;
}

const shown = ({ queue }: Scene): readonly string[] => queue.plans().map(({ id }) => id);

test('the newest are read first, ten at each look, and each of them once', async () => {
  const all = scene(true);
  for (const count of [10, 20, 25, 25]) {
    await all.queue.fetch();
    expect(shown(all)).toEqual(ids.slice(0, count));
  }
  expect(all.asked).toEqual(ids);
  all.newest = ['p-ffffffff', ...ids.slice(0, 3)];
  expect(await all.queue.fetch()).toBe(true);
  expect(shown(all)).toEqual(all.newest);
  expect(await all.queue.fetch()).toBe(false);
});

test('one that was changed is left out, and one without an answer is asked for again', async () => {
  const all = scene(true);
  const [first = '', second = '', third = ''] = ids;
  all.answers.set(second, new StalePlanError('changed'));
  all.answers.set(third, new UnreachableError('no answer', 'try again'));
  await all.queue.fetch();
  expect([all.asked, shown(all)]).toEqual([[first, second, third], [first]]);
  all.answers.delete(third);
  await all.queue.fetch();
  expect(shown(all)).toEqual([first, ...ids.slice(2, 12)]);
  expect(all.asked.filter((id) => id === second)).toHaveLength(1);
});

test('without approvals none is read', async () => {
  const all = scene(false);
  await all.queue.fetch();
  expect([all.asked, shown(all)]).toEqual([[], []]);
});
