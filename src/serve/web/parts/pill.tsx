/** A state with its sign and its color, and the target of an account. */
import type { JSX } from 'preact';
import type { Tone } from '../../../base/palette.ts';
import { stateWord, toneOf, targetWord } from '../../../report/states.ts';
import { Icon } from './icon.tsx';

export function Pill({
  tone,
  text,
}: {
  readonly tone: Tone | 'running';
  readonly text: string;
}): JSX.Element {
  return (
    <span class={`pill ${tone}`}>
      <Icon name={tone} />
      {text}
    </span>
  );
}

/** The state of a run or an order: `done`, `doubt`, `partially_filled`. */
export function State({ state }: { readonly state: string }): JSX.Element {
  return <Pill tone={liveTone(state)} text={stateWord(state)} />;
}

/** The tone of a state, also of one in progress. */
export function liveTone(state: string): Tone | 'running' {
  return state === 'running' ? 'running' : toneOf(state);
}

export function Target({ target }: { readonly target: string | undefined }): JSX.Element | null {
  if (target === undefined) return null;
  return <span class={`target ${target}`}>{targetWord(target)}</span>;
}
