/** Names of `let` in an expression: a literal is put in their place, so that it is proved as if written there. */
import { isDecimal } from '../../base/decimal.ts';
import type { SourceRange } from '../source-range.ts';
import { literalValue } from './evaluate.ts';
import type { ExpressionNode, LocalValue, PathNode } from './node.ts';
import { anything, booleanType, decimalType, integerType, type Type } from './type.ts';
import type { Value } from './value.ts';

/** The values of `let` by name, where a text is. */
export type Locals = ReadonlyMap<string, LocalValue>;

export const noLocals: Locals = new Map();

/** The node of a path that names a value of `let`. */
export function namedNode({ path, at }: PathNode, local: LocalValue): ExpressionNode {
  const { constant } = local;
  if (constant === undefined || path.length > 1)
    return { kind: 'path', root: 'let', path, at, local };
  return literalNode(literalValue(constant), at);
}

function literalNode(value: Value, at: SourceRange): ExpressionNode {
  return { kind: 'literal', value, type: typeOf(value), at };
}

function typeOf(value: Value): Type {
  if (typeof value === 'string') return { kind: 'text', values: [value] };
  if (typeof value === 'boolean') return booleanType;
  if (typeof value === 'number') return integerType;
  return isDecimal(value) ? decimalType : anything;
}
