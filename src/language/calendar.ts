/** Calendar arithmetic in a time zone: where a day, week or month starts, and what is days or months later. */
import { day, type Millis } from '../base/clock.ts';
import { changeAround, momentAt, momentsAt, type Zone } from './zone.ts';

export type Period = 'day' | 'week' | 'month' | 'quarter' | 'year';

/**
 * The first moment of the period that a moment is in. If clocks skip its midnight, it is the moment at
 * which they moved forward. A week starts on Monday.
 */
export function startOf(period: Period, moment: Millis, zone: Zone): Millis {
  return momentAt(firstDay(period, moment + zone(moment)), zone);
}

/**
 * A moment some calendar days or months later, or earlier, at the same local time. A day that the month
 * does not have becomes its last one. A local time that clocks skip becomes the moment at which they
 * moved forward; of one that they show twice, the offset from UTC is kept if it can be, else it is the
 * first.
 */
export function later(
  moment: Millis,
  { days = 0, months = 0 }: { readonly days?: number; readonly months?: number },
  zone: Zone,
): Millis {
  const offset = zone(moment);
  const local = afterMonths(moment + offset, months) + days * day;
  const shown = momentsAt(local, zone);
  const sameOffset = shown.find((each) => zone(each) === offset);
  return sameOffset ?? shown[0] ?? changeAround(local, zone);
}

/** The midnight at the start of a period, as local time represented as UTC. */
function firstDay(period: Period, local: Millis): Millis {
  const midnight = Math.floor(local / day) * day;
  const date = new Date(midnight);
  switch (period) {
    case 'day':
      return midnight;
    case 'week':
      return midnight - ((date.getUTCDay() + 6) % 7) * day;
    case 'month':
      return date.setUTCDate(1);
    case 'quarter':
      return date.setUTCMonth(date.getUTCMonth() - (date.getUTCMonth() % 3), 1);
    case 'year':
      return date.setUTCMonth(0, 1);
  }
}

/** The time of the same day some months later, or of the last day of a shorter month. */
function afterMonths(local: Millis, months: number): Millis {
  if (months === 0) return local;
  const date = new Date(local);
  const [wanted, month] = [date.getUTCDate(), date.getUTCMonth() + months];
  date.setUTCDate(1);
  date.setUTCMonth(month + 1, 0); // the last day of the month
  if (wanted < date.getUTCDate()) date.setUTCDate(wanted);
  return date.getTime();
}
