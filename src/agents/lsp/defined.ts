/** Names that a playbook can use where they are defined elsewhere: steps, zones, profiles, inputs, anchors. */
import { posix } from 'node:path';
import type { JsonSchema } from '../../exchange/api/schema.ts';
import { isPlaybookPath } from '../../language/includes.ts';
import { loadPlaybook } from '../../language/load.ts';
import type { InputDeclaration } from '../../language/playbook.ts';
import { childOf, textOf, type SourceNode } from '../../language/text/node.ts';
import { zoneNames } from '../../language/zone.ts';
import type { Surroundings } from './checked.ts';
import type { Completion } from './completion.ts';
import { nodeAt, type Place } from './place.ts';
import { itemsOf } from './steps.ts';

/** The names for a value, by the keys above it. */
export function namesFor(
  place: Place,
  text: string,
  { profiles = [] }: Surroundings,
): readonly Completion[] {
  const { path, at, isQuoted } = place;
  const named = (labels: readonly string[]): readonly Completion[] =>
    labels.map((label) => ({ label, kind: 'name', at }));
  if (!isQuoted && text.slice(at.start, at.end).startsWith('*')) {
    return named(
      [...text.slice(0, at.start).matchAll(/(?<=[\s:[,{-])&([\w-]+)/g)].map(
        ([, name]) => `*${name}`,
      ),
    );
  }
  const keys = path.filter((word) => !/^\d+$/.test(word)).join('.');
  const isOfStep = /^(?:steps|on-failure|finally)\./.test(keys);
  if (keys === 'account' || (isOfStep && keys.endsWith('.account'))) return named(profiles);
  if (keys === 'schedule.timezone') return named(['UTC', ...zoneNames()]);
  if (keys === 'schedule.only') return named(idsIn(childOf(place.tree, 'steps')));
  if (!isOfStep) return [];
  if (/^[\w-]+\.needs$/.test(keys)) return named(needable(place));
  if (/\.with\.(?:join\.)?from$|\.with\.parts\.table$/.test(keys)) return named(earlier(place));
  if (keys.endsWith('.with.parts.chart')) return named(earlier(place, 'report/chart'));
  return [];
}

/** The ids of the steps that do not wait for this one themselves. */
function needable({ tree, path: [section = '', index = ''] }: Place): readonly string[] {
  const steps = itemsOf(childOf(tree, section));
  const own = textOf(childOf(steps[Number(index)], 'id'));
  const waiting = new Set(own === undefined ? [] : [own]);
  for (let size = -1; size !== waiting.size;) {
    size = waiting.size;
    for (const step of steps) {
      const id = textOf(childOf(step, 'id'));
      const needs = itemsOf(childOf(step, 'needs')).map(textOf);
      if (id !== undefined && needs.some((each) => each !== undefined && waiting.has(each)))
        waiting.add(id);
    }
  }
  return idsIn(childOf(tree, section)).filter((id) => !waiting.has(id));
}

/** The ids of the steps above. @param uses only those with this action */
function earlier(
  { tree, path: [section = '', index = ''] }: Place,
  uses?: string,
): readonly string[] {
  const own = itemsOf(childOf(tree, section)).slice(0, Number(index));
  const before = section === 'steps' ? own : [...itemsOf(childOf(tree, 'steps')), ...own];
  return before
    .filter((step) => uses === undefined || textOf(childOf(step, 'uses')) === uses)
    .flatMap((step) => textOf(childOf(step, 'id')) ?? []);
}

function idsIn(steps: SourceNode | undefined): readonly string[] {
  return itemsOf(steps).flatMap((step) => textOf(childOf(step, 'id')) ?? []);
}

/** The inputs of the playbook that a step uses as a schema, if the path is its `with`. */
export function inputsOfNested(
  tree: SourceNode,
  path: readonly string[],
  file: string,
  { include = () => undefined }: Surroundings,
): JsonSchema | undefined {
  if (path.at(-1) !== 'with' || path.length !== 3) return undefined;
  const uses = textOf(childOf(nodeAt(tree, path.slice(0, -1)), 'uses')) ?? '';
  if (!isPlaybookPath(uses)) return undefined;
  const nested = posix.join(posix.dirname(file), uses);
  const text = include(nested);
  const inputs =
    text === undefined ? undefined : loadPlaybook(text, nested, { include }).playbook?.inputs;
  return (
    inputs && {
      properties: Object.fromEntries([...inputs].map(([name, input]) => [name, schemaOf(input)])),
    }
  );
}

function schemaOf({ type, description, values, isRequired }: InputDeclaration): JsonSchema {
  const need = isRequired ? 'required' : 'has a default';
  return {
    description: `${description ?? ''} (${type}, ${need})`.trim(),
    ...(values !== undefined && { enum: values }),
  };
}
