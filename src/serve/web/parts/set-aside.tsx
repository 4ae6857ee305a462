/** A person's statement about everything that a run sent: it is not continued, and blocks no other run. */
import type { JSX } from 'preact';
import { write, type Answer } from '../api.ts';
import { Action, type ActionListener } from './action.tsx';

export function SetAside({
  which,
  listener,
  offer: { why, command },
  confirm,
}: {
  readonly which: { readonly run: string; readonly desk?: string };
  readonly listener: ActionListener;
  readonly offer: NonNullable<Answer<'GET /runs/{run}/actions'>['setAside']>;
  readonly confirm: string | undefined;
}): JSX.Element {
  return (
    <Action
      label="Set aside"
      does="Set the run aside"
      listener={listener}
      confirm={confirm}
      isGrave
      act={async (press, fieldOf) => {
        const body = { ...press, reason: fieldOf('reason') };
        return (await write('POST /runs/{run}/set-aside', which, body)).lines;
      }}
    >
      <p>
        It blocks new runs of its playbook. <code>{command}</code> {why}: it is not continued, and
        nobody looks up what is in doubt.
      </p>
      <label>
        The outcome of its orders, recorded in the journal
        <input type="text" name="reason" maxLength={500} autocomplete="off" required />
      </label>
    </Action>
  );
}
