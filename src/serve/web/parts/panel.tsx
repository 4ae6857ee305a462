/** A panel with a title, and what a page shows before its answer or without one. */
import type { ComponentChildren, JSX } from 'preact';
import type { Tone } from '../../../base/palette.ts';
import { Copied } from './copy.tsx';
import type { CallError } from '../api.ts';
import { inZone } from '../zone.ts';

export function Panel({
  id,
  title,
  note,
  tone,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly note?: string;
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class={`panel ${tone === undefined ? '' : `edge ${tone}`}`} aria-labelledby={id}>
      <h2 id={id}>
        {title} {note !== undefined && <small class="dim">{note}</small>}
      </h2>
      {children}
    </section>
  );
}

/** A note that there is nothing to show, and the command that changes this. */
export function Empty({
  text,
  command,
}: {
  readonly text: string;
  readonly command?: string;
}): JSX.Element {
  return (
    <p class="empty">
      {text} {command !== undefined && <Copied text={command} />}
    </p>
  );
}

/** A box with the reason why there is no answer, or no newer one. */
export function Failed({
  failure,
}: {
  readonly failure: CallError | undefined;
}): JSX.Element | null {
  if (failure === undefined) return null;
  return (
    <div class="panel edge bad" role="alert">
      <p>
        <b>{inZone(failure.message)}</b>
      </p>
      {failure.hint !== undefined && <p class="dim">{failure.hint}</p>}
    </div>
  );
}
