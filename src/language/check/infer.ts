/** Infers the static type of every expression, and reports expressions that can never work. */
import { isDecimal, isDecimalText } from '../../base/decimal.ts';
import { nearWord } from '../../base/text.ts';
import { literalValue } from '../expression/evaluate.ts';
import { mayMiss } from '../expression/helpers/define.ts';
import { helpers } from '../expression/helpers/index.ts';
import { pathText, type CallNode, type ExpressionNode, type PathNode } from '../expression/node.ts';
import {
  anything,
  booleanType,
  decimalType,
  integerType,
  isScalar,
  listOf,
  text,
  typeName,
  unionOf,
  type Field,
  type Type,
} from '../expression/type.ts';
import { failedField } from '../partial.ts';
import type { Expression, Template } from '../playbook.ts';
import { didYouMean, type Problems } from '../problems.ts';
import { checkArguments, checkEquality, checkMembers, hintAt } from './arguments.ts';
import { proveCall, proveWords } from './constant.ts';
import type { DoubtOf } from './doubts.ts';

/** Names below a root that come later, and what comes before them. */
interface LaterNames {
  readonly root: 'inputs' | 'let';
  readonly names: ReadonlySet<string>;
  readonly hint: string;
}

/** The values that expressions in one field may use. */
export interface TypeScope {
  readonly roots: ReadonlyMap<string, Type>;
  /** Steps that exist but are not done at this point. */
  readonly later: ReadonlySet<string>;
  /** Inputs, or values of `let`, that exist but cannot be used at this point. */
  readonly laterNames?: LaterNames;
  /** Whether an earlier step may have no result; certain if absent. */
  readonly doubtOf?: DoubtOf;
  /** The rows of earlier steps. */
  readonly rows?: ReadonlyMap<string, StepRows>;
}

/** The rows of a step, for `from`. */
export type StepRows =
  | { readonly kind: 'rows'; readonly row: Type }
  | { readonly kind: 'chart' }
  /** The step has no usable rows; the reason continues a sentence after the step's id. */
  | {
      readonly kind: 'none';
      readonly because: string;
      readonly hint?: string;
      /** Whether the step writes a page, one for each item in a for-each. */
      readonly page?: 'one' | 'items';
    };

const knownRoots = [
  'inputs',
  'let',
  'steps',
  'each',
  'response',
  'row',
  'rows',
  'joined',
  'run',
  'failure',
  'secrets',
  'this',
  '@index',
  '@first',
  '@last',
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
        if (typeof part !== 'string') checkInText(part, scope, problems);
      }
      return text;
    case 'prose':
      return text; // its blocks are checked with the page
    case 'list': {
      return listOf(unionOf(template.items.map((item) => typeOfTemplate(item, scope, problems))));
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

/** Checks that an expression inside a text is a single value. */
export function checkInText({ node, at }: Expression, scope: TypeScope, problems: Problems): void {
  const type = infer(node, scope, problems);
  if (isScalar(type)) return;
  problems.add('PB309', at, `a ${typeName(type)} cannot be used inside a text`, {
    hint: `join it: {{ join … ', ' }}`,
  });
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
      hint: 'exponents, leading zeros and other bases are not supported',
    });
  }
  return integerType;
}

/** The type of an expression; `any` after a problem, so that one mistake is reported once. */
export function infer(
  node: ExpressionNode,
  scope: TypeScope,
  problems: Problems,
  { mayBeMissing = false } = {},
): Type {
  switch (node.kind) {
    case 'literal':
      return node.type;
    case 'path': {
      const type = inferPath(node, scope, problems, mayBeMissing);
      problems.see({ ...node, roots: scope.roots, type });
      return type;
    }
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
  let outer: Type | undefined;
  for (const [index, word] of node.path.entries()) {
    const from: string = walked.join('.');
    if (index === 0 && node.root === 'steps' && scope.later.has(word)) {
      problems.add('PB307', node.at, `${pathText(node)} is used before step ${word} is done`, {
        hint: `move the step, or add needs: [${word}]`,
      });
      return anything;
    }
    const found: Field | undefined = childOf(type, word);
    if (found === undefined && index === 0 && reportLater(node, word, scope, problems)) {
      return anything;
    }
    if (found === undefined) {
      const message = `${from} has no ${JSON.stringify(word)}`;
      const isOneOut = outer?.kind === 'record' && outer.fields.has(word);
      const there = { hint: `it is ${[...walked.slice(0, -1), word].join('.')}` };
      problems.add('PB304', node.at, message, isOneOut ? there : hintAt(type, word, problems));
      return anything;
    }
    walked.push(word);
    if (found.isOptional && !mayBeMissing) {
      problems.add('PB311', node.at, `${walked.join('.')} may be missing`, {
        hint: `add a default: {{ default ${pathText(node)} … }}`,
      });
      return anything;
    }
    [outer, type] = [type, found.type];
  }
  checkDoubt(node, scope, problems, mayBeMissing);
  return walked.length === 1 && scope.laterNames?.root === node.root ? asOfNow(type) : type;
}

/** The type of names to which later ones are added: a value that has all of them has only the earlier ones. */
function asOfNow(type: Type): Type {
  return type.kind === 'record' ? { ...type, fields: new Map(type.fields) } : type;
}

/** Parts of a step's result that are missing as a whole if the step was skipped. */
const singleParts: ReadonlySet<string> = new Set([
  'file',
  'files',
  'rows',
  'manifest',
  failedField,
]);

/** Reports an input or a value of `let` that comes later. @returns whether it is one */
function reportLater(
  node: PathNode,
  word: string,
  { laterNames }: TypeScope,
  problems: Problems,
): boolean {
  if (laterNames?.root !== node.root || !laterNames.names.has(word)) return false;
  const { hint } = laterNames;
  problems.add('PB307', node.at, `${pathText(node)} is not available here`, { hint });
  return true;
}

/** A part of a step's result, if the step may have been skipped. */
function checkDoubt(
  node: PathNode,
  { doubtOf }: TypeScope,
  problems: Problems,
  mayBeMissing: boolean,
): void {
  const [id = '', part = '', ...rest] = node.path;
  if (node.root !== 'steps') return;
  if (rest.length === 0 && !singleParts.has(part)) {
    const doubt = doubtOf?.(id, 'items');
    if (doubt === undefined) return;
    problems.add('PB311', node.at, `items of ${pathText(node)} may be missing: ${doubt.because}`, {
      ...(doubt.remedy !== undefined && { hint: doubt.remedy }),
    });
    return;
  }
  const doubt = mayBeMissing ? undefined : doubtOf?.(id);
  if (doubt === undefined) return;
  const remedy = doubt.remedy === undefined ? '' : `, or ${doubt.remedy}`;
  problems.add('PB311', node.at, `${pathText(node)} may be missing: ${doubt.because}`, {
    hint: `add a default: {{ default ${pathText(node)} … }}${remedy}`,
  });
}

function unknownRoot(node: PathNode, scope: TypeScope, problems: Problems): Type {
  if (knownRoots.includes(node.root)) {
    problems.add('PB306', node.at, `${node.root} is not available here`, {
      hint: `available here: ${[...scope.roots.keys()].join(', ')}`,
    });
    return anything;
  }
  const near = nearWord(node.root, [...scope.roots.keys(), ...helpers.keys()]);
  problems.add(
    'PB304',
    node.at,
    `unknown name ${JSON.stringify(pathText(node))}`,
    didYouMean(near),
  );
  return anything;
}

/** The type of a path segment below this type. */
export function childOf(type: Type, word: string): Field | undefined {
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

function inferCall(node: CallNode, scope: TypeScope, problems: Problems): Type {
  const helper = helpers.get(node.helper);
  if (helper === undefined) return anything;
  const args = node.positional.map((argument, index) =>
    infer(argument, scope, problems, {
      mayBeMissing: mayMiss(helper, index, node.positional.length),
    }),
  );
  const named = new Map(
    [...node.named].map(([name, argument]) => [name, infer(argument, scope, problems)]),
  );
  const before = problems.count;
  checkArguments(node, helper, { args, named }, problems);
  if (problems.count === before) {
    proveCall(node, problems);
    proveWords(node, named, problems);
  }
  if (node.helper === 'eq' || node.helper === 'ne') checkEquality(node, args, problems);
  const given = checkMembers(node, { args, named }, problems);
  return given ?? (typeof helper.gives === 'function' ? helper.gives(args) : helper.gives);
}
