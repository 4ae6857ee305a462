/** Times in the zone of the page, and how long ago they were. */
import type { JSX } from 'preact';
import { dayMs, now } from '../clock.ts';
import { clockText, exactText, momentText, zoneLabel } from '../zone.ts';

const minute = 60_000;

/** A time as date and time. */
export function At({ at }: { readonly at: number }): JSX.Element {
  return <Moment at={at} text={momentText(at)} />;
}

/** A time as date and time, with seconds. */
export function ExactTime({ at }: { readonly at: number }): JSX.Element {
  return <Moment at={at} text={exactText(at)} />;
}

/** A time as its age: `2 h 12 min ago` within a day, else the date and time. */
export function Ago({ at }: { readonly at: number }): JSX.Element {
  const age = now.value - at;
  const text = age < minute ? 'just now' : age < dayMs ? `${minutesText(age)} ago` : momentText(at);
  return <Moment at={at} text={text} />;
}

/** A time as the time until it: `in 6 h 2 min` within a day, else the date and time. */
export function In({ at }: { readonly at: number }): JSX.Element {
  const left = at - now.value;
  const text =
    left < minute ? 'within a minute' : left < dayMs ? `in ${minutesText(left)}` : momentText(at);
  return <Moment at={at} text={text} />;
}

/** The time of day, with milliseconds; the zone is above or beside a column of these. */
export function ClockTime({ at }: { readonly at: number }): JSX.Element {
  return <Moment at={at} text={clockText(at)} />;
}

/** The zone of the times below. */
export function ZoneName(): JSX.Element {
  return <>{zoneLabel(now.value)}</>;
}

/** A duration to the minute: `12 min`, `2 h 5 min`. */
function minutesText(ms: number): string {
  const minutes = Math.floor(ms / minute);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

function Moment({ at, text }: { readonly at: number; readonly text: string }): JSX.Element {
  return (
    <time dateTime={new Date(at).toISOString()} title={momentText(at)}>
      {text}
    </time>
  );
}
