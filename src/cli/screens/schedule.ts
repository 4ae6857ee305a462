/** Schedules as text: when they are due, and the outcome of their occurrences. */
import type { Millis } from '../../base/clock.ts';
import { InternalError } from '../../base/error.ts';
import { plainText, shellWord, spoken } from '../../base/text.ts';
import { zoneOf } from '../../language/zone.ts';
import type { Pause } from '../../app/schedule/pause.ts';
import type { Ended, ScheduleRecord } from '../../app/schedule/decisions.ts';
import type { Schedule } from '../../app/schedule/schedule.ts';
import { shownTime } from '../../app/schedule/slot.ts';
import { forgottenText, leftText } from '../../app/schedule/skipped-words.ts';
import { signs } from '../../base/palette.ts';
import { stateWord, toneOf } from '../../report/states.ts';
import type { Theme } from '../../report/terminal/theme.ts';

/** Local time of a zone with its offset: `2026-11-22 02:15 +08:00`. */
export function zonedTime(moment: Millis, timezone: string): string {
  const zone = zoneOf(timezone);
  if (zone === undefined) throw new InternalError(`${timezone} is not a time zone`);
  const offset = zone(moment);
  const shown = new Date(moment + offset).toISOString();
  const ahead = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${shown.slice(0, 10)} ${shown.slice(11, 16)} ${offset < 0 ? '-' : '+'}${ahead}`;
}

/** The times of a schedule: `15 2 * * * +08:00`, and the steps if not all run. */
export function timesOf({ cron, timezone, only, delayMs }: Schedule): string {
  const steps = only.length === 0 ? '' : `, only ${only.join(', ')}`;
  const delay = delayMs === 0 ? '' : `, ${spoken(delayMs)} later`;
  return plainText(`${cron} ${timezone}${delay}${steps}`, 160);
}

/** A record as one line. */
export function recordText(record: ScheduleRecord, theme: Theme): string {
  const { paint } = theme;
  const named = 'name' in record ? record.name : undefined;
  const whose = paint('strong', plainText(named ?? record.playbook ?? 'scheduler', 60));
  const where = record.host === undefined ? '' : paint('faint', `  ${plainText(record.host, 40)}`);
  return `${whose}  ${wordsOf(record, theme)}${where}`;
}

function wordsOf(record: ScheduleRecord, theme: Theme): string {
  const { paint, glyphs, sign } = theme;
  switch (record.kind) {
    case 'taken':
      return `${glyphs.arrow} ${shownTime(record.occurrence)} begins`;
    case 'ended':
      return `${endText(record, theme)} ${shownTime(record.occurrence)}${endWords(record)}`;
    case 'gone':
      return paint(
        'faint',
        `${shownTime(record.occurrence)} is not run: ${plainText(record.message)}`,
      );
    case 'left':
      return `${sign('warn')} ${leftText(record)}`;
    case 'forgotten':
      return `${sign('warn')} ${forgottenText}`;
    case 'paused':
      return `${sign('warn')} paused by ${byText(record)}`;
    case 'resumed':
      return `${glyphs.arrow} resumed by ${byText(record)}`;
    case 'clock': {
      const way = record.ms < 0 ? 'back' : 'ahead';
      return `${sign('warn')} the clock went ${spoken(Math.abs(record.ms))} ${way}: it was set, or the machine was suspended`;
    }
    case 'unheard':
      return `${sign('warn')} no one was notified: ${plainText(record.message)}`;
  }
}

/** A person and the reason: `ann: the desk is closed`. */
export function byText({ who, why }: { readonly who: string; readonly why: string }): string {
  return plainText(why === '' ? who : `${who}: ${why}`, 400);
}

/**
 * A pause in words: `since 2026-11-20T18:00Z by ann: the desk is closed (deskhand schedule resume
 * nightly)`.
 */
export function pauseText(pause: Pause): string {
  const { name, at } = pause;
  const since = shownTime(at - (at % 60_000));
  return `since ${since} by ${byText(pause)} (deskhand schedule resume ${shellWord(plainText(name, 80))})`;
}

/** The outcome of a run in words, in color. */
export function endText({ status }: Ended, { paint, style }: Theme): string {
  const isBegun = status !== 'not-begun';
  const tone = isBegun ? toneOf(status) : 'bad';
  return paint(tone, `${signs[tone][style]} ${isBegun ? stateWord(status) : 'could not start'}`);
}

function endWords({ run, message, hint }: Ended): string {
  const parts = [
    run && ` as ${run}`,
    message && `: ${plainText(message)}`,
    hint && ` (${plainText(hint)})`,
  ];
  return parts.filter((part) => part !== undefined).join('');
}
