/** An expression as a tree: literals, paths and helper calls, each with its location. */
import type { SourceRange } from '../source-range.ts';
import type { Type } from './type.ts';
import type { Value } from './value.ts';

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
}

export interface CallNode {
  readonly kind: 'call';
  readonly helper: string;
  readonly positional: readonly ExpressionNode[];
  readonly named: ReadonlyMap<string, ExpressionNode>;
  readonly at: SourceRange;
}

/** All paths in a tree, in reading order. */
export function pathsIn(node: ExpressionNode): PathNode[] {
  switch (node.kind) {
    case 'literal':
      return [];
    case 'path':
      return [node];
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
