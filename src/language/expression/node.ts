/** An expression as a tree: literals, paths and helper calls, each with its location. */
import type { Json } from '../../base/json.ts';
import type { SourceRange } from '../source-range.ts';
import type { Type } from './type.ts';
import type { Scope, Value } from './value.ts';

export type ExpressionNode = LiteralNode | PathNode | CallNode;

export interface LiteralNode {
  readonly kind: 'literal';
  readonly value: Value;
  readonly type: Type;
  readonly at: SourceRange;
}

export interface PathNode {
  readonly kind: 'path';
  /** `steps.subs.outputs` has the root `steps` and two more names. */
  readonly root: string;
  readonly path: readonly string[];
  readonly at: SourceRange;
  /** The value of `let.NAME`; the other names lead into it. */
  readonly local?: LocalValue;
}

/** A value of `let`. */
export interface LocalValue {
  readonly name: string;
  readonly isOfStep: boolean;
  readonly nodes: readonly ExpressionNode[];
  /** The expression that is the whole value. */
  readonly whole?: ExpressionNode;
  /** The literal that is the whole value. */
  readonly constant?: { readonly value: Json; readonly source: string };
  /** All that it depends on, also by other values of `let`: each path once. */
  readonly references: readonly PathNode[];
  /** @throws EvaluationError */
  readonly evaluate: (scope: Scope) => Value;
}

export interface CallNode {
  readonly kind: 'call';
  readonly helper: string;
  readonly positional: readonly ExpressionNode[];
  readonly named: ReadonlyMap<string, ExpressionNode>;
  readonly at: SourceRange;
}

/** All paths in a tree, in reading order; for a value of `let` those that it depends on. */
export function pathsIn(node: ExpressionNode): PathNode[] {
  switch (node.kind) {
    case 'literal':
      return [];
    case 'path':
      return node.local ? [...node.local.references] : [node];
    case 'call':
      return [...node.positional, ...node.named.values()].flatMap(pathsIn);
  }
}

export function pathText({ root, path }: Pick<PathNode, 'root' | 'path'>): string {
  return [root, ...path].join('.');
}

/** The step of `steps.ID.rows`: in `each` it means the rows instead of their number. */
export function stepOfRows(node: ExpressionNode): string | undefined {
  if (node.kind !== 'path' || node.root !== 'steps' || node.path.length !== 2) return undefined;
  const [id, part] = node.path;
  return part === 'rows' ? id : undefined;
}
