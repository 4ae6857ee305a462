/** Values known before the run: literals, and helper calls on literals. */
import { Effort, effortOf } from '../expression/effort.ts';
import { evaluateTemplate } from '../expression/evaluate.ts';
import { helpers } from '../expression/helpers/index.ts';
import { evaluateNode } from '../expression/interpret.ts';
import type { CallNode, ExpressionNode } from '../expression/node.ts';
import type { Type } from '../expression/type.ts';
import {
  EvaluationError,
  TooManyError,
  type Lookup,
  type Scope,
  type Value,
} from '../expression/value.ts';
import type { Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { expressionsIn } from '../template.ts';
import { isSmall } from './size.ts';

/**
 * The constant value of an expression; undefined if it is not constant, or large.
 * @param itemsMax maximum members of a range
 */
export function constantOf(node: ExpressionNode, itemsMax: number): Value | undefined {
  if (!isCertain(node, {}) || !isSmall(node, itemsMax)) return undefined;
  return valueIn(() => evaluateNode(node, {}, new Effort(itemsMax)));
}

/**
 * The constant value of a template, if it has one.
 * @param known additional constants, such as one item of a for-each
 */
export function constantIn(template: Template, known: Scope = {}): Value | undefined {
  const isKnown = expressionsIn(template).every(
    ({ node, effort }) => isCertain(node, known) && isSmall(node, effort.itemsMax),
  );
  if (!isKnown) return undefined;
  return valueIn(() => evaluateTemplate(template, known));
}

function valueIn(evaluate: () => Lookup): Value | undefined {
  try {
    const found = evaluate();
    return found.known ? found.value : undefined;
  } catch (error) {
    if (error instanceof EvaluationError) return undefined; // reported where the call is checked
    throw error;
  }
}

function isCertain(node: ExpressionNode, known: Scope): boolean {
  switch (node.kind) {
    case 'literal':
      return true;
    case 'path':
      return Object.hasOwn(known, node.root);
    case 'call':
      if (usesTime(node) && known.run === undefined) return false;
      return argumentsOf(node).every((argument) => isCertain(argument, known));
  }
}

function usesTime({ helper, positional }: CallNode): boolean {
  const needed = helpers.get(helper)?.needsTime;
  return needed === 'always' || (needed === 'without arguments' && positional.length === 0);
}

function argumentsOf(node: CallNode): readonly ExpressionNode[] {
  return [...node.positional, ...node.named.values()];
}

/** Finds a call that can never be evaluated, because of one argument or all together. */
export function proveCall(node: CallNode, problems: Problems): void {
  const helper = helpers.get(node.helper);
  const { itemsMax } = effortOf(problems);
  const proofs = [
    ...node.positional.map((argument, index) => [argument, helper?.proofs?.[index]] as const),
    ...[...node.named].map(([name, argument]) => [argument, helper?.named?.[name]?.proof] as const),
  ];
  let isProved = true;
  for (const [argument, proof] of proofs) {
    const value = constantOf(argument, itemsMax);
    if (value === undefined || proof === undefined) continue;
    isProved = succeeds(() => proof(value), argument, problems) && isProved;
  }
  const isComplete = argumentsOf(node).every(
    (argument) => constantOf(argument, itemsMax) !== undefined,
  );
  if (isProved && isComplete && isCertain(node, {}) && isSmall(node, itemsMax)) {
    succeeds(() => evaluateNode(node, {}, new Effort(itemsMax)), node, problems);
  }
}

/** Finds a value of an enum that an option never accepts, such as an unknown time zone. */
export function proveWords(
  node: CallNode,
  types: ReadonlyMap<string, Type>,
  problems: Problems,
): void {
  const helper = helpers.get(node.helper);
  for (const [name, argument] of node.named) {
    const type = types.get(name);
    const proof = helper?.named?.[name]?.proof;
    if (argument.kind === 'literal' || type?.kind !== 'text' || proof === undefined) continue;
    for (const word of type.values ?? []) {
      if (!succeeds(() => proof(word), argument, problems)) break;
    }
  }
}

function succeeds(evaluate: () => unknown, { at }: ExpressionNode, problems: Problems): boolean {
  try {
    evaluate();
    return true;
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    const code = error instanceof TooManyError ? 'PB406' : 'PB310';
    problems.add(code, at, error.message, error.hint === undefined ? {} : { hint: error.hint });
    return false;
  }
}
