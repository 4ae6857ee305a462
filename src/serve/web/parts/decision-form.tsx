/** The form in which a person approves or declines with a passkey: a comment, and the name of a demo or live account. */
import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { CallError } from '../api.ts';
import { failureOf } from '../pages/passkeys.tsx';
import { Failed } from './panel.tsx';
import { Thumb } from './thumb.tsx';

export type Verdict = 'approve' | 'decline';

/** The words of the person. */
export interface Given {
  readonly comment: string;
  /** The name of the account, if it is not of a sandbox. */
  readonly typed: string;
}

interface Deciding {
  readonly account: { readonly target: string; readonly profile: string };
  /** The words on the button that approves. */
  readonly label: string;
  /** Whether the plan or step cannot be approved. */
  readonly isBlocked?: boolean;
  readonly decide: (verdict: Verdict, given: Given) => Promise<void>;
  readonly children?: ComponentChildren;
  readonly after?: ComponentChildren;
}

export function DecisionForm({
  account: { target, profile },
  label,
  isBlocked = false,
  decide,
  children,
  after,
}: Deciding): JSX.Element {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [comment, setComment] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<CallError>();
  const isLive = target !== 'sandbox';
  const submit = (verdict: Verdict): void => {
    setBusy(true);
    setFailure(undefined);
    decide(verdict, { comment, typed })
      .catch((error: unknown) => setFailure(failureOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <form
      class="form"
      aria-busy={isBusy}
      onSubmit={(event) => {
        event.preventDefault();
        submit('approve');
      }}
    >
      {children}
      <label for={id}>Comment, part of the signed record</label>
      <input
        id={id}
        type="text"
        maxLength={500}
        value={comment}
        onInput={(event) => setComment(event.currentTarget.value)}
      />
      {isLive && <AccountName id={`${id}-name`} typed={typed} type={setTyped} />}
      <Verdicts
        label={label}
        isLive={isLive}
        isBusy={isBusy}
        isBlocked={isBlocked || (isLive && typed !== profile)}
        decline={() => submit('decline')}
      >
        <Failed failure={failure} />
        {isLive && typed !== profile && (
          <p class="jump">
            <a href={`#${id}-name`}>Type the account name</a> to approve.
          </p>
        )}
      </Verdicts>
      {after}
    </form>
  );
}

/** The buttons, on a telephone at the lower edge of the screen, with what is to be known first. */
function Verdicts({
  label,
  isLive,
  isBusy,
  isBlocked,
  decline,
  children,
}: {
  readonly label: string;
  readonly isLive: boolean;
  readonly isBusy: boolean;
  readonly isBlocked: boolean;
  readonly decline: () => void;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <Thumb of="decision">
      {children}
      <div class="buttons">
        <button type="submit" class={isLive ? 'grave' : 'main'} disabled={isBusy || isBlocked}>
          {label}
        </button>
        <button type="button" disabled={isBusy} onClick={decline}>
          Decline
        </button>
      </div>
    </Thumb>
  );
}

/** A field for the name of a demo or live account. */
function AccountName({
  id,
  typed,
  type,
}: {
  readonly id: string;
  readonly typed: string;
  readonly type: (text: string) => void;
}): JSX.Element {
  return (
    <>
      <label for={id}>Type the account name to approve</label>
      <input
        id={id}
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </>
  );
}
