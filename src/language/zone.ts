/** Time zones: the offset from UTC at a time, by the tables of this machine, and the times of local clocks. */
import { day, hour, minute, second, type Millis } from '../base/clock.ts';
import { nearWord } from '../base/text.ts';

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
  if (/^[+-]/.test(name)) return undefined; // some versions of Node know further offsets
  const known = named.get(name);
  if (known !== undefined) return known;
  const format = formatOf(name);
  if (format === undefined) return undefined;
  const zone: Zone = (moment) => offsetIn(format.format(moment));
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

/** The offset at the end of a text: `GMT+05:30`, `GMT-00:44:30` or `GMT` alone. */
function offsetIn(text: string): Millis {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /([+-])(\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
  const size = Number(hours) * hour + Number(minutes) * minute + Number(seconds) * second;
  return sign === '-' ? -size : size;
}

/** The names of the zones that this machine knows. */
export function zoneNames(): readonly string[] {
  return Intl.supportedValuesOf('timeZone');
}

/** The zone that the author of an unknown one probably meant. */
export function zoneHint(name: string): string {
  const meant = offsetMeant(name) ?? zoneMeant(name);
  if (meant !== undefined) return `did you mean ${meant}?`;
  return 'write an offset such as +08:00 or a name such as Asia/Singapore';
}

/** The likely offset for a misspelled one: `+08:00` for `+8` and `0800`. */
function offsetMeant(name: string): string | undefined {
  const match = /^(?:UTC|GMT)?([+-]?)(\d{1,2})(?::?(\d{2}))?$/i.exec(name);
  if (match === null) return undefined;
  const [, sign, hours = '', minutes = '00'] = match;
  const likely = `${sign === '-' ? '-' : '+'}${hours.padStart(2, '0')}:${minutes}`;
  return zoneOf(likely) === undefined ? undefined : likely;
}

/** The zone of a city that was given alone, or else the nearest name. */
function zoneMeant(name: string): string | undefined {
  const names = zoneNames();
  const city = name.replaceAll(' ', '_').toLowerCase();
  const ofCity = names.find((each) => each.toLowerCase().endsWith(`/${city}`));
  return ofCity ?? nearWord(name, names);
}

/**
 * The moments at which clocks of a zone show a local time, in order: one, two if they moved back,
 * none if they moved forward over it.
 * @param local the local time, represented as UTC
 */
export function momentsAt(local: Millis, zone: Zone): readonly Millis[] {
  const [before, behind] = [zone(local - day), zone(local + day)];
  return [...new Set([local - before, local - behind])]
    .filter((moment) => moment + zone(moment) === local)
    .sort((a, b) => a - b);
}

/**
 * The moment of a local time: the first one if clocks show it twice, and the moment of their change
 * if they skip it.
 */
export function momentAt(local: Millis, zone: Zone): Millis {
  const [first] = momentsAt(local, zone);
  return first ?? changeAround(local, zone);
}

/** The moment at which clocks moved forward over a local time. */
export function changeAround(local: Millis, zone: Zone): Millis {
  let [low, high] = [local - day, local + day];
  const before = zone(low);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zone(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}
