/** Time zones: the offset from UTC at a time, by the tables of this machine. */
import { hour, minute, type Millis } from '../base/clock.ts';

/** UTC offset of a time zone at a moment. */
export type Zone = (moment: Millis) => Millis;

/**
 * A zone by an offset such as `+08:00` or a name such as `Asia/Singapore`; undefined for other
 * texts.
 */
export function zoneOf(name: string): Zone | undefined {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(name) ?? [];
  if (sign !== undefined) {
    const size = Number(hours) * hour + Number(minutes) * minute;
    const offset = sign === '-' ? -size : size;
    return size <= 14 * hour && Number(minutes) < 60 ? () => offset : undefined;
  }
  const known = named.get(name);
  if (known !== undefined) return known;
  const format = formatOf(name);
  if (format === undefined) return undefined;
  const zone: Zone = (moment) => {
    const part = format.formatToParts(moment).find(({ type }) => type === 'timeZoneName');
    return offsetIn(part?.value ?? '');
  };
  named.set(name, zone);
  return zone;
}

/** A zone's table takes long to load; there are some six hundred names. */
const named = new Map<string, Zone>();

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The offset in a text: `GMT+05:30`, or `GMT` alone. */
function offsetIn(text: string): Millis {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):(\d{2})/.exec(text) ?? [];
  const size = Number(hours) * hour + Number(minutes) * minute;
  return sign === '-' ? -size : size;
}
