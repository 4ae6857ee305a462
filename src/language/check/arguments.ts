/** Checks the arguments of a helper. */
import { isDecimalText } from '../../base/decimal.ts';
import { listed, moreText, nearWord } from '../../base/text.ts';
import { fits, type Helper, type Kind } from '../expression/helpers/define.ts';
import type { CallNode, ExpressionNode } from '../expression/node.ts';
import {
  anything,
  isNumberOrEmpty,
  listOf,
  membersOf,
  typeName,
  unionOf,
  withoutEmpty,
  type Type,
} from '../expression/type.ts';
import type { SourceRange } from '../source-range.ts';
import { didYouMean, type Problems } from '../problems.ts';

interface ArgumentTypes {
  readonly args: readonly Type[];
  readonly named: ReadonlyMap<string, Type>;
}

/** Checks the number, names and types of a call's arguments. */
export function checkArguments(
  node: CallNode,
  helper: Helper,
  { args, named }: ArgumentTypes,
  problems: Problems,
): void {
  const least = helper.least ?? helper.takes.length;
  if (args.length < least || (helper.rest === undefined && args.length > helper.takes.length)) {
    problems.add(
      'PB310',
      node.at,
      `${node.helper} takes ${least === helper.takes.length ? least : `${least} to ${helper.takes.length}`} arguments, not ${args.length}`,
      { hint: `as in ${helper.usage}` },
    );
  }
  for (const [index, type] of args.entries()) {
    const kind = helper.takes[index] ?? helper.rest;
    const argument = node.positional[index];
    if (kind && argument) checkKind(type, kind, argument.at, node.helper, problems);
  }
  for (const [name, argument] of node.named) {
    const known = helper.named?.[name];
    const type = named.get(name) ?? anything;
    if (known) checkKind(type, known.kind, argument.at, `${node.helper} ${name}=`, problems);
    else
      problems.add(
        'PB310',
        argument.at,
        `${node.helper} has no ${name}=`,
        didYouMean(nearWord(name, Object.keys(helper.named ?? {}))),
      );
  }
  for (const [name, { isRequired }] of Object.entries(helper.named ?? {})) {
    if (isRequired && !node.named.has(name)) {
      problems.add('PB310', node.at, `${node.helper} needs ${name}=`, {
        hint: `as in ${helper.usage}`,
      });
    }
  }
  checkOneOf(node, helper, problems);
}

function checkOneOf(node: CallNode, { oneOf = [], usage }: Helper, problems: Problems): void {
  const given = oneOf.filter((name) => node.named.has(name));
  if (oneOf.length === 0 || given.length === 1) return;
  const names = oneOf.map((name) => `${name}=`);
  const [second = ''] = given.slice(1);
  const at = node.named.get(second)?.at ?? node.at;
  const hint = { hint: `as in ${usage}` };
  problems.add('PB310', at, `${node.helper} needs one of ${listed(names, 'or')}`, hint);
}

/** Reports two values that can never be equal, such as `buy` and `Buy`. */
export function checkEquality(node: CallNode, [a, b]: readonly Type[], problems: Problems): void {
  if (a?.kind !== 'text' || b?.kind !== 'text' || !a.values || !b.values) return;
  if (a.values.some((word) => isDecimalText(word) || b.values?.includes(word))) return;
  const [few, many] =
    a.values.length < b.values.length ? [a.values, b.values] : [b.values, a.values];
  if (many.length === 1) return; // two literals: reported with the condition
  problems.add('PB312', node.at, `${quoted(few)} is never ${quoted(many)}`, {
    level: 'warning',
    ...didYouMean(nearWord(few[0] ?? '', many)),
  });
}

function quoted(words: readonly string[]): string {
  return listed(
    words.map((word) => JSON.stringify(word)),
    'or',
  );
}

const kindWords: Readonly<Record<Kind, string>> = {
  number: 'a number',
  text: 'a text',
  boolean: 'true or false',
  time: 'a time',
  duration: 'a duration',
  collection: 'a list',
  numbers: 'a list of numbers',
  scalars: 'a list of single values',
  scalar: 'a single value',
  any: 'anything',
};

/** Checks one argument against the types that a helper accepts there. */
export function checkKind(
  type: Type,
  kind: Kind,
  at: SourceRange,
  what: string,
  problems: Problems,
): void {
  if ((kind === 'number' || kind === 'time') && isNumberOrEmpty(type)) {
    problems.add('PB311', at, `${what} expects ${kindWords[kind]}, but this may be empty`, {
      hint: "add a default: {{ default … 0 }}, or stop without it: {{ required … 'it is missing' }}",
    });
    return;
  }
  if (fits(type, kind)) return;
  problems.add('PB305', at, `${what} expects ${kindWords[kind]}, found ${typeName(type)}`, {
    hint:
      kind === 'number' || kind === 'numbers'
        ? 'declare it as type: decimal, or use a field that holds a number'
        : `see \`deskhand explain ${what.split(' ')[0]}\``,
  });
}

/** Checks helpers that access members of a list: the field is checked if the members are known. */
export function checkMembers(
  node: CallNode,
  { args: [list = anything, ...others], named }: ArgumentTypes,
  problems: Problems,
): Type | undefined {
  const members = membersOf(list) ?? anything;
  const [, field, word, value] = node.positional;
  switch (node.helper) {
    case 'pluck': {
      const otherwise = named.get('default');
      const remedy = "add a default: pluck … 'FIELD' default=…";
      const type = fieldType(members, field, problems, otherwise === undefined ? remedy : 'may');
      return listOf(otherwise === undefined ? type : unionOf([withoutEmpty(type), otherwise]));
    }
    case 'filter': {
      const type = fieldType(members, field, problems);
      if (word?.kind !== 'literal' || word.value === 'eq' || word.value === 'ne') return undefined;
      if (field) checkKind(type, 'number', field.at, 'filter', problems);
      if (value) checkKind(others[2] ?? anything, 'number', value.at, 'filter', problems);
      return undefined;
    }
    case 'sort': {
      const by = node.named.get('by');
      const type = by === undefined ? members : fieldType(members, by, problems);
      checkKind(type, 'scalar', by?.at ?? node.at, 'sort', problems);
      return undefined;
    }
    default:
      return undefined;
  }
}

/**
 * The type of a field of each member.
 * @param missing what helps if members may lack the field; `may` if they may
 */
function fieldType(
  members: Type,
  field: ExpressionNode | undefined,
  problems: Problems,
  missing = 'compute it in a report/table: {{ default row.FIELD … }}',
): Type {
  if (field === undefined || members.kind === 'any') return anything;
  if (members.kind === 'map') return members.values;
  if (members.kind !== 'record') {
    problems.add('PB305', field.at, `the members have no fields: each is ${typeName(members)}`);
    return anything;
  }
  if (field.kind !== 'literal' || typeof field.value !== 'string') return anything;
  const found = members.fields.get(field.value);
  if (found === undefined) {
    const message = `the members have no ${JSON.stringify(field.value)}`;
    problems.add('PB304', field.at, message, hintAt(members, field.value, problems));
    return anything;
  }
  if (found.isOptional && missing !== 'may') {
    problems.add('PB311', field.at, `${field.value} may be missing in some members`, {
      hint: missing.replace('FIELD', field.value),
    });
  }
  return found.type;
}

const namesMax = 50; // a playbook may have thousands of steps

/** A suggestion for a name that a type does not have. */
export function hintAt(type: Type, word: string, problems: Problems): { readonly hint?: string } {
  if (type.kind === 'record') {
    const near = problems.suggest(word, type.fields.keys());
    return 'hint' in near ? near : { hint: `it has: ${listedNames([...type.fields.keys()])}` };
  }
  if (type.kind === 'list')
    return { hint: `it is a list: use pluck, first, or a place such as .0` };
  return { hint: `it is ${typeName(type)}` };
}

function listedNames(names: readonly string[]): string {
  const left = names.length - namesMax;
  return [...names.slice(0, namesMax), ...(left > 0 ? [moreText(left)] : [])].join(', ');
}
