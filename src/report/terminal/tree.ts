/** Draws a tree of items with branch lines. */
import { appendTo } from '../../base/groups.ts';
import type { Theme } from './theme.ts';

export interface TreeItem<T> {
  readonly id: string;
  /** The id of the parent; an item whose parent is absent or unknown is at the top. */
  readonly parent?: string;
  readonly item: T;
}

export interface TreeLine<T> {
  /** The prefix before the item. */
  readonly line: string;
  readonly item: T;
}

/** The lines of a tree, depth first, in the given order. */
export function treeLines<T>(items: readonly TreeItem<T>[], { glyphs }: Theme): TreeLine<T>[] {
  const known = new Set(items.map(({ id }) => id));
  const under = new Map<string | undefined, TreeItem<T>[]>();
  for (const item of items) {
    const parent = item.parent !== undefined && known.has(item.parent) ? item.parent : undefined;
    appendTo(under, parent, item);
  }
  const lines: TreeLine<T>[] = [];
  const draw = (parent: string | undefined, margin: string): void => {
    const children = under.get(parent) ?? [];
    for (const [place, { id, item }] of children.entries()) {
      const isLast = place === children.length - 1;
      lines.push({ line: margin + (isLast ? glyphs.lastBranch : glyphs.branch), item });
      draw(id, margin + (isLast ? '   ' : glyphs.trunk));
    }
  };
  draw(undefined, '');
  return lines;
}
