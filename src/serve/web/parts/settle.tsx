/** Actions of a person on the doubts of a run: look them up, settle them, state an outcome. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { write, type Answer } from '../api.ts';
import { Action, type ActionListener } from './action.tsx';

type Doubt = Answer<'GET /runs/{run}/actions'>['doubts'][number];

interface Which {
  readonly run: string;
  readonly desk?: string;
}

/** Looks up all orders in doubt, and records what the exchange proves. */
export function LookUp({
  which,
  listener,
  listed,
  confirm,
}: {
  readonly which: Which;
  readonly listener: ActionListener;
  /** The number of doubts that lists of the exchange can settle. */
  readonly listed: number;
  readonly confirm: string | undefined;
}): JSX.Element {
  const it = listed === 1 ? 'the order' : `the ${listed} orders`;
  return (
    <>
      <Action
        label={`Look ${it} up`}
        does={`Look ${it} up and record what is proved`}
        listener={listener}
        confirm={confirm}
        isMain
        act={async (press) => (await write('POST /runs/{run}/settle', which, press)).lines}
      >
        <p>
          Reads the lists of the exchange again and records what they prove. What they cannot tell
          stays in doubt, and nothing is sent.
        </p>
      </Action>
      <Action
        label="Look up only"
        does={`Look ${it} up and record nothing`}
        listener={listener}
        act={async ({ press }) => (await write('POST /runs/{run}/look-up', which, { press })).lines}
      >
        <p>Reads the lists of the exchange and shows what they prove. Records nothing.</p>
      </Action>
    </>
  );
}

type Outcome = Doubt['outcomes'][number]['kind'];

const outcomeLabels: Readonly<Record<Outcome, string>> = {
  placed: 'It exists',
  absent: 'It does not exist',
  abandon: 'Abandon it and the steps that need it',
};

const recordLabels: Readonly<Record<Outcome, string>> = {
  placed: 'Record that it exists',
  absent: 'Record that it does not exist',
  abandon: 'Abandon it',
};

/** A statement of a person, with the checks of the command. */
export function Resolve({
  which,
  isMain,
  listener,
  doubt,
  confirm,
}: {
  readonly which: Which;
  readonly listener: ActionListener;
  readonly doubt: Doubt;
  readonly confirm: string | undefined;
  readonly isMain: boolean;
}): JSX.Element {
  const [chosen, setChosen] = useState<Outcome>();
  const { address, outcomes } = doubt;
  const needsId = outcomes.find(({ kind }) => kind === chosen)?.needsId === true;
  return (
    <Action
      label={`State its outcome`}
      does={chosen === undefined ? 'Record the outcome' : recordLabels[chosen]}
      about={address}
      listener={listener}
      confirm={confirm}
      isGrave
      isMain={isMain}
      act={async (press, fieldOf) => {
        const comment = fieldOf('comment');
        const { lines } = await write('POST /runs/{run}/resolve', which, {
          ...press,
          address,
          outcome: chosen ?? 'abandon',
          ...(needsId && { id: fieldOf('id') }),
          ...(comment !== '' && { comment }),
        });
        return lines;
      }}
    >
      <Outcomes of={doubt} chosen={chosen} choose={setChosen} />
      {needsId && (
        <label>
          Its orderId, or the uid of the sub-account
          <input type="text" name="id" inputMode="numeric" autocomplete="off" required />
        </label>
      )}
      <label>
        Evidence, recorded in the journal
        <input type="text" name="comment" maxLength={500} autocomplete="off" />
      </label>
    </Action>
  );
}

function Outcomes({
  of: { what, outcomes },
  chosen,
  choose,
}: {
  readonly of: Doubt;
  readonly chosen: Outcome | undefined;
  readonly choose: (kind: Outcome) => void;
}): JSX.Element {
  return (
    <fieldset>
      <legend>{what}</legend>
      {outcomes.map(({ kind, why }) => (
        <label class="check">
          <input
            type="radio"
            name="outcome"
            required
            checked={kind === chosen}
            onChange={() => choose(kind)}
          />{' '}
          <span>
            {outcomeLabels[kind]} <span class="dim">{why}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
