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

export function Settle({
  which,
  listener,
  doubts,
  confirm,
}: {
  readonly which: Which;
  readonly listener: ActionListener;
  readonly doubts: readonly Doubt[];
  readonly confirm: string | undefined;
}): JSX.Element {
  return (
    <>
      <Action
        label="Look up all doubts"
        listener={listener}
        act={async ({ press }) => (await write('POST /runs/{run}/look-up', which, { press })).lines}
      >
        <p>Looks them up on the exchange and shows what it proves. Records nothing.</p>
      </Action>
      <Action
        label="Settle all doubts"
        listener={listener}
        confirm={confirm}
        act={async (press) => (await write('POST /runs/{run}/settle', which, press)).lines}
      >
        <p>Looks them up again and records what the exchange proves. What it cannot tell stays.</p>
      </Action>
      {doubts.map((doubt) => (
        <Resolve
          key={doubt.address}
          which={which}
          doubt={doubt}
          confirm={confirm}
          listener={listener}
        />
      ))}
    </>
  );
}

type Outcome = Doubt['outcomes'][number]['kind'];

const outcomeLabels: Readonly<Record<Outcome, string>> = {
  placed: 'It exists',
  absent: 'It does not exist',
  abandon: 'Abandon it and the steps that need it',
};

/** A statement of a person, with the checks of the command. */
function Resolve({
  which,
  listener,
  doubt,
  confirm,
}: {
  readonly which: Which;
  readonly listener: ActionListener;
  readonly doubt: Doubt;
  readonly confirm: string | undefined;
}): JSX.Element {
  const [chosen, setChosen] = useState<Outcome>();
  const { address, outcomes } = doubt;
  const needsId = outcomes.find(({ kind }) => kind === chosen)?.needsId === true;
  return (
    <Action
      label={`Resolve ${address}`}
      listener={listener}
      confirm={confirm}
      isGrave
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
