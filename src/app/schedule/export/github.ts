/** Schedules as a GitHub workflow, whose runners keep no state. */
import { isAbsolute, normalize } from 'node:path';
import { minute, type Millis } from '../../../base/clock.ts';
import { UsageError } from '../../../base/error.ts';
import { plainText, shellWord, spoken } from '../../../base/text.ts';
import type { Schedule } from '../schedule.ts';
import { occurrencesAfter } from '../occurrences.ts';
import { wordsFor } from './location.ts';
import { fiveFields, wakesOf } from './wakes.ts';

const shortest = 5 * minute; // GitHub's minimum interval
const lateMost = 45 * minute; // GitHub often starts scheduled workflows late

export interface WorkflowParts {
  /** The first steps of the job, which check the repository out and install deskhand. */
  readonly preparation: string;
  /** The lines with the secrets of a step. */
  readonly environment: string;
  /** The last step, which keeps the folder of reports. */
  readonly conclusion: string;
}

/**
 * The GitHub workflow of schedules, in UTC, which GitHub uses.
 * @throws UsageError for a schedule that writes, or runs too often
 */
export function workflowOf(
  schedules: readonly Schedule[],
  now: Millis,
  { preparation, environment, conclusion }: WorkflowParts,
): string {
  for (const schedule of schedules) refuseUnfit(schedule, now);
  const wakes = schedules.flatMap((schedule) => wakesOf(schedule, 'UTC', now).map(fiveFields));
  const steps = schedules.flatMap((schedule) => {
    const late = Math.min(lateMost, shortestGap(schedule, now) - minute);
    const words = wordsFor(schedule, { folder: '', program: ['deskhand'] });
    const command = [...words, '--late', `${Math.floor(late / minute)}m`].map(shellWord).join(' ');
    const { playbook, cron, timezone } = schedule;
    return [
      `      - name: ${JSON.stringify(`${playbook}: ${cron} ${timezone}`)}`,
      ...(environment === '' ? [] : [environment.trimEnd()]),
      `        run: ${JSON.stringify(`${command} --report "$RUNNER_TEMP/reports"`)}`,
    ];
  });
  return [
    '# Written by `deskhand schedule export --github`. Times are in UTC; a job may be started more',
    '# often than a schedule is due, and then does nothing. A runner keeps no state: an occurrence may',
    '# run twice, so only reads are allowed, and a time that GitHub skips is not run later.',
    'name: deskhand schedules',
    'on:',
    '  workflow_dispatch:',
    '  schedule:',
    ...[...new Set(wakes)].map((fields) => `    - cron: ${JSON.stringify(fields)}`),
    'permissions: {}',
    'concurrency: { group: deskhand-schedules, cancel-in-progress: false }',
    'defaults: { run: { shell: bash } }',
    'jobs:',
    '  due:',
    '    runs-on: ubuntu-latest',
    '    permissions: { contents: read }',
    '    steps:',
    preparation,
    ...steps,
    conclusion,
    '',
  ].join('\n');
}

function refuseUnfit(schedule: Schedule, now: Millis): void {
  const { file, cron, timezone } = schedule;
  const which = `${plainText(file, 120)}, ${cron} ${timezone}`;
  refuseFile(file);
  if (schedule.writes) {
    throw new UsageError(
      `${which} writes, but a GitHub runner does not record what it ran`,
      'run it on one machine with --systemd, --cron or `deskhand schedule serve`',
    );
  }
  const gap = shortestGap(schedule, now);
  if (gap >= shortest) return;
  throw new UsageError(
    `${which} runs every ${spoken(gap)}, and GitHub starts workflows at most every 5 minutes`,
    'use longer intervals, or run it with --systemd, --cron or `deskhand schedule serve`',
  );
}

/** Refuses a file that a runner does not have after checkout, or whose name GitHub would expand. */
function refuseFile(file: string): void {
  const hint = 'run the export at the root of the repository, and name the file from there';
  if (isAbsolute(file) || /^\.\.(\/|$)/.test(normalize(file))) {
    throw new UsageError(`${plainText(file, 120)} is not in the repository`, hint);
  }
  if (file.includes('${{')) {
    throw new UsageError(
      `${plainText(file, 120)} holds \${{, which GitHub would expand`,
      'rename the file',
    );
  }
}

/** The minimum interval between the next occurrences. */
function shortestGap(schedule: Schedule, now: Millis): Millis {
  let [before, gap, count] = [-Infinity, Infinity, 0];
  for (const occurrence of occurrencesAfter(schedule, now)) {
    gap = Math.min(gap, occurrence - before);
    before = occurrence;
    if (++count > 500) break;
  }
  return gap;
}
