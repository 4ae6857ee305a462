/** Checks conditions: each is one expression that is true or false, and not constant. */
import { typeName } from '../expression/type.ts';
import type { Expression } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { constantOf } from './constant.ts';
import { infer, type TypeScope } from './infer.ts';

export function checkCondition(
  expression: Expression,
  name: 'if' | 'until' | 'that' | 'where' | '#if' | '#unless',
  scope: TypeScope,
  problems: Problems,
): void {
  const { node, at } = expression;
  const type = infer(node, scope, problems);
  if (type.kind !== 'boolean' && type.kind !== 'any') {
    problems.add('PB308', at, `${name} must be true or false; this is ${typeName(type)}`, {
      hint: 'compare it: {{ gt … 0 }} or {{ eq … … }}',
    });
    return;
  }
  const value = constantOf(node, expression.effort.itemsMax);
  if (typeof value !== 'boolean') return;
  if (name === 'if' && !value) {
    problems.add('PB502', at, 'the step never runs: its condition is always false', warning);
  } else problems.add('PB312', at, `${name} is always ${value}`, warning);
}

const warning = { level: 'warning' } as const;
