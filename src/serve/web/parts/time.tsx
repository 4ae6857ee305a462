/** Times in the reader's zone, with UTC on hover, and how long ago they were. */
import type { JSX } from 'preact';
import { spoken } from '../../../base/text.ts';
import { dayMs, now } from '../clock.ts';

const minute = 60_000;

const shortFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const clockFormat = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

/** A time as its age: `12 min ago` within a day, else the date and time. */
export function Ago({ at }: { readonly at: number }): JSX.Element {
  const age = now.value - at;
  const text =
    age < minute
      ? 'just now'
      : age < dayMs
        ? `${spoken(age - (age % minute))} ago`
        : shortFormat.format(at);
  return <Moment at={at} text={text} />;
}

/** A time as the time until it: `in 6 h 2 min` within a day, else the date and time. */
export function In({ at }: { readonly at: number }): JSX.Element {
  const left = at - now.value;
  const text =
    left < minute
      ? 'within a minute'
      : left < dayMs
        ? `in ${spoken(left - (left % minute))}`
        : shortFormat.format(at);
  return <Moment at={at} text={text} />;
}

/** The time of day, with milliseconds. */
export function ClockTime({ at }: { readonly at: number }): JSX.Element {
  return <Moment at={at} text={clockFormat.format(at)} />;
}

/** The date and time as text. */
export function momentText(at: number): string {
  return shortFormat.format(at);
}

function Moment({ at, text }: { readonly at: number; readonly text: string }): JSX.Element {
  const iso = new Date(at).toISOString();
  const title = `${shortFormat.format(at)}, ${iso.slice(0, 19).replace('T', ' ')} UTC`;
  return (
    <time dateTime={iso} title={title}>
      {text}
    </time>
  );
}
