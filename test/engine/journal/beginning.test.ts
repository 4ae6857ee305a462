/** Runs are listed while another process begins one. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import fileSystem from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { standingClock } from '../../../src/base/clock.ts';
import type { RunHeader } from '../../../src/engine/journal/header.ts';
import { everyRun, unnamedRuns } from '../../../src/engine/journal/run-list.ts';
import { createRun, journalPath, runFolder } from '../../../src/engine/journal/runs.ts';
import { afterEachTest } from '../../support/cleanup.ts';
import { started } from '../../support/desk-setup.ts';

/** Lets something happen elsewhere, once, just before a file is looked at. */
function beforeLook(at: string, work: () => Promise<void>): void {
  const { lstat } = fileSystem;
  const restore = (): void => {
    fileSystem.lstat = lstat;
    syncBuiltinESMExports();
  };
  onTestFinished(restore);
  fileSystem.lstat = (async (path: string) => {
    if (path === at) {
      restore();
      await work();
    }
    return lstat(path);
  }) as typeof lstat;
  syncBuiltinESMExports();
}

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
  ['no damaged run', async (state: string) => [...(await unnamedRuns(state)), header]],
])('a run that begins between two looks at its folder is not damaged: %s', async (_, list) => {
  const state = mkdtempSync(join(tmpdir(), 'beginning-'));
  afterEachTest(() => rmSync(state, { recursive: true, force: true }));
  mkdirSync(runFolder(state, 'r-1'), { recursive: true }); // the first thing that a new run does
  beforeLook(journalPath(state, 'r-1'), async () => {
    const journal = await createRun(state, header, clock);
    await journal.append(started('r-1', header.destination));
    await journal.close();
  });
  expect(await list(state)).toMatchObject([header]);
});
