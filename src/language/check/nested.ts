/** A nested playbook: the step's fields against its inputs. */
import { nearWord } from '../../base/text.ts';
import { isNumeric, isTime, typeName, type Type } from '../expression/type.ts';
import { resolveInputs } from '../inputs.ts';
import type { Playbook, Template } from '../playbook.ts';
import { didYouMean, type Problems } from '../problems.ts';
import { reportMissing } from './missing.ts';
import { inputType } from './scope.ts';
import type { StepRanges } from './step-ranges.ts';

/** Checks names, and required inputs. `given` names every field that is present. */
export function checkNested(
  playbook: Playbook,
  given: readonly string[],
  ranges: StepRanges,
  problems: Problems,
): void {
  for (const field of given) {
    if (playbook.inputs.has(field)) continue;
    problems.add(
      'PB202',
      ranges.key(field) ?? ranges.uses,
      `${playbook.name} has no input ${JSON.stringify(field)}`,
      didYouMean(nearWord(field, playbook.inputs.keys())),
    );
  }
  const missing = [...playbook.inputs.values()].filter(
    ({ name, isRequired }) => isRequired && !given.includes(name),
  );
  reportMissing(
    missing.map(({ name }) => ({ field: name, at: ranges.uses })),
    given.filter((field) => !playbook.inputs.has(field)),
    problems,
  );
}

/** Whether a value, or else its type, is valid for the input. */
export function checkNestedField(
  playbook: Playbook,
  template: Template,
  { name, type }: { readonly name: string; readonly type: Type },
  problems: Problems,
): void {
  const declared = playbook.inputs.get(name);
  if (declared === undefined) return;
  if (template.kind === 'literal') {
    const value = typeof template.value === 'number' ? template.source : template.value;
    const [issue] = resolveInputs(playbook, new Map([[name, value]])).problems.filter(
      (found) => found.name === name,
    );
    if (issue) {
      problems.add('PB204', template.at, issue.message, issue.hint ? { hint: issue.hint } : {});
    }
    return;
  }
  const wanted = inputType(declared);
  if (accepts(wanted, type)) return;
  problems.add(
    'PB305',
    template.at,
    `${name} expects ${typeName(wanted)}, found ${typeName(type)}`,
  );
}

/** The types that `resolveInputs` accepts for an input. */
export function accepts(wanted: Type, given: Type): boolean {
  if (wanted.kind === 'any' || given.kind === 'any') return true;
  switch (wanted.kind) {
    case 'text':
      return given.kind === 'text' || (given.kind === 'integer' && wanted.values === undefined);
    case 'integer':
    case 'decimal':
      return given.kind === 'text' || isNumeric(given);
    case 'time':
      return given.kind === 'text' || isTime(given);
    case 'duration':
      return given.kind === 'text' || given.kind === 'duration';
    case 'list':
      return given.kind === 'list' && accepts(wanted.items, given.items);
    case 'map':
      return given.kind === 'map'
        ? accepts(wanted.values, given.values)
        : given.kind === 'record' &&
            [...given.fields.values()].every(({ type }) => accepts(wanted.values, type));
    case 'boolean':
    case 'null':
    case 'record':
      return given.kind === wanted.kind;
  }
}
