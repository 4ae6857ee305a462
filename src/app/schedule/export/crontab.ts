/** Schedules as crontab lines, in the time zone of their machine. */
import type { Millis } from '../../../base/clock.ts';
import { UsageError } from '../../../base/error.ts';
import { plainText, shellWord } from '../../../base/text.ts';
import type { Schedule } from '../schedule.ts';
import { wordsFor, type ExportPlace } from './location.ts';
import { fiveFields, wakesOf } from './wakes.ts';

/**
 * The crontab lines of schedules.
 * @param timezone of the machine: a crontab has no other
 */
export function crontabOf(
  schedules: readonly Schedule[],
  place: ExportPlace,
  { timezone, now }: { readonly timezone: string; readonly now: Millis },
): string {
  const lines = schedules.flatMap((schedule) => {
    const { playbook, cron, timezone: own, file } = schedule;
    const words = wordsFor(schedule, place).map(cronWord).join(' ');
    const command = `cd ${cronWord(place.folder)} && ${words}`;
    refuseLong(command, file);
    return [
      '',
      `# ${playbook} (${file}): ${cron} ${own}`,
      ...wakesOf(schedule, timezone, now).map((wake) => `${fiveFields(wake)} ${command}`),
    ];
  });
  return [
    `# deskhand schedules, for a machine whose clocks show ${timezone}.`,
    '# A line may start deskhand when no schedule is due: it then does nothing.',
    '# Keys: name files with DESKHAND_API_KEY_FILE=… and its siblings above the lines.',
    ...lines,
    '',
  ].join('\n');
}

/**
 * Quotes a word for the shell in a crontab: a `%` would end the command, so it gets a backslash.
 * Crons differ in which other backslashes they remove, so two in a row, or one before `%`, are
 * separated by empty quotes.
 */
function cronWord(word: string): string {
  return shellWord(word)
    .replaceAll(/\\(?=[\\%])/g, String.raw`\''`)
    .replaceAll('%', String.raw`\%`);
}

const commandMax = 990; // bytes; common crons refuse, or truncate, lines of a thousand

function refuseLong(command: string, file: string): void {
  if (Buffer.byteLength(command) <= commandMax) return;
  throw new UsageError(
    `the command for ${plainText(file, 120)} is longer than a crontab allows`,
    'use --systemd, or keep the folder under a shorter path',
  );
}
