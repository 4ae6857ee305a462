/** What a command does when the store gives it no answer. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { second } from '../../src/base/clock.ts';
import { configOf } from '../../src/app/config/opened.ts';
import { syncState } from '../../src/app/store/synchronized.ts';
import { run as listRuns } from '../../src/cli/commands/runs-list.ts';
import type { Context } from '../../src/cli/context.ts';
import { UnreachableError } from '../../src/stores/store.ts';
import { machineOn } from '../stores/shared/machines.ts';
import { SimulatedDatabase } from '../stores/shared/simulated.ts';
import { contextAt, givenOf } from './at.ts';

interface Asking {
  readonly context: Context;
  readonly asked: () => number;
  readonly err: () => string;
}

/** A command on a machine whose first questions to the store get no answer. */
function asking(silences: number): Asking {
  const folder = mkdtempSync(join(tmpdir(), 'patience-'));
  const file = join(folder, 'deskhand.yaml');
  writeFileSync(file, 'state: { store: git }\n');
  const where = { folder, config: file };
  const { context, err } = contextAt('2026-11-20T12:00:00Z', where);
  let asked = 0;
  const { store } = machineOn(
    () =>
      new SimulatedDatabase(context.clock).connect(() =>
        ++asked <= silences ? 'unreachable' : undefined,
      ),
    context.clock,
  );
  return { context: { ...context, store }, asked: () => asked, err };
}

test('one unanswered question ends no command: it is asked again, and that is said once', async () => {
  const { context, err } = asking(3);
  const { store } = context;
  expect(await syncState(await configOf(context), context)).toBe(store);
  expect(err()).toBe('! waiting up to 10 s for the store: the database gave no answer\n');
});

test('a store that stays silent is waited for ten seconds, then the command fails', async () => {
  const { context, asked, err } = asking(Infinity);
  const since = context.clock.monotonic();
  const synced = syncState(await configOf(context), context);
  await expect(synced).rejects.toThrow(UnreachableError);
  expect(context.clock.monotonic() - since).toBe(10 * second);
  expect([asked(), err().split('\n')]).toEqual([21, [expect.stringMatching(/waiting/), '']]);
});

test('a list of runs is complete when the store answers again, and says so when it does not', async () => {
  const list = async (silences: number): Promise<string> => {
    const { context, err } = asking(silences);
    await listRuns(context, givenOf({ words: [] }));
    return err();
  };
  expect(await list(2)).toBe('! waiting up to 10 s for the store: the database gave no answer\n');
  expect(await list(Infinity)).toMatch(/only runs of this machine are known/);
});

test('a worker does not wait: its leases end', async () => {
  const { context, asked } = asking(1);
  const config = await configOf(context);
  const synced = syncState(config, { ...context, isWorker: true });
  await expect(synced).rejects.toThrow(UnreachableError);
  expect(asked()).toBe(1);
});
