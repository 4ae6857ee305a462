/** Schedules as lines of a crontab, on the clocks of the machine that keeps it. */
import type { Millis } from '../../base/clock.ts';
import { shellWord } from '../../base/text.ts';
import type { Schedule } from '../schedule.ts';
import { wordsFor, type ExportPlace } from './place.ts';
import { fiveFields, wakesOf } from './wakes.ts';

/** @param timezone of that machine: a crontab has no other */
export function crontabOf(
  schedules: readonly Schedule[],
  place: ExportPlace,
  { timezone, now }: { readonly timezone: string; readonly now: Millis },
): string {
  const lines = schedules.flatMap((schedule) => {
    const { playbook, cron, timezone: own, file } = schedule;
    const words = wordsFor(schedule, place).map(shellWord).join(' ');
    const command = `cd ${shellWord(place.folder)} && ${words}`.replaceAll('%', String.raw`\%`);
    return [
      '',
      `# ${playbook} (${file}): ${cron} ${own}`,
      ...wakesOf(schedule, timezone, now).map((wake) => `${fiveFields(wake)} ${command}`),
    ];
  });
  return [
    `# deskhand schedules, for a machine whose clocks show ${timezone}.`,
    '# A line may wake deskhand more often than a schedule is due: it then does nothing.',
    '# Keys: name files with DESKHAND_API_KEY_FILE=… and its siblings above the lines.',
    ...lines,
    '',
  ].join('\n');
}
