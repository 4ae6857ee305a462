/** The results of all expressions of a playbook: with two equal traces, all effects are equal. */
import { canonicalJson } from '../../base/json.ts';
import { evaluateNode } from '../../language/expression/interpret.ts';
import { pathsIn } from '../../language/expression/node.ts';
import {
  EvaluationError,
  toJson,
  type Lookup,
  type Scope,
} from '../../language/expression/value.ts';
import { expressionsOf, expressionsOfItem } from '../../language/expressions.ts';
import type { Expression, Playbook, Step } from '../../language/playbook.ts';
import { expressionsIn } from '../../language/template.ts';

/** Records the results of expressions, in the order of the plan. */
export class Trace {
  readonly #found: string[] = [];

  step(step: Step, scope: Scope): void {
    for (const expression of expressionsOf(step)) this.#expression(expression, scope);
  }

  /** Records an item by its address; the list of items, which is as long as they are many, adds nothing. */
  item(step: Step, address: string, scope: Scope): void {
    this.#found.push(address);
    for (const expression of expressionsOfItem(step)) this.#expression(expression, scope);
  }

  outputs({ outputs }: Playbook, scope: Scope): void {
    for (const template of outputs.values()) {
      for (const expression of expressionsIn(template)) this.#expression(expression, scope);
    }
  }

  text(): string {
    return this.#found.join('\n');
  }

  /**
   * Adds the value of an expression; for one that is known only during the run, the values of all its
   * parts.
   */
  #expression(expression: Expression, scope: Scope): void {
    const value = tried(() => expression.evaluate(scope));
    if (value?.known === true) {
      this.#found.push(canonicalJson(toJson(value.value)));
      return;
    }
    for (const path of pathsIn(expression.node)) {
      const part = tried(() => evaluateNode(path, scope));
      const known = part?.known === true ? part.value : part?.partial;
      this.#found.push(known === undefined ? 'unknown' : canonicalJson(toJson(known)));
    }
  }
}

/** A path without a value, or a value that a helper refuses, gives no result. */
function tried(evaluate: () => Lookup): Lookup | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}
