/** Gives every expression its static type, and names what can never work. */
import { isDecimal, isDecimalText } from '../../base/decimal.ts';
import { nearWord } from '../../base/text.ts';
import { literalValue } from '../expression/evaluate.ts';
import { fits, type Helper, type Kind } from '../expression/helpers/define.ts';
import { helpers } from '../expression/helpers/index.ts';
import { pathText, type CallNode, type ExpressionNode, type PathNode } from '../expression/node.ts';
import {
  anything,
  booleanType,
  decimalType,
  integerType,
  isScalar,
  listOf,
  membersOf,
  text,
  typeName,
  type Field,
  type Type,
} from '../expression/type.ts';
import type { SourceRange, Template } from '../playbook.ts';
import { didYouMean, type Problems } from '../problems.ts';
import { proveCall } from './constant.ts';

/** What may be seen in one field of a playbook. */
export interface TypeScope {
  readonly roots: ReadonlyMap<string, Type>;
  /** Steps that exist but are not done at this point. */
  readonly later: ReadonlySet<string>;
}

const knownRoots = [
  'inputs',
  'steps',
  'each',
  'response',
  'row',
  'rows',
  'run',
  'failure',
  'secrets',
];

/** The type of a template's value. */
export function typeOfTemplate(template: Template, scope: TypeScope, problems: Problems): Type {
  switch (template.kind) {
    case 'literal':
      return literalType(template, problems);
    case 'expression':
      return infer(template.expression.node, scope, problems);
    case 'text':
      for (const part of template.parts) {
        if (typeof part === 'string') continue;
        const type = infer(part.node, scope, problems);
        if (isScalar(type)) continue;
        problems.add('PB309', part.at, `a ${typeName(type)} cannot stand inside a text`, {
          hint: `join it: {{ join … ', ' }}`,
        });
      }
      return text;
    case 'list': {
      const types = template.items.map((item) => typeOfTemplate(item, scope, problems));
      return listOf(
        types.every(({ kind }) => kind === types[0]?.kind) ? (types[0] ?? anything) : anything,
      );
    }
    case 'map': {
      const fields = [...template.entries].map(([key, item]): [string, Field] => [
        key,
        { type: typeOfTemplate(item, scope, problems) },
      ]);
      return { kind: 'record', fields: new Map(fields) };
    }
  }
}

function literalType(template: Extract<Template, { kind: 'literal' }>, problems: Problems): Type {
  const { source, at } = template;
  const value = literalValue(template);
  if (typeof value === 'string') return { kind: 'text', values: [value] };
  if (typeof value === 'boolean') return booleanType;
  if (isDecimal(value)) return decimalType;
  if (typeof value !== 'number') return anything;
  if (!isDecimalText(source)) {
    problems.add('PB105', at, `write ${source} as a plain decimal number`, {
      hint: 'numbers have no exponent, no leading zero and no other base',
    });
  }
  return integerType;
}

/** The type of an expression; `any` after a problem, so that one mistake is told once. */
export function infer(
  node: ExpressionNode,
  scope: TypeScope,
  problems: Problems,
  { mayBeMissing = false } = {},
): Type {
  switch (node.kind) {
    case 'literal':
      return node.type;
    case 'path':
      return inferPath(node, scope, problems, mayBeMissing);
    case 'call':
      return inferCall(node, scope, problems);
  }
}

function inferPath(
  node: PathNode,
  scope: TypeScope,
  problems: Problems,
  mayBeMissing: boolean,
): Type {
  let type = scope.roots.get(node.root);
  if (type === undefined) return unknownRoot(node, scope, problems);
  const walked = [node.root];
  for (const [index, word] of node.path.entries()) {
    const from: string = walked.join('.');
    if (index === 0 && node.root === 'steps' && scope.later.has(word)) {
      problems.add('PB307', node.at, `${pathText(node)} is used before step ${word} is done`, {
        hint: `move the step, or add needs: [${word}]`,
      });
      return anything;
    }
    const found: Field | undefined = childOf(type, word);
    if (found === undefined) {
      problems.add('PB304', node.at, `${from} has no ${JSON.stringify(word)}`, hintAt(type, word));
      return anything;
    }
    walked.push(word);
    if (found.isOptional && !mayBeMissing) {
      problems.add('PB311', node.at, `${walked.join('.')} may be missing`, {
        hint: `say what then: {{ default ${pathText(node)} … }}`,
      });
      return anything;
    }
    type = found.type;
  }
  return type;
}

function unknownRoot(node: PathNode, scope: TypeScope, problems: Problems): Type {
  if (knownRoots.includes(node.root)) {
    problems.add('PB306', node.at, `${node.root} is not visible here`, {
      hint: `visible here: ${[...scope.roots.keys()].join(', ')}`,
    });
    return anything;
  }
  const near = nearWord(node.root, [...scope.roots.keys(), ...helpers.keys()]);
  problems.add('PB304', node.at, `there is no ${JSON.stringify(pathText(node))}`, didYouMean(near));
  return anything;
}

function childOf(type: Type, word: string): Field | undefined {
  switch (type.kind) {
    case 'record':
      return type.fields.get(word);
    case 'map':
      return { type: type.values };
    case 'list':
      return /^\d{1,9}$/.test(word) ? { type: type.items } : undefined;
    case 'any':
      return { type: anything };
    default:
      return undefined;
  }
}

function hintAt(type: Type, word: string): { readonly hint?: string } {
  if (type.kind === 'record') {
    const near = nearWord(word, type.fields.keys());
    return near ? didYouMean(near) : { hint: `it has: ${[...type.fields.keys()].join(', ')}` };
  }
  if (type.kind === 'list')
    return { hint: `it is a list: use pluck, first, or a place such as .0` };
  return { hint: `it is ${typeName(type)}` };
}

function inferCall(node: CallNode, scope: TypeScope, problems: Problems): Type {
  const helper = helpers.get(node.helper);
  if (helper === undefined) return anything;
  const args = node.positional.map((argument, index) =>
    infer(argument, scope, problems, { mayBeMissing: node.helper === 'default' && index === 0 }),
  );
  const before = problems.count;
  checkArguments(node, helper, args, scope, problems);
  if (problems.count === before) proveCall(node, problems);
  if (node.helper === 'pluck') return pluckType(node, args, problems);
  if (node.helper === 'filter') pluckType(node, args, problems);
  return typeof helper.gives === 'function' ? helper.gives(args) : helper.gives;
}

function checkArguments(
  node: CallNode,
  helper: Helper,
  args: readonly Type[],
  scope: TypeScope,
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
    const type = infer(argument, scope, problems);
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
}

const kindWords: Readonly<Record<Kind, string>> = {
  number: 'a number',
  text: 'a text',
  boolean: 'true or false',
  time: 'a time',
  duration: 'a length of time',
  collection: 'a list',
  scalar: 'a single value',
  any: 'anything',
};

function checkKind(
  type: Type,
  kind: Kind,
  at: SourceRange,
  what: string,
  problems: Problems,
): void {
  if (fits(type, kind)) return;
  problems.add('PB305', at, `${what} wants ${kindWords[kind]}; this is ${typeName(type)}`, {
    hint:
      kind === 'number'
        ? 'declare it as type: decimal, or use a field that holds a number'
        : `see «deskhand explain ${what.split(' ')[0]}»`,
  });
}

/** A plucked field is looked up in the members, where they are known. */
function pluckType(node: CallNode, args: readonly Type[], problems: Problems): Type {
  const members = membersOf(args[0] ?? anything) ?? anything;
  const [, field] = node.positional;
  if (field?.kind !== 'literal' || typeof field.value !== 'string' || members.kind !== 'record') {
    return listOf(anything);
  }
  const found = members.fields.get(field.value);
  if (found === undefined) {
    problems.add(
      'PB304',
      field.at,
      `the members have no ${JSON.stringify(field.value)}`,
      hintAt(members, field.value),
    );
    return listOf(anything);
  }
  if (found.isOptional) {
    problems.add('PB311', field.at, `${field.value} may be missing in some members`);
  }
  return listOf(found.type);
}
