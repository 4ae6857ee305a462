/** The places of a name of `let`: where it is given, and where expressions use it. */
import { childOf } from '../../language/text/node.ts';
import type { Checked } from './checked.ts';
import { itemsOf, type NamedStep, type TextRange } from './steps.ts';

/** A name at an offset with all its places, of which that of the definition is first. */
export interface NamedValue extends NamedStep {
  readonly places: readonly TextRange[];
}

/** The name of `let` whose definition or use is at an offset. */
export function letAt(checked: Checked, offset: number): NamedValue | undefined {
  for (const value of valuesIn(checked)) {
    const at = value.places.find(({ start, end }) => start <= offset && offset <= end);
    if (at !== undefined) return { ...value, at };
  }
  return undefined;
}

/** The values of the playbook, and those of each step, which only that step can use. */
function valuesIn({ tree, text, paths }: Checked): readonly NamedValue[] {
  const uses = paths.flatMap(({ root, path: [name = ''], at }): readonly NamedStep[] => {
    const [ahead] = /^let\s*\.\s*/.exec(text.slice(at.start.offset)) ?? [];
    if (root !== 'let' || ahead === undefined) return [];
    const start = at.start.offset + ahead.length;
    const isWritten = text.startsWith(name, start);
    return isWritten ? [{ id: name, at: { start, end: start + name.length } }] : [];
  });
  const steps = ['steps', 'on-failure', 'finally'].flatMap((key) => itemsOf(childOf(tree, key)));
  const holders = [...steps, ...(tree === undefined ? [] : [tree])];
  const known = new Set<number>();
  return holders.flatMap((holder) => {
    const named = childOf(holder, 'let');
    if (named?.kind !== 'map') return [];
    return [...named.entries].flatMap(([id, { key }]): NamedValue[] => {
      const quote = key.style === 'plain' ? 0 : 1;
      const at = { start: key.start + quote, end: key.end - quote };
      const own = uses.filter(
        (use) => use.id === id && isWithin(use.at, holder) && !known.has(use.at.start),
      );
      for (const use of own) known.add(use.at.start);
      const places = new Map([at, ...own.map((use) => use.at)].map((each) => [each.start, each]));
      return [{ id, at, places: [...places.values()] }];
    });
  });
}

function isWithin({ start, end }: TextRange, outer: TextRange): boolean {
  return outer.start <= start && end <= outer.end;
}
