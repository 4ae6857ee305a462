/** Runs are listed while another process begins one. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type * as FileSystem from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { standingClock } from '../../src/base/clock.ts';
import type { RunHeader } from '../../src/journal/header.ts';
import { everyRun, everyRunToShow, unnamedRuns } from '../../src/journal/run-list.ts';
import { createRun, journalPath, runFolder } from '../../src/journal/runs.ts';
import { afterEachTest } from '../support/cleanup.ts';
import { started } from '../support/desk-setup.ts';

/** What happens elsewhere just before a file is looked at. */
const elsewhere = vi.hoisted(() => ({
  before: async (_path: string): Promise<void> => undefined,
}));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof FileSystem>();
  const lstat = async (path: string): Promise<unknown> => {
    await elsewhere.before(path);
    return real.lstat(path);
  };
  return { ...real, lstat };
});

const clock = standingClock(1_700_000_000_000);
const header: RunHeader = {
  run: 'r-1',
  playbook: 'desk-setup',
  destination: { profile: 'sandbox', target: 'sandbox', host: 'in-process' },
  createdAt: 1,
  program: 'deskhand 0',
};

test.each([
  ['every run', async (state: string) => everyRun(state)],
  ['every run to show', async (state: string) => (await everyRunToShow(state)).headers],
  ['no damaged run', async (state: string) => [...(await unnamedRuns(state)), header]],
])('a run that begins between two looks at its folder is not damaged: %s', async (_, list) => {
  const state = mkdtempSync(join(tmpdir(), 'beginning-'));
  afterEachTest(() => rmSync(state, { recursive: true, force: true }));
  mkdirSync(runFolder(state, 'r-1'), { recursive: true }); // the first thing that a new run does
  elsewhere.before = async (path) => {
    if (path !== journalPath(state, 'r-1')) return;
    elsewhere.before = async () => undefined;
    const journal = await createRun(state, header, clock);
    await journal.append(started('r-1', header.destination));
    await journal.close();
  };
  expect(await list(state)).toMatchObject([header]);
});
