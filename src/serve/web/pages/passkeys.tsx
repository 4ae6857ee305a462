/** Makes a passkey, and shows the line to commit. */
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CallError, write } from '../api.ts';
import { made, whyNot } from '../passkey.ts';
import { Failed, Panel } from '../parts/panel.tsx';

export function Passkeys(): JSX.Element {
  const [who, setWho] = useState('');
  const [line, setLine] = useState<string>();
  const [failure, setFailure] = useState<CallError>();
  const [isBusy, setBusy] = useState(false);
  useEffect(() => {
    document.title = 'Passkeys · deskhand';
  }, []);
  const reason = whyNot();
  const submit = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    made(who.trim())
      .then((registration) => write('POST /passkeys', {}, registration))
      .then(
        ({ line: text }) => setLine(text),
        (error: unknown) => setFailure(failureOf(error)),
      )
      .finally(() => setBusy(false));
  };
  return (
    <>
      <h1>Passkeys</h1>
      <Failed failure={failure} />
      <Panel id="make" title="Make a passkey">
        <p class="lead">
          It approves and declines plans in this browser, with your PIN or biometrics. It counts
          after its line was added to the file that <code>approve: {'{ passkeys }'}</code> of the
          profile names, in a reviewed commit. Nothing is stored here.
        </p>
        {reason !== undefined && <p class="notice">{reason}</p>}
        <form class="form" onSubmit={submit} aria-busy={isBusy}>
          <label for="who">Your address, as in Git and allowed_signers</label>
          <input
            id="who"
            type="text"
            autocomplete="email"
            required
            value={who}
            onInput={(event) => setWho(event.currentTarget.value)}
          />
          <button type="submit" class="main" disabled={reason !== undefined || isBusy}>
            Make a passkey
          </button>
        </form>
      </Panel>
      {line !== undefined && (
        <Panel id="line" title="Add this line to passkeys.json">
          <pre class="code said" tabIndex={0} role="region" aria-label="Line for passkeys.json">
            {line}
          </pre>
        </Panel>
      )}
    </>
  );
}

/** The reason of a failure: of the server, or of the browser. */
export function failureOf(error: unknown): CallError {
  if (error instanceof CallError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const isCancelled = error instanceof DOMException && error.name === 'NotAllowedError';
  return isCancelled
    ? new CallError(0, 'nothing was signed: it was cancelled, or no passkey of the list is here')
    : new CallError(0, said);
}
