/** Checks declarations of inputs: limits that fit their type and each other, and a valid default. */
import { decimal, isDecimalText } from '../../base/decimal.ts';
import { typeName } from '../expression/type.ts';
import { EvaluationError } from '../expression/value.ts';
import { defaultOf } from '../inputs.ts';
import type { InputDeclaration, InputType, Playbook, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { expressionsIn } from '../template.ts';
import { childOf, type SourceNode } from '../text/node.ts';
import type { SourceText } from '../text/positions.ts';
import { constantIn } from './constant.ts';
import { typeOfTemplate, type TypeScope } from './infer.ts';
import { accepts } from './nested.ts';
import { inputType } from './scope.ts';

type Declared = Omit<InputDeclaration, 'name' | 'isRequired' | 'at'>;

interface Checking {
  readonly source: SourceText;
  readonly problems: Problems;
}

/** @param scope the roots available to a default */
export function checkInputs(
  playbook: Playbook,
  tree: SourceNode,
  scope: TypeScope,
  checking: Checking,
): void {
  const { problems } = checking;
  const nodes = childOf(tree, 'inputs');
  for (const [name, declared] of playbook.inputs) {
    const node = childOf(nodes, name);
    if (!namePattern.test(name)) {
      const message =
        'the name of an input must be letters, digits, dashes and underscores, starting with a letter';
      problems.add('PB105', declared.at, message);
    }
    const isWhole = node === undefined || checkLimits(declared, node, checking);
    if (declared.default && isWhole) checkDefault(declared, declared.default, scope, checking);
  }
}

const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The types that a key applies to. */
const meaning: Readonly<Record<string, readonly InputType[]>> = {
  pattern: ['string'],
  minimum: ['integer', 'decimal'],
  maximum: ['integer', 'decimal'],
  values: ['enum'],
  items: ['list', 'map'],
};

/** Whether any value can satisfy the limits. */
function checkLimits(
  declared: Declared,
  node: SourceNode,
  { source, problems }: Checking,
): boolean {
  const before = problems.count;
  const entries = node.kind === 'map' ? node.entries : new Map<string, never>();
  for (const [key, types] of Object.entries(meaning)) {
    const entry = entries.get(key);
    if (entry === undefined || types.includes(declared.type)) continue;
    const message = `${key} is for type: ${types.join(' or ')}; this is ${declared.type}`;
    problems.add('PB106', source.of(entry.key), message);
  }
  if (declared.type === 'enum' && declared.values === undefined) {
    problems.add('PB106', source.of(node), 'an enum requires values', {
      hint: 'add values: [ … ]',
    });
  }
  const { minimum, maximum } = declared;
  for (const key of ['minimum', 'maximum'] as const) {
    const bound = childOf(node, key);
    if (bound === undefined || isDecimalText(declared[key] ?? '')) continue;
    problems.add('PB106', source.of(bound), `${key} must be a plain decimal number`);
  }
  if (problems.count === before && minimum !== undefined && maximum !== undefined) {
    const bound = childOf(node, 'minimum') ?? node;
    if (decimal(minimum).gt(maximum)) {
      problems.add('PB106', source.of(bound), `minimum ${minimum} is above maximum ${maximum}`);
    }
  }
  const items = childOf(node, 'items');
  if (items && declared.items) checkLimits(declared.items, items, { source, problems });
  return problems.count === before;
}

function checkDefault(
  declared: Declared,
  initial: Template,
  scope: TypeScope,
  { problems }: Checking,
): void {
  const before = problems.count;
  const type = typeOfTemplate(initial, scope, problems);
  if (problems.count > before) return;
  if (expressionsIn(initial).length > 0 && constantIn(initial) === undefined) {
    const wanted = inputType(declared);
    if (accepts(wanted, type)) return;
    const message = `the default is ${typeName(type)}, but the input is ${typeName(wanted)}`;
    problems.add('PB106', initial.at, message);
    return;
  }
  try {
    defaultOf(declared, initial);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    problems.add('PB106', initial.at, `the default is not valid: ${error.message}`, {
      ...(error.hint !== undefined && { hint: error.hint }),
    });
  }
}
