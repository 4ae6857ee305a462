/** Draws the branches of a tree. */
import type { Theme } from './theme.ts';

/** An item of a tree in depth-first order. */
export interface TreePlace {
  readonly depth: number;
  /** Whether no sibling follows. */
  readonly isLast: boolean;
}

/** The prefix of each line of a tree. */
export function branches(places: readonly TreePlace[], { glyphs }: Theme): string[] {
  const margins: string[] = [];
  return places.map(({ depth, isLast }) => {
    margins.length = depth;
    const margin = margins.join('');
    margins.push(isLast ? '   ' : glyphs.trunk);
    return margin + (isLast ? glyphs.lastBranch : glyphs.branch);
  });
}
