/** The possible size of an expression over literals: a short text must not cause much work. */
import type { CallNode, ExpressionNode } from '../expression/node.ts';
import { itemsMax } from '../expression/value.ts';

const most = 500; // members and characters of all parts, in addition to those of the file

/** Whether an expression is small enough to be evaluated during validation. */
export function isSmall(node: ExpressionNode): boolean {
  return workOf(node) <= most + 4 * written(node);
}

function workOf(node: ExpressionNode): number {
  return partsOf(node).reduce((sum, part) => sum + workOf(part), sizeOf(node));
}

function written(node: ExpressionNode): number {
  return node.kind === 'literal'
    ? sizeOf(node)
    : partsOf(node).reduce((sum, part) => sum + written(part), 0);
}

function partsOf(node: ExpressionNode): readonly ExpressionNode[] {
  return node.kind === 'call' ? [...node.positional, ...node.named.values()] : [];
}

/** Members of a list, or characters of a text; 1 for any other value. */
function sizeOf(node: ExpressionNode): number {
  if (node.kind === 'literal') return typeof node.value === 'string' ? 1 + node.value.length : 1;
  return node.kind === 'path' ? 1 : sizeOfCall(node);
}

function sizeOfCall(node: CallNode): number {
  const [first = 1, second = 1, third = 1] = node.positional.map(sizeOf);
  switch (node.helper) {
    case 'range':
      return lengthOfRange(node);
    case 'pad':
      return first + literalNumber(node.positional[1]);
    case 'replace':
      return first * (1 + third);
    case 'join':
      return first * (1 + second);
    case 'ladder':
      return 400;
    case 'windows':
      return itemsMax;
    default:
      return partsOf(node).reduce((sum, part) => sum + sizeOf(part), 1);
  }
}

/** A range that is too long is refused before it is created. */
function lengthOfRange({ positional: [from, to] }: CallNode): number {
  const length = literalNumber(to) - literalNumber(from) + 1;
  return length > itemsMax ? 1 : Math.max(1, length);
}

function literalNumber(node: ExpressionNode | undefined): number {
  return node?.kind === 'literal' && typeof node.value === 'number' ? node.value : itemsMax;
}
