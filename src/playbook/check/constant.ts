/** Values that are known before the run: literals, and what helpers make of nothing but literals. */
import { evaluateNode } from '../expression/interpret.ts';
import { helpers } from '../expression/helpers/index.ts';
import type { CallNode, ExpressionNode } from '../expression/node.ts';
import { EvaluationError, TooManyError, type Value } from '../expression/value.ts';
import type { Problems } from '../problems.ts';

/** What an expression is whatever is given to the run; undefined when that is not certain. */
export function constantOf(node: ExpressionNode): Value | undefined {
  if (!isConstant(node)) return undefined;
  try {
    const found = evaluateNode(node, {});
    return found.known ? found.value : undefined;
  } catch (error) {
    if (error instanceof EvaluationError) return undefined; // told where the call is checked
    throw error;
  }
}

function isConstant(node: ExpressionNode): boolean {
  switch (node.kind) {
    case 'literal':
      return true;
    case 'path':
      return false;
    case 'call':
      return !helpers.get(node.helper)?.needsTime && argumentsOf(node).every(isConstant);
  }
}

function argumentsOf(node: CallNode): readonly ExpressionNode[] {
  return [...node.positional, ...node.named.values()];
}

/** Tells a call that can never be evaluated: one of its arguments, or all of them together. */
export function proveCall(node: CallNode, problems: Problems): void {
  const helper = helpers.get(node.helper);
  const proofs = [
    ...node.positional.map((argument, index) => [argument, helper?.proofs?.[index]] as const),
    ...[...node.named].map(([name, argument]) => [argument, helper?.named?.[name]?.proof] as const),
  ];
  let isProved = true;
  for (const [argument, proof] of proofs) {
    const value = constantOf(argument);
    if (value === undefined || proof === undefined) continue;
    isProved = succeeds(() => proof(value), argument, problems) && isProved;
  }
  const isComplete = argumentsOf(node).every((argument) => constantOf(argument) !== undefined);
  if (isProved && isComplete && isConstant(node)) {
    succeeds(() => evaluateNode(node, {}), node, problems);
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
