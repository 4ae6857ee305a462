/** A plan does not run before another person approved it, nor after the approval or the price changed. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deskhand } from '../cli/deskhand.ts';
import { push, put } from '../pipelines/host.ts';
import { git } from '../stores/machines.ts';
import { annsKey, bensKey, five, team } from './team.ts';

test('a missing, an author’s and a changed approval are refused, and so is a plan behind a moved price', async () => {
  const { world, exchange, repo, ann, ben, run, resting } = await team();
  const before = await resting();
  put(ben, { 'playbooks/ladder.yaml': five });
  const made = await run(
    ben,
    'deskhand plan playbooks/ladder.yaml --expires 2h --out plans/ladder.json',
  );
  expect(made).toMatchObject({ code: 0 });
  push({ ...repo, clone: ben }, 'ladder', 'a ladder, and its plan');
  git(ann, ['fetch', '--quiet']);
  git(ann, ['checkout', '--quiet', 'origin/ladder']);

  // Ben may not approve what he wrote; Ann may.
  const own = await run(ben, `deskhand approve plans/ladder.json --key ${bensKey()}`);
  expect(own).toMatchObject({
    code: 5,
    text: expect.stringContaining('ben@desk.example wrote it'),
  });
  const early = await run(ann, 'deskhand run plans/ladder.json');
  expect(early).toMatchObject({ code: 5, text: expect.stringContaining('requires 1 approval') });
  expect(await run(ann, `deskhand approve plans/ladder.json --key ${annsKey()}`)).toMatchObject({
    code: 0,
  });
  const [name = ''] = readdirSync(join(ann, 'approvals'));
  const record = join(ann, 'approvals', name);
  const approval = readFileSync(record, 'utf8');
  writeFileSync(record, approval.replace('"orders": 5', '"orders": 4'));
  const forged = await run(ann, 'deskhand run plans/ladder.json');
  expect(forged).toMatchObject({ code: 5, text: expect.stringContaining('was changed') });
  writeFileSync(record, approval);

  const market = ['category=USDT-FUTURES', 'symbol=BTCUSDT', 'price=50000', 'mark=50000'];
  const at = { cwd: world, env: exchange.env('hedge') };
  const moved = await deskhand(['sandbox', 'control', 'market', ...market], at);
  expect(moved.code).toBe(0);
  const stale = await run(ann, 'deskhand run plans/ladder.json');
  expect(stale).toMatchObject({
    code: 5,
    text: expect.stringMatching(/is stale: the mark price of BTCUSDT was [\d.]+ and is 50000/),
  });
  expect(await resting()).toEqual(before);
});
