/** The choice of the time zone, kept on this browser. */
import { zone, zones } from './zone.ts';

const key = 'deskhand-zone';

export function startZone(): void {
  try {
    zone.value = zones.find((each) => each === localStorage.getItem(key)) ?? 'browser';
  } catch {
    // a browser that stores nothing begins with its own zone each time
  }
}

export function nextZone(): void {
  zone.value = zones[(zones.indexOf(zone.value) + 1) % zones.length] ?? 'browser';
  try {
    localStorage.setItem(key, zone.value);
  } catch {
    // see above
  }
}
