/** Locates the parts of a step in its file. */
import type { SourceRange } from '../source-range.ts';
import { childOf, type SourceNode } from '../text/node.ts';
import type { SourceText } from '../text/positions.ts';

export interface StepRanges {
  readonly uses: SourceRange;
  field(name: string): SourceRange | undefined;
  key(name: string): SourceRange | undefined;
}

export function rangesIn(node: SourceNode, source: SourceText): StepRanges {
  const fields = childOf(node, 'with');
  const uses = childOf(node, 'uses');
  const entry = (name: string) => (fields?.kind === 'map' ? fields.entries.get(name) : undefined);
  return {
    uses: source.of(uses ?? node),
    field: (name) => {
      const found = entry(name);
      return found && source.of(found.value);
    },
    key: (name) => {
      const found = entry(name);
      return found && source.of(found.key);
    },
  };
}
