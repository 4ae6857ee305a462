/** Whether an input may accept the values of a type, and why not. */
import { isNumeric, isTime, typeName, type Type } from '../expression/type.ts';
import { fieldHint, isRequiredField } from '../input-members.ts';
import type { DeclaredType, FieldDeclaration } from '../playbook.ts';
import { inputType } from './scope.ts';

/** Why values are refused; the message continues the name of the input. */
export interface Refusal {
  readonly message: string;
  readonly hint?: string;
}

/** Why `resolveInputs` refuses every value of a type; undefined if it may accept one. */
export function refusalOf(declared: DeclaredType, given: Type): Refusal | undefined {
  const { type, items, fields } = declared;
  if (given.kind === 'any') return undefined;
  if (type === 'list' && given.kind === 'list') return items && refusalOf(items, given.items);
  if (type === 'map' && given.kind === 'map') return items && refusalOf(items, given.values);
  if (type === 'map' && given.kind === 'record') {
    const members = [...given.fields.values()].map((field) => field.type);
    return items && members.map((member) => refusalOf(items, member)).find(Boolean);
  }
  if (fields && given.kind === 'record') return refusalOfFields(fields, given);
  const wanted = inputType(declared);
  if (accepts(wanted, given)) return undefined;
  const name = type === 'record' ? 'record' : typeName(wanted);
  return { message: `expects ${name}, found ${typeName(given)}` };
}

function refusalOfFields(
  fields: ReadonlyMap<string, FieldDeclaration>,
  given: Extract<Type, { kind: 'record' }>,
): Refusal | undefined {
  for (const name of given.fields.keys()) {
    if (fields.has(name)) continue;
    return { message: `has no field ${JSON.stringify(name)}`, hint: fieldHint(name, fields) };
  }
  for (const [name, field] of fields) {
    const found = given.fields.get(name);
    if (isRequiredField(field) && (found === undefined || found.isOptional)) {
      return { message: `requires the field ${name}, which ${found ? 'may be' : 'is'} missing` };
    }
    const refusal = found && refusalOf(field, found.type);
    if (refusal) return { ...refusal, message: `${name} ${refusal.message}` };
  }
  return undefined;
}

function accepts(wanted: Type, given: Type): boolean {
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
    case 'any':
    case 'list':
    case 'map':
    case 'boolean':
    case 'null':
    case 'record':
      return given.kind === wanted.kind;
  }
}
