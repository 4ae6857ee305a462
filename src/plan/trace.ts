/** What every expression of a playbook comes to: two equal traces, and nothing that is made differs. */
import { canonicalJson } from '../base/json.ts';
import { evaluateNode } from '../playbook/expression/interpret.ts';
import { pathsIn } from '../playbook/expression/node.ts';
import { EvaluationError, toJson, type Lookup, type Scope } from '../playbook/expression/value.ts';
import { expressionsOf } from '../playbook/expressions.ts';
import type { Expression, Playbook, Step } from '../playbook/playbook.ts';
import { expressionsIn } from '../playbook/template.ts';

/** Collects what expressions come to, in the order in which a plan comes to them. */
export class Trace {
  readonly #found: string[] = [];

  step(step: Step, scope: Scope): void {
    for (const expression of expressionsOf(step)) this.#expression(expression, scope);
  }

  outputs({ outputs }: Playbook, scope: Scope): void {
    for (const template of outputs.values()) {
      for (const expression of expressionsIn(template)) this.#expression(expression, scope);
    }
  }

  text(): string {
    return this.#found.join('\n');
  }

  /** Its value; of one that only the run can know, everything it is made of. */
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

/** A path that has no value, or a value a helper does not take, is not a value. */
function tried(evaluate: () => Lookup): Lookup | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}
