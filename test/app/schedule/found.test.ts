/** Schedules that a server asks for again and again: a playbook is checked again only after a change. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configOf } from '../../../src/app/config/opened.ts';
import { schedulesIn, type Scheduled } from '../../../src/app/schedule/found.ts';
import { contextAt } from '../../cli/at.ts';
import { folderWith } from '../../cli/deskhand.ts';

const playbookOf = (name: string, steps: string): string => `playbook: 1\nname: ${name}\n${steps}`;
const reads = 'steps: [{ id: a, uses: market/list-tickers, with: { category: SPOT } }]\n';
const daily = (hour: number): string =>
  playbookOf(
    'daily',
    `schedule: [{ cron: "0 ${hour} * * *" }]\nsteps: [{ id: part, uses: ./part.yaml }]\n`,
  );

test('they are the same until the playbook, or one that it uses, changes', async () => {
  const folder = folderWith({ 'daily.yaml': daily(9), 'part.yaml': playbookOf('part', reads) });
  const context = { ...contextAt('2026-11-20T08:00:00Z', { folder }).context, folder };
  const config = await configOf(context);
  const file = 'daily.yaml';
  const found = (): Promise<Scheduled> => schedulesIn([file], config, context);
  const first = await found();
  expect(first.left).toEqual([]);
  expect(first.schedules.map(({ cron }) => cron)).toEqual(['0 9 * * *']);
  expect((await found()).schedules[0]).toBe(first.schedules[0]); // not checked again

  writeFileSync(join(folder, file), daily(7));
  expect((await found()).schedules.map(({ cron }) => cron)).toEqual(['0 7 * * *']);

  rmSync(join(folder, 'part.yaml'));
  const without = await found();
  expect([without.schedules, without.left]).toMatchObject([
    [],
    [{ because: expect.stringMatching(/part\.yaml/) }],
  ]);

  writeFileSync(join(folder, 'part.yaml'), playbookOf('part', reads));
  expect((await found()).schedules).toHaveLength(1);
});
