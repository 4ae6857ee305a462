/** `schedule run-due --from --to`: the occurrences of a past range, in order, each once. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { day, systemClock } from '../../src/base/clock.ts';
import { run as runDue } from '../../src/cli/commands/schedule-run-due.ts';
import { run as pause } from '../../src/cli/commands/schedule-pause.ts';
import type { Run } from '../../src/cli/context.ts';
import { contextAt, givenOf, type Words } from './at.ts';
import { deskhand, folderWith } from './deskhand.ts';

const daily = `playbook: 1
name: daily
account: main
schedule: [{ cron: "15 2 * * *", timezone: Europe/Berlin }]
steps:
  - id: records
    uses: tax/list-p2p
    with:
      startTime: "${Date.UTC(2026, 9, 20)}"
      endTime: "{{ addTime (startOfDay run.scheduled-for) '-1ms' }}"
    write: { file: "out/p2p-{{ date row.ts 'yyyy-MM' }}.csv", since: last, overlap: 2d }
`;

const writing = `playbook: 1
name: growth
account: main
schedule: [{ cron: "0 9 * * *", timezone: Europe/Berlin }]
steps:
  - { id: sub, uses: account/create-sub, with: { username: alpha } }
`;

const files = {
  'deskhand.yaml': 'profiles:\n  main: { as: hedge }\n',
  'daily.yaml': daily,
  'growth.yaml': writing,
};

/** Runs a verb in a folder, with a fixed clock. */
async function inFolder(folder: string, now: string, verb: Run, words: Words) {
  const { context, out, err } = contextAt(now, { folder }, words.output);
  const code = await verb({ ...context, folder }, givenOf(words));
  return { code, out: out(), err: err() };
}

test('the occurrences of a past range run in order, once, each with its own time', async () => {
  const folder = folderWith(files);
  const now = '2026-11-20T12:00:00Z';
  const words = {
    words: [join(folder, 'daily.yaml')],
    flags: { from: '2026-10-24', to: '2026-10-27' },
  };
  const first = await inFolder(folder, now, runDue, words);
  const done = [...first.err.matchAll(/done (\S+) as/g)].map(([, time]) => time);
  // The clocks of Berlin go back on 25 October: its day has 25 hours.
  expect(done).toEqual(['2026-10-24T00:15Z', '2026-10-25T00:15Z', '2026-10-26T01:15Z']);
  expect(first.code).toBe(0);
  const manifest = JSON.parse(
    readFileSync(join(folder, 'out/p2p-2026-10.csv.manifest.json'), 'utf8'),
  );
  expect(manifest.covered).toEqual([
    { from: Date.UTC(2026, 9, 20), to: Date.UTC(2026, 9, 26) - 1 },
  ]);
  const again = await inFolder(folder, now, runDue, words);
  expect([again.code, again.err]).toEqual([0, 'no occurrence of this time is left to run\n']);
  const on = await inFolder(folder, now, runDue, {
    words: [join(folder, 'daily.yaml')],
    flags: { from: '2026-11-01', to: '2026-11-03' },
  });
  expect(on.err.match(/done /g)).toHaveLength(2);
  expect(readdirSync(join(folder, 'out')).toSorted()).toEqual([
    'p2p-2026-10.csv',
    'p2p-2026-10.csv.manifest.json',
    'p2p-2026-11.csv',
    'p2p-2026-11.csv.manifest.json',
  ]);
});

test('a schedule that writes, the future and a range that is not one are refused', async () => {
  const folder = folderWith(files);
  const refusal = (words: string, flags: Readonly<Record<string, string>>) =>
    inFolder(folder, '2026-11-20T12:00:00Z', runDue, { words: [join(folder, words)], flags }).catch(
      (error: unknown) => (error instanceof Error ? error.message : ''),
    );
  expect(await refusal('growth.yaml', { from: '2026-11-10' })).toBe(
    'growth writes, and is not run for times that are over',
  );
  expect(await refusal('daily.yaml', { from: '2026-11-10', to: '2027-01-01' })).toBe(
    '--to is in the future',
  );
  expect(await refusal('daily.yaml', { from: '2026-11-10', to: '2026-11-10' })).toBe(
    '--from is not before --to',
  );
  expect(await refusal('daily.yaml', { to: '2026-11-10' })).toBe('--to requires --from');
  expect(await refusal('daily.yaml', { from: 'monday' })).toBe('--from is not a time: monday');
});

test('a paused schedule is not run for the past', async () => {
  const folder = folderWith(files);
  const now = '2026-11-20T12:00:00Z';
  const paused = { words: ['daily'], flags: { reason: 'maintenance' } };
  await inFolder(folder, now, pause, paused);
  const words = { words: [join(folder, 'daily.yaml')], flags: { from: '2026-11-18' } };
  const { err } = await inFolder(folder, now, runDue, words);
  expect(err).not.toContain('done');
});

test('export --since last continues, and a plan says from where', async () => {
  const cwd = folderWith(files);
  const start = new Date(systemClock.now() - 5 * day).toISOString().slice(0, 10);
  const words = ['tax/list-p2p', `startTime=${start}`, '--file', 'out/all.csv', '-p', 'main'];
  const exporting = ['export', ...words, '--since', 'last', '--overlap', '2d'];
  const first = await deskhand(exporting, { cwd });
  expect([first.code, first.stdout]).toEqual([0, expect.stringMatching(/\d+ rows?, \d+ added, /)]);
  const second = await deskhand(exporting, { cwd });
  expect(second.stdout).toMatch(/\d+ rows?, 0 added since \d{4}-\d\d-\d\d .* UTC, /);
  const playbook = `playbook: 1
name: all
account: main
steps:
  - id: export
    uses: tax/list-p2p
    with: { startTime: "{{ daysAgo 5 }}" }
    write: { file: out/all.csv, since: last }
`;
  writeFileSync(join(cwd, 'all.yaml'), playbook);
  const planned = await deskhand(['plan', 'all.yaml'], { cwd });
  expect(planned.stdout).toMatch(/continues from \d{4}-\d\d-\d\d .* UTC/);
  const both = await deskhand([...exporting, '--overwrite'], { cwd });
  expect([both.code, both.stderr]).toEqual([
    2,
    expect.stringContaining('--since continues a file'),
  ]);
});
