/** Parts of filters. What is chosen is in the address, so that it can be bookmarked and sent. */
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { stateWord } from '../../../report/states.ts';
import { daysSign, lastPeriods } from '../period.ts';
import { go, hereWith, query } from '../router.ts';

/** Chooses a value; the first page of what matches is shown. */
export function want(name: string, value: string): void {
  go(hereWith({ [name]: value, page: '' }), true);
}

/** The filters of a list: they apply as they are chosen, so nothing is submitted. */
export function Filters({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      {children}
    </form>
  );
}

/** A text to search for, which a key of the keyboard reaches. */
export function Search({
  name,
  label,
  hint,
  value,
  isId = false,
}: {
  /** The part of the address that has the text. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value: string | undefined;
  /** Whether the text is an id rather than words. */
  readonly isId?: boolean;
}): JSX.Element {
  return (
    <input
      type="search"
      data-filter
      aria-label={label}
      placeholder={hint}
      {...(isId && { maxLength: 64, spellcheck: false })}
      value={value ?? ''}
      onInput={({ currentTarget: { value: text } }) => want(name, isId ? text.trim() : text)}
    />
  );
}

/** A choice of one of some values, or of all. */
export function Choice({
  name,
  label,
  values,
  value = '',
}: {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string | undefined;
}): JSX.Element {
  // The chosen value stays chosen while no row has it.
  const listed = value === '' || values.includes(value) ? values : [value, ...values];
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => want(name, currentTarget.value)}
    >
      <option value="">{label}: all</option>
      {listed.map((each) => (
        <option value={each}>{name === 'state' ? stateWord(each) : each}</option>
      ))}
    </select>
  );
}

/** A choice of a period. @param initial the period without a choice */
export function Time({ initial = 'all' }: { readonly initial?: string }): JSX.Element {
  const text = query.value.get('time') ?? initial;
  const isLast = text === 'all' || lastPeriods.some(({ name }) => name === text);
  const [choosing, setChoosing] = useState<'day' | 'range'>();
  const kind = choosing ?? (isLast ? undefined : text.includes(daysSign) ? 'range' : 'day');
  const choose = (value: string): void => want('time', value === initial ? '' : value);
  return (
    <>
      <select
        aria-label="Time"
        value={kind ?? text}
        onChange={({ currentTarget: { value } }) => {
          const isOwn = value === 'day' || value === 'range';
          setChoosing(isOwn ? value : undefined);
          choose(isOwn ? initial : value);
        }}
      >
        <option value="all">Time: all</option>
        {lastPeriods.map(({ name, words }) => (
          <option value={name}>{words}</option>
        ))}
        <option value="day">one day</option>
        <option value="range">from … to …</option>
      </select>
      {kind !== undefined && (
        <Days
          kind={kind}
          text={isLast ? '' : text}
          choose={(value) => {
            setChoosing(undefined); // from now on the address has it
            choose(value === '' ? initial : value);
          }}
        />
      )}
    </>
  );
}

function Days({
  kind,
  text,
  choose,
}: {
  readonly kind: 'day' | 'range';
  readonly text: string;
  readonly choose: (text: string) => void;
}): JSX.Element {
  const [from = '', to = ''] = text.split(daysSign);
  if (kind === 'day') return <Day label="Day" value={from} choose={choose} />;
  const range = (first: string, last: string): string =>
    first === '' && last === '' ? '' : `${first}${daysSign}${last}`;
  return (
    <>
      <Day label="From" value={from} choose={(day) => choose(range(day, to))} />
      <Day label="To" value={to} choose={(day) => choose(range(from, day))} />
    </>
  );
}

function Day({
  label,
  value,
  choose,
}: {
  readonly label: string;
  readonly value: string;
  readonly choose: (day: string) => void;
}): JSX.Element {
  return (
    <input
      type="date"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    />
  );
}
