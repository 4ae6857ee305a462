/** A loop that stopped on one machine, and is finished with corrected rows on another one, over a shared store. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Ended } from '../cli/deskhand.ts';
import { halfLoop, rightRows, wrongRows } from '../support/half-loop.ts';
import { expectOrders, folder, follow, type, worker, type Desk } from './desk.ts';

function checkout(all: Desk, rows: string): string {
  const cwd = folder(all);
  writeFileSync(join(cwd, 'job.yaml'), halfLoop('name'));
  writeFileSync(join(cwd, 'orders.csv'), rows);
  return cwd;
}

/**
 * One machine runs a job that is refused half-way, a second one plans the rest, which a worker executes, and a third
 * one looks at both: each order is placed once.
 */
export async function finishesElsewhere(all: Desk): Promise<void> {
  const [a, b, c] = [checkout(all, wrongRows), checkout(all, rightRows), checkout(all, rightRows)];
  const inputs = ['--var-file', 'orders=orders.csv'];
  const refused = await type(all, a, ['run', 'job.yaml', ...inputs, '-o', 'json']);
  expect([refused.code, refused.stderr]).toEqual([1, expect.any(String)]);
  const { run } = JSON.parse(refused.stdout);
  const rest = ['job.yaml', ...inputs, '--from', 'enter[c]', '--of', run];
  const early = await type(all, b, ['plan', ...rest]);
  expect([early.code, early.stderr]).toEqual([
    5,
    expect.stringContaining(`deskhand runs set-aside ${run}`),
  ]);
  const aside = await type(all, b, ['runs', 'set-aside', run, '--reason', 'wrong side']);
  expect([aside.code, aside.stderr]).toEqual([0, expect.any(String)]);
  const plan = await type(all, b, ['plan', ...rest, '--out', 'plan.json']);
  expect([plan.code, plan.stderr]).toEqual([0, expect.any(String)]);
  expect(plan.stdout).toContain(`↺ a  reused from ${run}: BTCUSDT buy 0.001 @ 40000.0`);
  const working = await worker(all, {}, checkout(all, rightRows));
  const done: Ended = await follow(all, b, 'plan.json');
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)]);
  working.child.kill();
  await expectOrders(all, 4);
  const { run: second } = JSON.parse(readFileSync(join(b, 'plan.json'), 'utf8'));
  const again = await type(all, c, ['run', ...rest]);
  expect([again.code, again.stderr]).toEqual([
    5,
    expect.stringContaining(`${second} already sent 2 orders for the rest of ${run}`),
  ]);
  expect(again.stderr).toContain(`--of ${second}`);
  await expectOrders(all, 4);
  const shown = await type(all, c, ['runs', 'show', second]);
  expect(shown.stdout).toContain(`2 items reused from ${run}`);
  const drift = await type(all, c, ['drift', 'job.yaml']);
  expect([drift.code, drift.stdout]).toEqual([0, expect.stringContaining('0 differences')]);
}
