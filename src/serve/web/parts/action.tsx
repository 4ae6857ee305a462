/** A button that shows what it would do before it does it. A press has an id, so that sending it again
 * does nothing; after an answer the next press has a new one.
 */
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { CallError } from '../api.ts';
import { Failed } from './panel.tsx';

export interface Press {
  readonly press: string;
  /** What was typed for a live account. */
  readonly confirm?: string;
}

export interface ActionListener {
  begun(): void;
  /** @param lines absent if it was refused */
  ended(lines?: readonly string[]): void;
}

export function Action({
  label,
  confirm,
  isGrave = false,
  isMain = false,
  children,
  act,
  listener,
}: {
  readonly label: string;
  /** The name of a live account, which must be typed. */
  readonly confirm?: string | undefined;
  readonly isGrave?: boolean;
  /** What a person most likely wants here. */
  readonly isMain?: boolean;
  /** What it would do. */
  readonly children: ComponentChildren;
  /** @returns what to show then */
  readonly act: (press: Press, fieldOf: (name: string) => string) => Promise<readonly string[]>;
  /** Shows the result instead: the button may disappear with what it changes. */
  readonly listener?: ActionListener;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  const [lines, setLines] = useState<readonly string[]>();
  const [failure, setFailure] = useState<CallError>();
  const id = useRef('');
  const start = (): void => {
    setOpen(!isOpen);
    setLines(undefined);
    setFailure(undefined);
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy || !(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    const fieldOf = (name: string): string => {
      const value = form.get(name);
      return typeof value === 'string' ? value.trim() : '';
    };
    if (id.current === '') id.current = crypto.randomUUID();
    setBusy(true);
    setFailure(undefined);
    listener?.begun();
    act({ press: id.current, ...(confirm !== undefined && { confirm: typed }) }, fieldOf).then(
      (found) => {
        id.current = '';
        setBusy(false);
        setTyped('');
        if (listener === undefined) setLines(found);
        setOpen(false);
        listener?.ended(found);
      },
      (error: CallError) => {
        if (error.status !== 0) id.current = ''; // without an answer it may have been done
        setBusy(false);
        setFailure(error);
        listener?.ended();
      },
    );
  };
  return (
    <div class="action">
      <button
        type="button"
        class={isMain && !isOpen ? 'main' : ''}
        aria-expanded={isOpen}
        onClick={start}
      >
        {label}
      </button>
      {isOpen && (
        <form onSubmit={submit}>
          {children}
          {confirm !== undefined && (
            <label>
              Type the account name <b>{confirm}</b> to confirm
              <input
                type="text"
                autocomplete="off"
                spellcheck={false}
                value={typed}
                onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              />
            </label>
          )}
          <div class="buttons">
            <button
              type="submit"
              class={isGrave ? 'grave' : 'main'}
              disabled={confirm !== undefined && typed !== confirm}
            >
              {isBusy ? 'Wait…' : label}
            </button>
            <button type="button" onClick={() => setOpen(false)}>
              Cancel
            </button>
          </div>
          <Failed failure={failure} />
        </form>
      )}
      {listener === undefined && <Said lines={lines} />}
    </div>
  );
}

/** What an action answered. */
export function Said({ lines }: { readonly lines: readonly string[] | undefined }): JSX.Element {
  return (
    <div role="status">
      {lines !== undefined && lines.length > 0 && <pre class="said">{lines.join('\n')}</pre>}
    </div>
  );
}
