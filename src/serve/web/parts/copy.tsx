/** A command, an id or a name with a button that copies it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { later } from '../clock.ts';
import { Icon } from './icon.tsx';

const shownFor = 1_500; // ms

export function Copied({
  text,
  shown = text,
}: {
  readonly text: string;
  /** The shown part of a long text. */
  readonly shown?: string;
}): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(() => {
      setCopied(true);
      later(shownFor, () => setCopied(false));
    });
  };
  return (
    <span class="copied">
      <code title={shown === text ? undefined : text}>{shown}</code>
      <button type="button" class="copy" aria-label={`Copy ${text}`} onClick={copy}>
        <Icon name={isCopied ? 'good' : 'copy'} />
      </button>
      <span class="unseen" role="status">
        {isCopied ? 'copied' : ''}
      </span>
    </span>
  );
}
