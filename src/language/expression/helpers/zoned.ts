/** How helpers read time zones: by offset or name, with texts as times of that zone. */
import { day, lastMoment, type Millis } from '../../../base/clock.ts';
import { writtenLocal } from '../../written-time.ts';
import { momentAt, zoneHint, zoneOf, type Zone } from '../../zone.ts';
import { EvaluationError, type Value } from '../value.ts';
import { countOf, momentOf, shown, textOf } from './define.ts';

/** The option of each helper that depends on a time zone. */
export const zoneOption = { tz: { kind: 'text', proof: zoneIn } } as const;

/** The zone of `tz=`; default: UTC. @throws EvaluationError with the nearest name */
export function zoneIn(tz: Value | undefined): Zone {
  const name = tz === undefined ? 'UTC' : textOf(tz);
  if (name === 'UTC' || name === 'Z') return utc;
  const zone = zoneOf(name);
  if (zone !== undefined) return zone;
  throw new EvaluationError(`${shown(name)} is not a time zone`, zoneHint(name));
}

const utc: Zone = () => 0;

/**
 * A moment within the calendar. A text without an offset, such as `2026-11-01` or `2026-11-01T08:00`, is
 * a local time of the zone.
 * @param tz the zone, if one is given
 * @throws EvaluationError for anything that is not a time
 */
export function zonedMoment(value: Value | undefined, tz: Value | undefined): Millis {
  const local = typeof value === 'string' && tz !== undefined ? writtenLocal(value) : undefined;
  return withinCalendar(local === undefined ? momentOf(value) : momentAt(local, zoneIn(tz)));
}

/** @throws EvaluationError for a moment whose local date cannot be computed */
function withinCalendar(moment: Millis): Millis {
  if (Math.abs(moment) <= farthest) return moment;
  throw new EvaluationError('the moment is out of range');
}

const farthest = lastMoment - 400_000 * day; // centuries, so that calendar arithmetic has a result

export function daysIn(value: Value | undefined): number {
  return countOf(value, 'days', 100_000);
}

export function monthsIn(value: Value | undefined): number {
  return countOf(value, 'months', 1_200);
}
