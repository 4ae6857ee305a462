/** Removes records that nothing depends on from Restate, in short steps. */
import { second, type Millis } from '../../base/clock.ts';
import type { Pruned, RunEnd, SharedRetention } from '../shared/retention.ts';
import { openDesk, required, type Desk, type RestateOptions } from './desk.ts';
import { queueObject, registryObject, runObject } from './objects/names.ts';
import type { Listed } from './objects/registry.ts';
import type { Looked } from './objects/run-state.ts';

const timeoutMs: Millis = 10 * second; // of each call: nothing waits for it
const atOnce = 50; // questions about runs
const most = 100; // removed in one call

type Ask = <Result>(handler: string, input: object) => Promise<Result | undefined>;

/** Opens the retention of a desk; it connects at the first call. @throws ConfigError for a bad address */
export function openRestateRetention(options: RestateOptions): SharedRetention {
  const desk = openDesk({ timeoutMs, ...options });
  const repeatable = { isRepeatable: true } as const;
  const single = (object: string): Ask => {
    const ask = desk.single(object);
    return (handler, input) => ask(handler, input, repeatable);
  };
  const [registry, queue] = [single(registryObject), single(queueObject)];
  const run = desk.keyed(runObject);
  const look = (id: string): Promise<Looked | undefined> => run<Looked>(id, 'look', {}, repeatable);
  return {
    known: async (runs) => {
      const places = new Map<string, 'stored' | 'pruned'>();
      for (let at = 0; at < runs.length; at += atOnce) {
        const some = runs.slice(at, at + atOnce);
        const found = await Promise.all(some.map(look));
        for (const [index, looked] of found.entries()) {
          const place = looked?.isPruned === true ? 'pruned' : 'stored';
          if (looked !== undefined) places.set(some[index] ?? '', place);
        }
      }
      return places;
    },
    prune: async (id, at: RunEnd) => required(registry<Pruned>('prune', { run: id, at })),
    empty: async () => {
      const listed = required(registry<Listed>('list', { from: Number.MAX_SAFE_INTEGER }));
      const { pruned, prunedTo } = await listed;
      if (pruned.length === 0) return;
      for (const id of pruned) await run(id, 'empty', {}, repeatable);
      await forget(registry, new Set(pruned));
      await registry('emptied', { to: prunedTo });
    },
    count: async (age) => ({
      plans: await required(registry<number>('outdated', { age })),
      jobs: await required(queue<number>('outdated', { age })),
    }),
    clean: async (age) => ({
      plans: await cleaned(desk.single(registryObject), age),
      jobs: await cleaned(desk.single(queueObject), age),
    }),
    close: () => desk.close(),
  };
}

/** Removes runs from the list of ended runs. */
async function forget(registry: Ask, runs: ReadonlySet<string>): Promise<void> {
  for (let from = 0, hasMore = true; hasMore;) {
    const page = await required(registry<Listed>('list', { from }));
    const found = page.ended.flatMap(({ run }, index) =>
      runs.has(run) ? [{ run, position: page.at[index] ?? 0 }] : [],
    );
    if (found.length > 0) {
      const positions = found.map(({ position }) => position);
      await registry('forget', { positions, runs: found.map(({ run }) => run) });
    }
    ({ next: from, hasMore } = page);
  }
}

/** Removes the oldest entries until none is old. A repeated call removes nothing again. @returns how many */
async function cleaned(object: ReturnType<Desk['single']>, age: Millis): Promise<number> {
  for (let total = 0; ;) {
    const removed = await required(object<number>('clean', { age, most }));
    total += removed;
    if (removed < most) return total;
  }
}
