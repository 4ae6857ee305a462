/** The filter of the list of runs. It is in the address, so that it can be bookmarked. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Answer, Parameters } from '../api.ts';
import { lastPeriods, periodOf } from '../period.ts';
import { go, query } from '../router.ts';
import { stateWord } from '../../../report/states.ts';

export type Wanted = Parameters<'GET /home'>;

const states = [
  'running',
  'doubt',
  'stopped',
  'interrupted',
  'unfinished',
  'damaged',
  'done',
  'not begun',
] as const;

/** The filter in an address. @param at the current time, for periods that end now */
export function wantedIn(from: URLSearchParams, at: number): Wanted {
  const state = states.find((each) => each === from.get('state'));
  const text = (name: string): string | undefined => from.get(name) ?? undefined;
  const [playbook, account, person, desk] = ['playbook', 'account', 'person', 'desk'].map(text);
  const period = periodOf(text('time') ?? '', at);
  const words = text('text');
  return {
    ...(state && { state }),
    ...(playbook && { playbook }),
    ...(account && { account }),
    ...(person && { person }),
    ...(desk && { desk }),
    ...(period && { since: String(period.since) }),
    ...(period?.until !== undefined && { until: String(period.until) }),
    ...(words && { text: words }),
  };
}

function want(name: string, value: string): void {
  const next = new URLSearchParams(query.value);
  if (value === '') next.delete(name);
  else next.set(name, value);
  const text = next.toString();
  go(text === '' ? '/' : `/?${text}`, true);
}

export function RunFilters({
  answer,
  wanted,
}: {
  readonly answer: Answer<'GET /home'>;
  readonly wanted: Wanted;
}): JSX.Element {
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <input
        type="search"
        data-filter
        aria-label="Filter runs"
        placeholder="Filter: run, symbol, clientOid"
        value={wanted.text ?? ''}
        onInput={({ currentTarget }) => want('text', currentTarget.value)}
      />
      <Choice name="state" label="State" values={states} value={wanted.state} />
      <Choice name="playbook" label="Playbook" values={answer.playbooks} value={wanted.playbook} />
      <Choice name="account" label="Account" values={answer.accounts} value={wanted.account} />
      {answer.people.length > 0 && (
        <Choice name="person" label="Person" values={answer.people} value={wanted.person} />
      )}
      {answer.desks.length > 1 && (
        <Choice name="desk" label="Desk" values={answer.desks} value={wanted.desk} />
      )}
      <Time />
    </form>
  );
}

function Time(): JSX.Element {
  const text = query.value.get('time') ?? '';
  const isLast = lastPeriods.some(({ name }) => name === text);
  const [isChoosing, setChoosing] = useState(false);
  const isDay = text === '' ? isChoosing : !isLast;
  return (
    <>
      <select
        aria-label="Time"
        value={isDay ? 'day' : text}
        onChange={({ currentTarget: { value } }) => {
          setChoosing(value === 'day');
          want('time', value === 'day' ? '' : value);
        }}
      >
        <option value="">Time: all</option>
        {lastPeriods.map(({ name, words }) => (
          <option value={name}>{words}</option>
        ))}
        <option value="day">one day</option>
      </select>
      {isDay && (
        <input
          type="date"
          aria-label="Day"
          value={text}
          onChange={({ currentTarget: { value } }) => {
            setChoosing(false); // from now on the address has it
            want('time', value);
          }}
        />
      )}
    </>
  );
}

function Choice({
  name,
  label,
  values,
  value,
}: {
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
  readonly value: string | undefined;
}): JSX.Element {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => want(name, currentTarget.value)}
    >
      <option value="">{label}: all</option>
      {values.map((each) => (
        <option value={each}>{stateWord(each)}</option>
      ))}
    </select>
  );
}
