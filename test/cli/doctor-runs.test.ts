/** `doctor` names each run that needs a person, however many runs ended since. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { hour } from '../../src/base/clock.ts';
import { run as doctor } from '../../src/cli/commands/doctor.ts';
import type { Finding } from '../../src/app/doctor/finding.ts';
import type { Entry } from '../../src/engine/journal/entry.ts';
import { journalPath } from '../../src/engine/journal/runs.ts';
import { setAsideEvent } from '../../src/engine/journal/unfinished.ts';
import { doneRun, doubtRun, interruptedRun, killedRun } from '../support/entries.ts';
import { openedIn } from '../support/opened.ts';
import { continueRun, recordRun } from '../support/recorded.ts';
import { at } from './at.ts';
import { folderWith } from './deskhand.ts';

const now = '2026-12-20T04:00:00Z';

async function diagnose(folder: string): Promise<readonly Finding[]> {
  const { out } = await at(now, { folder }, doctor, {
    words: [],
    flags: { offline: true },
    output: 'json',
  });
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] };
  return findings.filter(({ what }) => what === 'runs');
}

function later(entries: readonly Entry[], hours: number): readonly Entry[] {
  return entries.map((entry) => ({ ...entry, at: entry.at + hours * hour }));
}

/** A folder in which so many runs ended after a run in doubt and an interrupted one. */
async function deskWith(ended: number): Promise<string> {
  const folder = folderWith();
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  await recordRun(state, doubtRun(), 'r-doubt');
  await recordRun(state, interruptedRun(), 'r-stopped');
  for (let run = 0; run < ended; run++) {
    await recordRun(state, later(doneRun(), 1 + run), `r-${run}`);
  }
  return folder;
}

test('a doubt and an interrupted run are named beside 210 later runs', async () => {
  const folder = await deskWith(210);
  const found = [
    {
      status: 'warning',
      fix: 'deskhand resume r-doubt',
      message: expect.stringContaining('in doubt'),
    },
    {
      status: 'warning',
      fix: 'deskhand resume r-stopped',
      message: expect.stringContaining('interrupted'),
    },
  ];
  expect(await diagnose(folder)).toMatchObject(found.toReversed());
});

test('of many runs the newest are named, and the others counted', async () => {
  const folder = folderWith();
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  for (let run = 0; run < 53; run++) await recordRun(state, later(killedRun(), run), `r-${run}`);
  const found = await diagnose(folder);
  expect([found.length, found[0]?.fix]).toEqual([51, 'deskhand resume r-52']);
  expect(found.at(-1)?.message).toBe('3 older runs in doubt, interrupted or damaged');
});

test('a run that was set aside needs nobody, and a damaged one is named', async () => {
  const folder = await deskWith(2);
  const state = join(folder, 'state');
  const word = setAsideEvent({ who: 'ann', reason: 'closed by hand' });
  const last = interruptedRun().at(-1) as Entry;
  await continueRun(state, 'r-stopped', [{ ...last, ...word } as Entry]);
  writeFileSync(journalPath(state, 'r-0'), '{}\n');
  const fixes = (await diagnose(folder)).map(({ status, fix }) => [status, fix]);
  expect(fixes).toEqual([
    ['failure', 'deskhand runs show r-0'],
    ['warning', 'deskhand resume r-doubt'],
  ]);
});

test('a doubt is named also of a run that was killed, and of one that was set aside', async () => {
  const folder = folderWith();
  const state = join(folder, 'state');
  mkdirSync(state, { mode: 0o700 });
  await recordRun(state, killedRun(), 'r-killed');
  const aside = setAsideEvent({ who: 'ann', reason: 'the desk looks for it' });
  const last = killedRun().at(-1) as Entry;
  await recordRun(state, [...killedRun(), { ...last, ...aside } as Entry], 'r-aside');
  const messages = (await diagnose(folder)).map(({ message }) => message).toSorted();
  expect(messages).toEqual([
    expect.stringMatching(/^r-aside .* was set aside with 1 write in doubt$/),
    expect.stringMatching(/^r-killed .* was interrupted with 1 write in doubt$/),
  ]);
});

test('the records of ended runs are read once, and those of others each time', async () => {
  const folder = await deskWith(5);
  await recordRun(join(folder, 'state'), killedRun(), 'r-killed');
  await setTimeout(2_100); // files that have just changed are not stored
  await diagnose(folder);
  const paths = await openedIn(join(folder, 'state'), async () => {
    expect(await diagnose(folder)).toHaveLength(3);
  });
  const files = paths.filter((path) => path.endsWith('son')); // the folder is listed, too
  expect(new Set(files.map((path) => basename(dirname(path))))).toEqual(new Set(['r-killed']));
});
