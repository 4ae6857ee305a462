/** Checks declarations of inputs: limits that fit their type and each other, and a valid default. */
import { decimal, isDecimalText } from '../../base/decimal.ts';
import type { Field } from '../expression/type.ts';
import { issueOf } from '../inputs.ts';
import type { DeclaredType, FieldDeclaration, InputType, Playbook, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { expressionsIn } from '../template.ts';
import { childOf, type SourceNode } from '../text/node.ts';
import type { SourceText } from '../text/positions.ts';
import { refusalOf } from './accepts.ts';
import { constantIn } from './constant.ts';
import { typeOfTemplate, type TypeScope } from './infer.ts';
import { inputType } from './scope.ts';

interface Checking {
  readonly source: SourceText;
  readonly problems: Problems;
}

interface CheckingScope extends Checking {
  /** The values that defaults may use. */
  readonly scope: TypeScope;
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
  const above = new Map<string, Field>(); // grows with each input
  const below = new Set(playbook.inputs.keys());
  const within = { ...checking, scope: withInputs(scope, above, below) };
  for (const [name, declared] of playbook.inputs) {
    const node = childOf(nodes, name);
    if (!namePattern.test(name)) {
      problems.add('PB105', declared.at, `the name of an input ${ofNames}`);
    }
    const isWhole = node === undefined || checkLimits(declared, node, within);
    if (declared.default && isWhole) checkDefault(declared, declared.default, within);
    above.set(name, { type: inputType(declared) });
    below.delete(name);
  }
}

/** The values that the default of an input may use: the inputs above it, too. */
function withInputs(
  scope: TypeScope,
  above: ReadonlyMap<string, Field>,
  below: ReadonlySet<string>,
): TypeScope {
  return {
    ...scope,
    roots: new Map(scope.roots).set('inputs', { kind: 'record', fields: above }),
    laterNames: { root: 'inputs', names: below, hint: 'a default may use the inputs above it' },
  };
}

const ofNames = 'must be letters, digits, dashes and underscores, starting with a letter';
const namePattern = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The types that a key applies to. */
const meaning: Readonly<Record<string, readonly InputType[]>> = {
  pattern: ['string'],
  minimum: ['integer', 'decimal'],
  maximum: ['integer', 'decimal'],
  values: ['enum'],
  items: ['list', 'map'],
  fields: ['record'],
};

/** Whether any value can satisfy the limits. */
function checkLimits(declared: DeclaredType, node: SourceNode, checking: CheckingScope): boolean {
  const { source, problems } = checking;
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
  if (items && declared.items) checkLimits(declared.items, items, checking);
  if (declared.fields) checkFields(declared.fields, node, checking);
  return problems.count === before;
}

/** The names, the limits and the defaults of a record's fields. */
function checkFields(
  fields: ReadonlyMap<string, FieldDeclaration>,
  node: SourceNode,
  checking: CheckingScope,
): void {
  const { source, problems } = checking;
  const nodes = childOf(node, 'fields');
  if (fields.size === 0) {
    problems.add('PB106', source.of(nodes ?? node), 'a record requires fields', {
      hint: 'add fields: { name: { type: string } }',
    });
  }
  for (const [name, field] of fields) {
    const entry = nodes?.kind === 'map' ? nodes.entries.get(name) : undefined;
    if (entry === undefined) continue;
    if (!namePattern.test(name)) {
      const message = `the name of a field ${ofNames}`;
      problems.add('PB105', source.of(entry.key), message);
    }
    const optional = childOf(entry.value, 'optional');
    if (optional && field.default) {
      const message = 'optional has no effect: a field with a default is never missing';
      problems.add('PB106', source.of(optional), message);
    }
    const isWhole = checkLimits(field, entry.value, checking);
    if (field.default && isWhole) checkDefault(field, field.default, checking);
  }
}

function checkDefault(
  declared: DeclaredType,
  initial: Template,
  { scope, problems }: CheckingScope,
): void {
  const before = problems.count;
  const type = typeOfTemplate(initial, scope, problems);
  if (problems.count > before) return;
  if (expressionsIn(initial).length > 0 && constantIn(initial) === undefined) {
    const refusal = refusalOf(declared, type);
    if (refusal) {
      const { message, hint } = refusal;
      problems.add('PB106', initial.at, `the default does not fit: the input ${message}`, {
        ...(hint !== undefined && { hint }),
      });
    }
    return;
  }
  const issue = issueOf(declared, initial);
  if (issue === undefined) return;
  const { path, message, hint } = issue;
  const where = path.length === 0 ? '' : ` at ${path.join('.')}`;
  problems.add('PB106', initial.at, `the default is not valid${where}: ${message}`, {
    ...(hint !== undefined && { hint }),
  });
}
