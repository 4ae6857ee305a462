/** The filter of the list of runs. It is in the address, so that it can be bookmarked. */
import type { JSX } from 'preact';
import type { Answer, Parameters } from '../api.ts';
import { periodOf } from '../period.ts';
import { Choice, Filters, Search, Time } from './filter.tsx';
import { Saved } from './saved.tsx';

export type Wanted = Parameters<'GET /home'>;

const states = [
  'running',
  'doubt',
  'stopped',
  'interrupted',
  'unfinished',
  'damaged',
  'done',
  'not-begun',
] as const;

/** The filter in an address. @param at the current time, for periods that end now */
export function wantedIn(from: URLSearchParams, at: number): Wanted {
  const state = states.find((each) => each === from.get('state'));
  const text = (name: string): string | undefined => from.get(name) ?? undefined;
  const [playbook, account, person, desk] = ['playbook', 'account', 'person', 'desk'].map(text);
  const period = periodOf(text('time') ?? '', at);
  const words = text('text');
  const page = text('page') ?? '';
  return {
    ...(state && { state }),
    ...(playbook && { playbook }),
    ...(account && { account }),
    ...(person && { person }),
    ...(desk && { desk }),
    ...(period && { since: String(period.since) }),
    ...(period?.until !== undefined && { until: String(period.until) }),
    ...(words && { text: words }),
    ...(/^[1-9]\d{0,5}$/.test(page) && { page }),
  };
}

export function RunFilters({
  answer,
  wanted,
}: {
  readonly answer: Answer<'GET /home'>;
  readonly wanted: Wanted;
}): JSX.Element {
  return (
    <>
      <Filters>
        <Search
          name="text"
          label="Filter runs"
          hint="Filter: run, symbol, clientOid"
          value={wanted.text}
        />
        <Choice name="state" label="State" values={states} value={wanted.state} />
        <Choice
          name="playbook"
          label="Playbook"
          values={answer.playbooks}
          value={wanted.playbook}
        />
        <Choice name="account" label="Account" values={answer.accounts} value={wanted.account} />
        {answer.people.length > 0 && (
          <Choice name="person" label="Person" values={answer.people} value={wanted.person} />
        )}
        {answer.desks.length > 1 && (
          <Choice name="desk" label="Desk" values={answer.desks} value={wanted.desk} />
        )}
        <Time />
      </Filters>
      <Saved />
    </>
  );
}
