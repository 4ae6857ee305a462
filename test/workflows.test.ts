/** Every example playbook is validated, planned, run, and run again on the sandbox. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadPlaybook } from '../src/playbook/load.ts';
import { ledgerOn, live, openHarness, ordersPlaced, planOn } from './support/harness.ts';

const folder = join(import.meta.dirname, '..', 'workflows');
const files = readdirSync(folder).filter((name) => /(?<!\.test)\.yaml$/.test(name));

test('there are at least six', () => expect(files.length).toBeGreaterThanOrEqual(6));

describe.each(files)('%s', (file) => {
  const { playbook, problems } = loadPlaybook(readFileSync(join(folder, file), 'utf8'), file);

  test('has no problems and no warnings', () => expect(problems).toEqual([]));

  test('runs to its end, and a second run places nothing twice', async () => {
    if (playbook === undefined) throw new Error('not valid');
    const harness = await openHarness();
    const plan = await planOn(harness, playbook);
    expect(plan.steps.map(({ id }) => id)).toEqual(playbook.steps.map(({ id }) => id));
    const result = await live(harness, playbook);
    expect(result.status).toBe('done');
    const placed = await ordersPlaced(harness);
    expect(
      [...placed].filter(([id]) => id.startsWith('dh')).every(([, times]) => times === 1),
    ).toBe(true);

    const ledger = ledgerOn(harness);
    const isOncePerPlaybook = playbook.steps.every(
      ({ uses, oncePer }) => !/place-order|create-sub/.test(uses) || oncePer === 'playbook',
    );
    if (!isOncePerPlaybook) return;
    harness.disk = '';
    expect((await live(harness, playbook, { ledger, runId: 'r-again' })).status).toBe('done');
    expect((await ordersPlaced(harness)).size).toBe(placed.size);
  });
});
