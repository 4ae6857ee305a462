/** Every example playbook is validated, planned, run, and run again on the sandbox. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fieldOf } from '../src/base/json.ts';
import { familyOf } from '../src/exchange/api/family.ts';
import { operationOf } from '../src/exchange/api/operations/index.ts';
import { stepsOf } from '../src/language/expressions.ts';
import { loadPlaybook } from '../src/language/load.ts';
import { resolveInputs } from '../src/language/inputs.ts';
import type { Playbook } from '../src/language/playbook.ts';
import { desksOf } from './support/desks.ts';
import { ledgerOn, live, openHarness, ordersPlaced, planOn } from './support/harness.ts';

const folder = join(import.meta.dirname, '..', 'workflows');
const files = readdirSync(folder).filter((name) => /(?<!\.test)\.yaml$/.test(name));

test('there are at least six', () => expect(files.length).toBeGreaterThanOrEqual(6));

/** The accounts that the items of a playbook name. */
function desksIn(playbook: Playbook): readonly string[] {
  const { desks } = resolveInputs(playbook, new Map()).inputs;
  const names = Array.isArray(desks) ? desks.map((each) => fieldOf(each, 'desk')) : [];
  return names.filter((name) => typeof name === 'string');
}

describe.each(files)('%s', (file) => {
  const { playbook, problems } = loadPlaybook(readFileSync(join(folder, file), 'utf8'), file);

  test('has no problems and no warnings', () => expect(problems).toEqual([]));

  test('serves accounts of one family, but for sub-accounts, which the unified one alone creates', () => {
    const families = stepsOf(playbook ?? { steps: [], onFailure: [], finally: [] }).flatMap(
      ({ action, uses }) =>
        action.kind === 'call' && uses !== 'account/create-sub'
          ? (familyOf(operationOf(action.operation)) ?? [])
          : [],
    );
    expect(new Set(families).size).toBeLessThanOrEqual(1);
  });

  test('runs to its end, and a second run places nothing twice', async () => {
    if (playbook === undefined) throw new Error('not valid');
    const harness = await openHarness();
    const accounts = await desksOf(harness, desksIn(playbook));
    const plan = await planOn(harness, playbook, new Map(), accounts);
    const ids = playbook.steps.map(({ id }) => id);
    expect(plan.steps.map(({ id }) => id).filter((id) => ids.includes(id))).toEqual(ids);
    const result = await live(harness, playbook, { accounts });
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
    const again = { ledger, accounts, runId: 'r-again' };
    expect((await live(harness, playbook, again)).status).toBe('done');
    expect((await ordersPlaced(harness)).size).toBe(placed.size);
  });
});
