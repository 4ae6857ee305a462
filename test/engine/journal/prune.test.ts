/** Whatever is pruned, the next run of every playbook decides as if it still existed. */
import { cpSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emptyTrash, pruneDecisions, removeRun } from '../../../src/engine/journal/prune.ts';
import { folderWith } from '../../cli/deskhand.ts';
import { inside } from '../../cli/inside.ts';
import { limitOrder } from '../../support/order.ts';

const files = {
  'ladder.yaml': `playbook: 1
name: ladder
inputs: { rungs: { type: integer, default: 3 } }
steps:
  - id: orders
    for-each: "{{ ladder from=40000 to=39000 count=inputs.rungs tick=0.1 total=0.030 lot=0.001 }}"
    key: "{{ each.value.price }}"
    uses: futures/place-order
    once-per: playbook
    with:${limitOrder({ price: '{{ each.value.price }}', size: '{{ each.value.size }}' })}
`,
  'daily.yaml': `playbook: 1
name: daily
schedule: [{ cron: "0 8 * * *" }]
inputs: { go: { type: boolean, default: true } }
steps:
  - id: order
    if: "{{ inputs.go }}"
    uses: futures/place-order
    with:${limitOrder({ price: '30000' })}
`,
  'reading.yaml': `playbook: 1
name: reading
steps: [{ id: spot, uses: market/list-tickers, with: { category: SPOT } }]
`,
  'failing.yaml': `playbook: 1
name: failing
steps: [{ id: spot, uses: market/list-tickers, with: { category: SPOT }, expect: [{ that: "{{ eq 1 2 }}" }] }]
`,
};

/** It stops until a file named ready exists. */
const waiting = `playbook: 1
name: waiting
steps:
  - id: ready
    uses: shell/run
    with: { command: [test, -f, ready] }
  - id: order
    needs: [ready]
    uses: futures/place-order
    with:${limitOrder({ price: '30000' })}
`;

const slots = ['2026-11-18T08:00:00Z', '2026-11-19T08:00:00Z'];
const lines = [
  ...['1', '2', '3'].map((rungs) => `run ladder.yaml --var rungs=${rungs}`),
  ...slots.flatMap((slot) =>
    ['true', 'false'].map((go) => `run daily.yaml --scheduled-for ${slot} --var go=${go}`),
  ),
  'run reading.yaml',
  'run reading.yaml',
  'run failing.yaml',
];

/** Each would place orders if no earlier run had done so. */
const next = [
  'run ladder.yaml --var rungs=3',
  ...slots.map((slot) => `run daily.yaml --scheduled-for ${slot}`),
];

const execute = (cwd: string, line: string) =>
  inside([...line.split(' '), '-q', '-o', 'json'], { cwd });

/** The result of each next run, how each order was found, and the orders that rest afterwards. */
async function decisionsIn(cwd: string): Promise<unknown> {
  const ends: unknown[] = [];
  for (const line of next) {
    const { code, stdout } = await execute(cwd, line);
    const { tally, orders: reported = [] } = JSON.parse(stdout);
    ends.push([
      line,
      code,
      tally,
      reported.map(({ how }: { how: string }) => how.replaceAll(/[\d:]+/g, '')),
    ]);
  }
  const words = ['call', 'order/list-open', 'category=USDT-FUTURES', '-o', 'json'];
  const { stdout } = await inside(words, { cwd });
  const orders: { price: string }[] = JSON.parse(stdout).answer.list;
  return { ends, orders: orders.map(({ price }) => price).toSorted() };
}

const chosen = [1, 1, 1, 1]; // everything that may be pruned
const story = fc.record({
  made: fc.array(fc.constantFrom(...lines), { minLength: 2, maxLength: 4 }),
  chosen: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
});

test('the next run of every playbook sends the same writes as without pruning', async () => {
  let removed = 0;
  await fc.assert(
    fc.asyncProperty(story, async ({ made, chosen }) => {
      const [whole, pruned] = [folderWith(files), folderWith()];
      for (const line of made) await execute(whole, line);
      cpSync(whole, pruned, { recursive: true });
      const stateDir = join(pruned, '.deskhand');
      const decisions = await pruneDecisions(stateDir, { before: Infinity, keep: 0 });
      for (const [place, { header, because }] of decisions.entries()) {
        if (because !== undefined || chosen[place] === 0) continue;
        await removeRun(stateDir, header.run);
        removed += 1;
      }
      await emptyTrash(stateDir);
      expect(await decisionsIn(pruned)).toEqual(await decisionsIn(whole));
    }),
    {
      numRuns: 5,
      seed: 20_261_120,
      examples: [
        [
          {
            made: ['run ladder.yaml --var rungs=3', 'run reading.yaml', 'run reading.yaml'],
            chosen,
          },
        ],
        [
          {
            made: [`run daily.yaml --scheduled-for ${slots[0]} --var go=false`, 'run reading.yaml'],
            chosen,
          },
        ],
      ],
    },
  );
  expect(removed).toBeGreaterThan(2);
});

describe('runs prune', () => {
  test('removes old runs that sent nothing, only with --yes', async () => {
    const cwd = folderWith(files);
    for (const line of ['reading.yaml', 'reading.yaml', 'ladder.yaml', 'failing.yaml']) {
      await execute(cwd, `run ${line}`);
    }
    const later = { cwd, days: 40 };
    const listed = await inside(['runs', 'prune'], later);
    expect(listed.stdout).toMatch(
      /^r-\S+ +2026-11-20 12:00\S* +reading\n1 run to remove\n1 kept: it is among|1 run to remove/,
    );
    expect(listed.stderr).toContain('--yes');
    const report = JSON.parse((await inside(['runs', 'prune', '-o', 'json'], later)).stdout);
    const [{ run }] = report.removed;
    expect([report.isDone, report.removed.length, report.kept.length]).toEqual([false, 1, 3]);
    const all = await inside(['runs', 'prune', '--keep', '9', '-o', 'json'], later);
    expect(JSON.parse(all.stdout).removed).toEqual([]);
    expect((await inside(['runs', 'show', run], later)).code).toBe(0);
    const done = await inside(['runs', 'prune', '--yes'], later);
    expect([done.code, done.stdout]).toEqual([0, expect.stringContaining('1 run removed')]);
    expect((await inside(['runs', 'show', run], later)).code).toBe(2);
    expect((await inside(['runs', 'list'], later)).code).toBe(0);
    expect(existsSync(join(cwd, '.deskhand', 'pruned', run))).toBe(false);
    const young = await inside(['runs', 'prune', '--older-than', '7d'], later);
    expect([young.code, young.stderr]).toEqual([2, expect.stringContaining('30d or more')]);
  });

  test('keeps a run that was resumed and sent an order after it was chosen', async () => {
    const config = 'profile: main\nprofiles: { main: { allow: { shell: [test] } } }\n';
    const cwd = folderWith({ ...files, 'waiting.yaml': waiting, 'deskhand.yaml': config });
    expect((await execute(cwd, 'run waiting.yaml')).code).toBe(1);
    await execute(cwd, 'run ladder.yaml');
    const stateDir = join(cwd, '.deskhand');
    const decisions = await pruneDecisions(stateDir, { before: Infinity, keep: 0 });
    const [chosen] = decisions.filter(({ header }) => header.playbook === 'waiting');
    expect(chosen?.because).toBeUndefined();
    const run = chosen?.header.run ?? '';
    writeFileSync(join(cwd, 'ready'), '');
    expect((await execute(cwd, `resume ${run}`)).code).toBe(0);
    expect(await removeRun(stateDir, run)).toBe('it sent a write');
    expect((await inside(['runs', 'show', run], { cwd })).code).toBe(0);
  });

  test('keeps the runs of a shared state', async () => {
    const cwd = folderWith({ 'deskhand.yaml': 'state: { store: git }\n' });
    const { code, stderr } = await inside(['runs', 'prune'], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining('(state.store: git)')]);
  });
});
