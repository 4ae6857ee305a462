/** The main action of a page on a telephone: it stays at the lower edge of the screen, where the thumb is. */
import { signal } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId } from 'preact/hooks';

/** The kinds of main actions; one that is earlier in this list has the place. */
const ranks = ['doubt', 'decision', 'action'] as const;

interface Candidate {
  readonly id: string;
  readonly rank: number;
}

const candidates = signal<readonly Candidate[]>([]);

/** Actions in their place on the page; on a telephone those that come first stay on the screen. */
export function Thumb({
  of,
  children,
}: {
  readonly of: (typeof ranks)[number];
  readonly children: ComponentChildren;
}): JSX.Element {
  const id = useId();
  const rank = ranks.indexOf(of);
  useEffect(() => {
    candidates.value = [...candidates.value, { id, rank }].toSorted((a, b) => a.rank - b.rank);
    return () => {
      candidates.value = candidates.value.filter((each) => each.id !== id);
    };
  }, [id, rank]);
  return <div class={candidates.value[0]?.id === id ? 'thumb' : ''}>{children}</div>;
}
