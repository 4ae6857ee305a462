/** Restate as SharedFiles, SharedOutputs and SharedPlans. */
import { expect, test } from 'vitest';
import { openRestateFiles } from '../../src/stores/restate/files.ts';
import { openRestatePlans } from '../../src/stores/restate/plans.ts';
import { sharedFilesContract } from '../stores/shared/files-contract.ts';
import { outputsContract } from '../stores/shared/outputs-contract.ts';
import { optionsOf, preparedServer, restateWorld } from './world.ts';

outputsContract('Restate', restateWorld);

sharedFilesContract('Restate', async () => {
  const prepared = await preparedServer();
  const { clock } = prepared;
  return {
    connect: () => openRestateFiles(optionsOf(prepared)),
    advance: async (ms) => clock.advance(ms),
    close: () => prepared.close(),
  };
});

test('a plan is found as it was put, and its id never becomes another plan', async () => {
  const prepared = await preparedServer();
  const plans = openRestatePlans(optionsOf(prepared));
  const text = `é "\u2028"\n${'x'.repeat(2 ** 20)}\n`;
  expect(await plans.find('p-1')).toBeUndefined();
  expect([await plans.put('p-1', text), await plans.put('p-1', text)]).toEqual([true, true]);
  expect(await plans.put('p-1', 'other')).toBe(false);
  expect((await plans.find('p-1')) === text).toBe(true);
  expect(await plans.find('p-2')).toBeUndefined();
  await plans.close();
  await prepared.close();
});
