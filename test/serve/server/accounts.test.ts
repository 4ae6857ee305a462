/** Accounts and the sandbox over the API. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import { keepDrifts } from '../../../src/engine/plan/drift-record.ts';
import { openSandbox } from '../../../src/sandbox/sandbox.ts';
import { localPlace } from '../../../src/app/schedule/place.ts';
import type { AnswerOf, Routes } from '../../../src/serve/server/routes/index.ts';
import type { DeskServices } from '../../../src/serve/server/services.ts';
import { doneRun } from '../../support/entries.ts';
import { recordRun } from '../../support/recorded.ts';
import { startOfRuns } from '../../support/tape.ts';
import { served } from './desk.ts';

type Accounts = AnswerOf<Routes['GET /accounts']>;
type World = AnswerOf<Routes['GET /sandbox']>;

async function desk() {
  const folder = mkdtempSync(join(tmpdir(), 'accounts-'));
  mkdirSync(join(folder, 'playbooks'));
  writeFileSync(
    join(folder, 'deskhand.yaml'),
    'profiles:\n  main:\n    target: sandbox\n    guards: { writes: 5, symbols: [BTCUSDT] }\n',
  );
  const world = await openSandbox({ clock: standingClock(startOfRuns) });
  const asked: string[] = [];
  const services: DeskServices = {
    schedules: {
      isKept: false,
      find: async () => ({ schedules: [], left: [] }),
      place: async () => localPlace(join(folder, '.deskhand')),
      pause: () => Promise.reject(new Error('not here')),
      resume: () => Promise.reject(new Error('not here')),
    },
    findings: async (profile) => {
      asked.push(profile);
      return [{ what: 'clock', status: 'warning', message: 'off', fix: 'set it' }];
    },
    sandbox: {
      exists: () => true,
      words: async () => 'the sandbox of this folder',
      control: async ({ method, path, fields }) => world.control(method, path, fields),
      reset: async () => {
        world.control('POST', 'reset', {});
        return undefined;
      },
    },
  };
  return { ...(await served({ folder, services })), asked };
}

test('an account shows its guards, and its last drift', async () => {
  const { get, stateDir } = await desk();
  await recordRun(stateDir, doneRun());
  const drift = { playbook: 'ladder', file: 'l.yaml', profile: 'main', at: 1, compared: 3 };
  await keepDrifts(stateDir, [{ ...drift, differences: 1 }]);
  const { accounts } = (await (await get('/accounts')).json()) as Accounts;
  expect(accounts.find(({ profile }) => profile === 'main')).toMatchObject({
    target: 'sandbox',
    guards: [
      { name: 'max-writes', limit: '5' },
      { name: 'symbols', limit: 'BTCUSDT' },
    ],
    locks: [],
    drifts: [{ playbook: 'ladder', compared: 3, differences: 1 }],
  });
});

test('an account is checked on demand only, and an unknown one not at all', async () => {
  const { get, asked } = await desk();
  await get('/accounts');
  expect(asked).toEqual([]);
  const found = await get('/accounts/main/findings');
  expect(await found.json()).toEqual({
    findings: [{ what: 'clock', status: 'warning', message: 'off', fix: 'set it' }],
  });
  expect((await get('/accounts/other/findings')).status).toBe(404);
  expect(asked).toEqual(['main']);
});

test('a person advances the sandbox, sets a fault and removes it, and resets the world', async () => {
  const { get, post } = await desk();
  const world = async () => ((await (await get('/sandbox')).json()) as World).worlds[0];
  const before = await world();
  expect(before?.place).toBe('the sandbox of this folder');
  expect(before?.prices.columns.map(({ name }) => name)).toEqual([
    'category',
    'symbol',
    'price',
    'mark',
  ]);
  const advanced = await post('/sandbox/advance', { by: '15m' });
  expect(await advanced.json()).toEqual({ text: 'advanced the sandbox of this folder by 15m' });
  expect((await world())?.now).toBe((before?.now ?? 0) + 15 * 60_000);
  expect((await post('/sandbox/advance', { by: 'soon' })).status).toBe(400);
  const fault = { kind: 'reset', when: 'after-commit', operation: 'futures/place-order' };
  expect((await post('/sandbox/fault', { fault })).status).toBe(200);
  expect(JSON.stringify((await world())?.faults.rows)).toContain('futures/place-order');
  await post('/sandbox/fault', {});
  expect((await world())?.faults.rows).toEqual([]);
  expect((await post('/sandbox/reset', { isMeant: false })).status).toBe(400);
  expect((await post('/sandbox/reset', { isMeant: true })).status).toBe(200);
});
