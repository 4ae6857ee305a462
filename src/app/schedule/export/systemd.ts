/** Schedules as systemd units: a service that checks once, and a timer that starts it. */
import type { Millis } from '../../../base/clock.ts';
import type { Schedule } from '../schedule.ts';
import { wordsFor, type ExportPlace } from './location.ts';
import { listedNumbers, wakesOf, type Wake } from './wakes.ts';

export interface Unit {
  readonly name: string;
  readonly text: string;
}

/** The systemd units of schedules. Timers are in UTC, so clock changes do not affect them. */
export function unitsOf(
  schedules: readonly Schedule[],
  place: ExportPlace,
  now: Millis,
): readonly Unit[] {
  return schedules.flatMap((schedule) => {
    const { playbook, id, cron, timezone } = schedule;
    const name = `deskhand-${playbook.replaceAll(/[^A-Za-z0-9_-]/g, '-')}-${id}`;
    const description = `Description=deskhand: ${specifiers(`${playbook}, ${cron} ${timezone}`)}`;
    const words = wordsFor(schedule, place).map(unitWord).join(' ');
    const service = [
      '[Unit]',
      description,
      'Wants=network-online.target',
      'After=network-online.target',
      '',
      '[Service]',
      'Type=oneshot',
      `WorkingDirectory=${specifiers(folderSetting(place.folder))}`,
      `ExecStart=${words}`,
      '# Keys: Environment=DESKHAND_API_KEY_FILE=… and its siblings, or LoadCredential=.',
      'UMask=0077',
      'TimeoutStopSec=30',
    ];
    const timer = [
      '[Unit]',
      description,
      '',
      '[Timer]',
      ...wakesOf(schedule, 'UTC', now).map((wake) => `OnCalendar=${calendarOf(wake)}`),
      'AccuracySec=1s',
      '# After a time off, so that missed times are decided as the playbook says.',
      'Persistent=true',
      '',
      '[Install]',
      'WantedBy=timers.target',
    ];
    return [
      { name: `${name}.service`, text: `${service.join('\n')}\n` },
      { name: `${name}.timer`, text: `${timer.join('\n')}\n` },
    ];
  });
}

const weekdayNames = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The calendar expression of a timer, such as `Mon,Tue *-01-28..31 18:15:00 UTC`. */
function calendarOf({ minutes, hours, days, months, weekdays }: Wake): string {
  const list = (field: readonly number[] | undefined): string =>
    field === undefined ? '*' : listedNumbers(field, '..');
  const onDays =
    weekdays === undefined ? '' : `${weekdays.map((at) => weekdayNames[at]).join(',')} `;
  const every = minutes.length === 60 ? '*' : list(minutes);
  return `${onDays}*-${list(months)}-${list(days)} ${list(hours)}:${every}:00 UTC`;
}

/**
 * Quotes the folder of a service. A setting loses trailing spaces, and a backslash at its end continues the
 * line.
 */
function folderSetting(folder: string): string {
  return /[\s\\]$/.test(folder) ? `${folder}/` : folder;
}

function specifiers(text: string): string {
  return text.replaceAll('%', '%%');
}

/** Quotes an argument of ExecStart, so that systemd expands nothing in it. */
function unitWord(word: string): string {
  const escaped = specifiers(word).replaceAll('$', '$$$$');
  if (/^[A-Za-z0-9_./:=@+%-]+$/.test(escaped)) return escaped;
  return `"${escaped.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`)}"`;
}
