/** A resumed run of a plan that sent nothing yet keeps to the plan's market data. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand, folderWith, type Ended } from './deskhand.ts';
import { files, resting } from './ladder.ts';
import { recordBeginning } from './record.ts';

const at = (cwd: string, ...words: string[]): Promise<Ended> => deskhand(words, { cwd });

test('it is resumed while the plan is current, and refused after the market moved too far', async () => {
  const cwd = folderWith(files);
  expect((await at(cwd, 'plan', 'ladder.yaml', '--out', 'plan.json')).code).toBe(0);
  const [whole, moved] = [folderWith(), folderWith()];
  cpSync(cwd, whole, { recursive: true });
  const { stdout } = await at(whole, 'run', 'plan.json', '-o', 'json');
  const { run } = JSON.parse(stdout);
  await recordBeginning(run, { from: join(whole, '.deskhand'), to: join(cwd, '.deskhand') });
  cpSync(cwd, moved, { recursive: true });

  const market = ['category=USDT-FUTURES', 'symbol=BTCUSDT', 'price=41000', 'mark=41000'];
  expect((await at(moved, 'sandbox', 'control', 'market', ...market)).code).toBe(0);
  const refused = await at(moved, 'resume', run);
  expect([refused.code, refused.stderr]).toEqual([5, expect.stringContaining('is stale')]);
  expect(await resting(moved)).toBe(0);

  const other = await at(cwd, 'plan', 'ladder.yaml', '--out', 'other.json');
  const unlike = await at(cwd, 'resume', run, '--plan', 'other.json');
  expect([other.code, unlike.code, unlike.stderr]).toEqual([
    0,
    5,
    expect.stringContaining(`its run in the journal of run ${run} differs from plan`),
  ]);
  expect(await resting(cwd)).toBe(0);

  const resumed = await at(cwd, 'resume', run);
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.any(String)]);
  expect(await resting(cwd)).toBe(3);
});
