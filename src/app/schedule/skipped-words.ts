/** Describes skipped occurrences as text. */
import { count } from '../../base/text.ts';
import { countMax, type Left } from './decide.ts';
import { shownTime } from './slot.ts';

const reasons: Readonly<Record<Left['why'], string>> = {
  missed: 'missed and not run',
  covered: 'missed; one run for all of them',
  overlap: 'skipped, because the previous run was in progress',
  'too-old': 'missed too long ago to run',
  paused: 'paused and not run',
};

/** The number of skipped occurrences and the reason: `3 times missed and not run`. */
export function leftWords({ why, count: many }: Left): string {
  const times = many === countMax ? `${many} or more times` : count(many, 'time');
  return `${times} ${reasons[why]}`;
}

/**
 * Skipped occurrences as text, with their time range: `3 times missed and not run: 2026-… to
 * 2026-…`.
 */
export function leftText(left: Left): string {
  const { from, to } = left;
  const span = from === to ? shownTime(from) : `${shownTime(from)} to ${shownTime(to)}`;
  return `${leftWords(left)}: ${span}`;
}

/** The text for a schedule whose record is lost. */
export const forgottenText =
  'its record is damaged: it starts from now, and earlier missed occurrences are not run';
