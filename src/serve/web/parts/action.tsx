/** A button that describes its action before it executes it. A press has an id, so that sending it
 * again does nothing; after an answer the next press has a new one.
 */
import { inZone } from '../zone.ts';
import type { ComponentChildren, JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { CallError } from '../api.ts';
import { Failed } from './panel.tsx';

export interface Press {
  readonly press: string;
  /** The name of a demo or live account that was typed. */
  readonly confirm?: string;
}

export interface ActionListener {
  begun(): void;
  /**
   * Called when the action has ended.
   * @param lines absent if it was refused
   */
  ended(lines?: readonly string[]): void;
}

interface ActionProps {
  readonly label: string;
  /** The words on the button that confirms; default: the label. */
  readonly does?: string;
  /** The subject of the action, for screen readers, if several have the same label. */
  readonly about?: string;
  /** The name of a demo or live account, which must be typed. */
  readonly confirm?: string | undefined;
  readonly isGrave?: boolean;
  /** Whether the action is what a person most likely wants here. */
  readonly isMain?: boolean;
  /** The description of what the action would do. */
  readonly children: ComponentChildren;
  /** Executes the action. @returns lines to show as its result */
  readonly act: (press: Press, fieldOf: (name: string) => string) => Promise<readonly string[]>;
  /** Shows the result instead of the button: the button may disappear with what it changes. */
  readonly listener?: ActionListener;
}

export function Action(props: ActionProps): JSX.Element {
  const {
    label,
    does = label,
    about,
    confirm,
    isGrave = false,
    isMain = false,
    children,
    listener,
  } = props;
  const { isOpen, isBusy, typed, lines, failure, toggle, close, type, submit } = usePress(props);
  return (
    <div class="action">
      <button
        type="button"
        class={isMain && !isOpen ? 'main' : ''}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {label}
        {about !== undefined && <span class="unseen">, {about}</span>}
      </button>
      {isOpen && (
        <form onSubmit={submit} aria-busy={isBusy}>
          {children}
          {confirm !== undefined && <Confirmation name={confirm} typed={typed} type={type} />}
          <div class="buttons">
            <button
              type="submit"
              class={isGrave ? 'grave' : 'main'}
              disabled={confirm !== undefined && typed !== confirm}
            >
              {isBusy ? 'Wait…' : does}
            </button>
            <button type="button" onClick={close}>
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

/** The state of an action between its presses. */
function usePress({ confirm, act, listener }: ActionProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  const [lines, setLines] = useState<readonly string[]>();
  const [failure, setFailure] = useState<CallError>();
  const id = useRef('');
  const toggle = (): void => {
    setOpen(!isOpen);
    setLines(undefined);
    setFailure(undefined);
  };
  const succeeded = (found: readonly string[]): void => {
    id.current = '';
    setBusy(false);
    setTyped('');
    if (listener === undefined) setLines(found);
    setOpen(false);
    listener?.ended(found);
  };
  const failed = (error: CallError): void => {
    if (error.status !== 0) id.current = ''; // without an answer it may have been done
    setBusy(false);
    setFailure(error);
    listener?.ended();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy || !(event.currentTarget instanceof HTMLFormElement)) return;
    const form = new FormData(event.currentTarget);
    if (id.current === '') id.current = crypto.randomUUID();
    setBusy(true);
    setFailure(undefined);
    listener?.begun();
    const press = { press: id.current, ...(confirm !== undefined && { confirm: typed }) };
    act(press, (name) => fieldIn(form, name)).then(succeeded, failed);
  };
  const close = (): void => setOpen(false);
  return { isOpen, isBusy, typed, lines, failure, toggle, close, type: setTyped, submit };
}

function fieldIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value.trim() : '';
}

/** A field for the name of a demo or live account. */
function Confirmation({
  name,
  typed,
  type,
}: {
  readonly name: string;
  readonly typed: string;
  readonly type: (text: string) => void;
}): JSX.Element {
  return (
    <label>
      Type the account name <b>{name}</b> to confirm
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  );
}

/** A box with the answer of an action. */
export function Said({ lines }: { readonly lines: readonly string[] | undefined }): JSX.Element {
  return (
    <div role="status">
      {lines !== undefined && lines.length > 0 && (
        <pre class="said">{inZone(lines.join('\n'))}</pre>
      )}
    </div>
  );
}
