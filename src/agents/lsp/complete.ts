/** Completions at the cursor: of an expression, or of the YAML around it. */
import { isPlaybook, type Surroundings } from './checked.ts';
import { completionsInExpression } from './complete-expression.ts';
import { completionsInYaml } from './complete-yaml.ts';
import type { Completion } from './completion.ts';
import { cursorAt } from './cursor.ts';
import { placesAt } from './place.ts';

/**
 * The completions at the cursor.
 * @param offset where the cursor is, in UTF-16 units
 */
export function completionsAt(
  text: string,
  offset: number,
  file: string,
  surroundings: Surroundings,
): readonly Completion[] {
  const cursor = cursorAt(text, offset);
  if (cursor !== undefined) {
    return completionsInExpression(text, { offset, cursor }, file, surroundings);
  }
  if (!isPlaybook(text)) return [];
  const found = placesAt(text, offset).flatMap((place) =>
    completionsInYaml(place, text, file, surroundings),
  );
  return [...new Map(found.map((each) => [each.label, each])).values()];
}
