/** Completions of keys and values, from the schema of playbooks and the names that the file itself has. */
import { isRecord } from '../../base/json.ts';
import { plain } from '../../language/source.ts';
import type { JsonSchema } from '../../exchange/api/schema.ts';
import type { Surroundings } from './checked.ts';
import type { Completion } from './completion.ts';
import { inputsOfNested, namesFor } from './defined.ts';
import { nodeAt, type Place } from './place.ts';
import { playbookSchemasAt } from './schema-at.ts';

/** @param file the playbook, from whose folder others are named */
export function completionsInYaml(
  place: Place,
  text: string,
  file: string,
  surroundings: Surroundings,
): readonly Completion[] {
  const { kind, path, tree } = place;
  const nested = inputsOfNested(tree, path, file, surroundings);
  const found = playbookSchemasAt(plain(tree), path);
  return kind === 'key'
    ? keysOf([...found, ...(nested === undefined ? [] : [nested])], place)
    : [
        ...valuesOf(found, place),
        ...namesFor(place, text, surroundings),
        ...nestedValues(place, file, surroundings),
      ];
}

/** The keys of a map that it does not have yet. */
function keysOf(schemas: readonly JsonSchema[], { tree, path, at, hasColon }: Place): Completion[] {
  const node = nodeAt(tree, path);
  const given = node?.kind === 'map' ? node.entries : new Map<string, unknown>();
  return schemas
    .flatMap(({ properties }) => (isRecord(properties) ? Object.entries(properties) : []))
    .filter(([key]) => !given.has(key))
    .map(([label, about]) => ({
      label,
      kind: 'key',
      ...described(about),
      insert: hasColon ? label : `${label}:${isNested(about) ? '' : ' '}`,
      at,
    }));
}

/** Whether the value of a key begins in the next line. */
function isNested(about: unknown): boolean {
  return isRecord(about) && (about['type'] === 'object' || about['type'] === 'array');
}

/** The values of closed lists, and those that a field is known to have. */
function valuesOf(schemas: readonly JsonSchema[], { at, isQuoted }: Place): Completion[] {
  const about = schemas.map(described).find(({ documentation }) => documentation !== undefined);
  return schemas.flatMap((each) => {
    const meanings = listOf(each['enumDescriptions']);
    const snippets = listOf(each['defaultSnippets']).flatMap((one) =>
      isRecord(one) ? [one['label']] : [],
    );
    const truth = each['type'] === 'boolean' && !isQuoted ? [true, false] : [];
    const single = 'const' in each ? [each['const']] : [];
    const words = [...listOf(each['enum']), ...single, ...snippets, ...truth].map(String);
    return words.flatMap((label, index): Completion[] => {
      if (label === '') return [];
      const meaning = meanings[index];
      const documentation = typeof meaning === 'string' ? meaning : about?.documentation;
      return [{ label, kind: 'value', ...(documentation !== undefined && { documentation }), at }];
    });
  });
}

/** The values of an input of another playbook. */
function nestedValues(
  { tree, path, at }: Place,
  file: string,
  surroundings: Surroundings,
): Completion[] {
  const inputs = inputsOfNested(tree, path.slice(0, -1), file, surroundings)?.['properties'];
  const input = isRecord(inputs) ? inputs[path.at(-1) ?? ''] : undefined;
  if (!isRecord(input)) return [];
  return listOf(input['enum']).map((label) => ({
    label: String(label),
    kind: 'value',
    ...described(input),
    at,
  }));
}

function described(about: unknown): { readonly documentation?: string } {
  const text = isRecord(about) ? about['description'] : undefined;
  return typeof text === 'string' ? { documentation: text } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
