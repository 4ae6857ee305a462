/** The smaller parts of a playbook: inputs, guards, schedule, durations. */
import { lengthIn, type Millis } from '../base/clock.ts';
import { isOperation } from '../exchange/api/operations/index.ts';
import type { Includes } from './includes.ts';
import { keptNumber, numberRules } from './number-guards.ts';
import {
  inputTypes,
  type DeclaredType,
  type FieldDeclaration,
  type Guards,
  type InputDeclaration,
  type ScheduleEntry,
  type Template,
} from './playbook.ts';
import { patternProblem } from './pattern.ts';
import type { Problems } from './problems.ts';
import type { Templates } from './template.ts';
import { childOf, textOf, type SourceNode } from './text/node.ts';
import type { SourceText } from './text/positions.ts';

export interface Reading {
  readonly source: SourceText;
  readonly includes: Includes;
  readonly problems: Problems;
  readonly templates: Templates;
}

/** `10s` in milliseconds, under the given name; nothing if the key is missing. */
export function spanIn<K extends string>(
  node: SourceNode | undefined,
  key: string,
  name: K,
): { readonly [P in K]?: Millis } {
  const length = lengthIn(textOf(childOf(node, key)) ?? '');
  const result: { [P in K]?: Millis } = {};
  if (length !== undefined) result[name] = length;
  return result;
}

export function retryIn(node: SourceNode | undefined): { readonly attempts?: number } {
  const attempts = childOf(childOf(node, 'retry'), 'attempts');
  return attempts?.kind === 'scalar' && typeof attempts.value === 'number'
    ? { attempts: attempts.value }
    : {};
}

export function textsIn(node: SourceNode | undefined): readonly string[] {
  if (node?.kind !== 'list') return [];
  return node.items.map(textOf).filter((text) => text !== undefined);
}

/** Templates by name; undefined without a map. */
export function templatesIn(
  node: SourceNode | undefined,
  { templates, source }: Reading,
  uses = '',
): ReadonlyMap<string, Template> | undefined {
  if (node?.kind !== 'map') return undefined;
  const read = new Map<string, Template>();
  for (const [key, { value }] of node.entries) {
    const isPage = uses === 'report/page' && key === 'parts';
    const template = isPage ? templates.pageParts(value) : templates.read(value);
    // An unreadable value was reported; its name is kept, so that references to it are not reported as
    // well.
    read.set(key, template ?? { kind: 'literal', value: null, source: '', at: source.of(value) });
  }
  return read;
}

export function readInputs(
  node: SourceNode | undefined,
  reading: Reading,
): ReadonlyMap<string, InputDeclaration> {
  const inputs = new Map<string, InputDeclaration>();
  if (node?.kind !== 'map') return inputs;
  for (const [name, { key, value }] of node.entries) {
    const given = childOf(value, 'default');
    const initial = given && reading.templates.read(given);
    inputs.set(name, {
      ...typeIn(value, reading),
      name,
      at: reading.source.of(key),
      isRequired: given === undefined,
      ...(initial && { default: initial }),
    });
  }
  return inputs;
}

function typeIn(node: SourceNode | undefined, reading: Reading): DeclaredType {
  const type = inputTypes.find((word) => word === textOf(childOf(node, 'type'))) ?? 'string';
  const description = textOf(childOf(node, 'description'));
  const items = childOf(node, 'items');
  const values = childOf(node, 'values');
  const pattern = patternIn(childOf(node, 'pattern'), reading);
  return {
    type,
    ...(description !== undefined && { description }),
    ...(items && { items: typeIn(items, reading) }),
    ...(type === 'record' && { fields: fieldsIn(childOf(node, 'fields'), reading) }),
    ...(values && { values: textsIn(values) }),
    ...(pattern !== undefined && { pattern }),
    ...sourceIn(node, 'minimum'),
    ...sourceIn(node, 'maximum'),
  };
}

/** The fields of a record; none without a map, which is reported. */
function fieldsIn(
  node: SourceNode | undefined,
  reading: Reading,
): ReadonlyMap<string, FieldDeclaration> {
  const entries = node?.kind === 'map' ? [...node.entries] : [];
  return new Map(
    entries.map(([name, { value }]) => {
      const given = childOf(value, 'default');
      const initial = given && reading.templates.read(given);
      const optional = childOf(value, 'optional');
      return [
        name,
        {
          ...typeIn(value, reading),
          isOptional: !initial && optional?.kind === 'scalar' && optional.value === true,
          ...(initial && { default: initial }),
        },
      ];
    }),
  );
}

/** Reads a pattern; undefined for an invalid one, which is reported. */
function patternIn(
  node: SourceNode | undefined,
  { source, problems }: Reading,
): string | undefined {
  const pattern = textOf(node);
  const problem = pattern === undefined ? undefined : patternProblem(pattern);
  if (node === undefined || problem === undefined) return pattern;
  problems.add('PB105', source.of(node), problem, {
    hint: 'patterns use RE2 syntax: no look-around and no \\1',
  });
  return undefined;
}

/** The source of a bound, with all its digits. */
function sourceIn(
  node: SourceNode | undefined,
  key: 'minimum' | 'maximum',
): Pick<InputDeclaration, 'minimum' | 'maximum'> {
  const bound = childOf(node, key);
  return bound?.kind === 'scalar' ? { [key]: bound.text } : {};
}

export function readGuards(node: SourceNode | undefined, { templates }: Reading): Guards {
  const scalar = (key: string): string | undefined => {
    const value = childOf(node, key);
    return value?.kind === 'scalar' && value.text !== '' ? value.text : undefined;
  };
  const allowed = childOf(node, 'symbols');
  const symbols = allowed && templates.read(allowed);
  const words = (key: string): readonly string[] | undefined => {
    const value = childOf(node, key);
    return value?.kind === 'scalar' ? [value.text] : value && textsIn(value);
  };
  const [operations, accounts, hours] = [words('operations'), words('accounts'), words('hours')];
  return {
    ...numberRules((guard) => {
      const text = scalar(guard.key);
      return text === undefined ? undefined : keptNumber(guard, text);
    }),
    ...(symbols && { symbols }),
    ...(operations && { operations: operations.filter(isOperation) }),
    ...(accounts && { accounts }),
    ...(hours && { hours }),
    ...(scalar('doubts') === 'block' && { doubts: 'block' as const }),
  };
}

export function readSchedule(node: SourceNode | undefined): readonly ScheduleEntry[] {
  if (node?.kind !== 'list') return [];
  return node.items.map((item) => {
    const only = childOf(item, 'only');
    const missed = textOf(childOf(item, 'missed'));
    return {
      cron: textOf(childOf(item, 'cron')) ?? '',
      timezone: textOf(childOf(item, 'timezone')) ?? 'UTC',
      ...(only && { only: textsIn(only) }),
      ...((missed === 'skip' || missed === 'once' || missed === 'all') && { missed }),
      overlap: textOf(childOf(item, 'overlap')) === 'queue' ? 'queue' : 'skip',
      ...spanIn(item, 'within', 'withinMs'),
      ...spanIn(item, 'late', 'lateMs'),
      ...spanIn(item, 'jitter', 'jitterMs'),
    };
  });
}
