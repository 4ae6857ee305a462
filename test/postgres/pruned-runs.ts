/** `runs prune` over a store that machines share. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { day } from '../../src/base/clock.ts';
import { deskhand, type Ended } from '../cli/deskhand.ts';
import { limitOrder } from '../support/order.ts';
import { folder, type, type Desk } from './desk.ts';

/** It stops before its order. */
const stopping = `playbook: 1
name: stopping
steps:
  - id: spot
    uses: market/list-tickers
    with: { category: SPOT }
    expect: [{ that: "{{ eq 1 2 }}" }]
  - id: order
    needs: [spot]
    uses: futures/place-order
    with:${limitOrder({ price: '30000' })}
`;

function checkout(all: Desk): string {
  const cwd = folder(all);
  writeFileSync(join(cwd, 'stopping.yaml'), stopping);
  return cwd;
}

/** A command whose clock is 40 days ahead. */
const later = (all: Desk, cwd: string, ...words: readonly string[]): Promise<Ended> => {
  const ahead = pathToFileURL(join(import.meta.dirname, '..', 'support', 'shifted.mjs'));
  const clock = { NODE_OPTIONS: `--import=${ahead}`, CLOCK_AHEAD_MS: String(40 * day) };
  return deskhand(words, { cwd, env: { ...all.keys, ...clock } });
};

/**
 * One machine removes a run, the others neither miss nor restore it.
 * @param stored how much the store has of a run
 */
export async function prunesOnce(
  all: Desk,
  stored: (run: string) => Promise<number>,
): Promise<void> {
  const [a, b, fresh] = [checkout(all), checkout(all), checkout(all)];
  const made = await type(all, a, ['plan', 'stopping.yaml', '--out', 'plan.json']);
  expect([made.code, made.stderr + made.stdout]).toEqual([0, expect.any(String)]);
  const saved = readFileSync(join(a, 'plan.json'), 'utf8');
  const { run, id } = JSON.parse(saved);
  writeFileSync(join(fresh, 'plan.json'), saved);
  const planned = ['run', 'plan.json', '--approve', id];
  for (const [words, code] of [
    [planned, 1],
    [['run', 'stopping.yaml'], 1],
    [['run', '1.yaml'], 0],
  ] as const) {
    const ended = await type(all, a, words);
    expect([words, ended.code, ended.stderr]).toEqual([words, code, expect.any(String)]);
  }
  expect((await type(all, b, ['runs', 'list'])).stdout).toContain(run);
  const listed = await later(all, a, 'runs', 'prune');
  expect([listed.code, listed.stdout.split('\n')]).toEqual([
    0,
    [
      expect.stringMatching(new RegExp(`^${run} .*stopping$`)),
      '1 run to remove',
      '2 kept: it is among the newest of its playbook',
      'in the database: 0 plans and the contents of 0 jobs to remove',
      '',
    ],
  ]);
  expect(await stored(run)).toBeGreaterThan(0);
  const done = await later(all, a, 'runs', 'prune', '--yes', '-o', 'json');
  expect(JSON.parse(done.stdout)).toMatchObject({
    isDone: true,
    removed: [{ run, playbook: 'stopping' }],
    outdated: { plans: 0, jobs: 0 },
  });
  expect(await stored(run)).toBe(0);
  expect((await type(all, a, ['runs', 'show', run])).code).toBe(2);

  // What another machine knows of it stays until it is removed there; it is not stored again.
  const others = await type(all, b, ['runs', 'list']);
  expect([others.code, others.stderr]).toEqual([0, '']);
  expect(others.stdout).toContain(run);
  expect(others.stdout).not.toContain('damaged');
  for (const words of [
    ['show', run],
    ['verify', run],
  ]) {
    const { code, stderr } = await type(all, b, ['runs', ...words]);
    const removed = `the records of run ${run} were removed from the shared state`;
    expect([words, code, stderr]).toEqual([words, 5, expect.stringContaining(removed)]);
  }
  const resumed = await type(all, b, ['resume', run]);
  expect([resumed.code, resumed.stderr]).toEqual([
    5,
    expect.stringContaining(`the records of run ${run} were removed from the shared state`),
  ]);
  // Its plan does not run again, even on a machine that has never seen the run.
  const used = await type(all, fresh, planned);
  expect([used.code, used.stderr]).toEqual([5, expect.stringContaining(`already ran as ${run}`)]);
  expect((await type(all, fresh, ['runs', 'list'])).stdout).not.toContain(run);
  expect(await stored(run)).toBe(0);
  const there = await later(all, b, 'runs', 'prune', '--yes');
  expect([there.code, there.stdout]).toEqual([0, expect.stringContaining('1 run removed')]);
  expect((await type(all, b, ['runs', 'list'])).stdout).not.toContain(run);
}
