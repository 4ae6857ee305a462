/** The possible size of an expression over literals: a short text must not cause much work. */
import type { CallNode, ExpressionNode } from '../expression/node.ts';
import { itemsDefault } from '../expression/value.ts';

const most = 500; // members and characters of all parts, in addition to those of the file

/**
 * Whether an expression is small enough to be evaluated during validation.
 * @param itemsMax maximum members of a range
 */
export function isSmall(node: ExpressionNode, itemsMax: number): boolean {
  return workOf(node, itemsMax) <= most + 4 * written(node, itemsMax);
}

function workOf(node: ExpressionNode, itemsMax: number): number {
  return partsOf(node).reduce((sum, part) => sum + workOf(part, itemsMax), sizeOf(node, itemsMax));
}

function written(node: ExpressionNode, itemsMax: number): number {
  return node.kind === 'literal'
    ? sizeOf(node, itemsMax)
    : partsOf(node).reduce((sum, part) => sum + written(part, itemsMax), 0);
}

function partsOf(node: ExpressionNode): readonly ExpressionNode[] {
  return node.kind === 'call' ? [...node.positional, ...node.named.values()] : [];
}

/** Members of a list, or characters of a text; 1 for any other value. */
function sizeOf(node: ExpressionNode, itemsMax: number): number {
  if (node.kind === 'literal') return typeof node.value === 'string' ? 1 + node.value.length : 1;
  return node.kind === 'path' ? 1 : sizeOfCall(node, itemsMax);
}

function sizeOfCall(node: CallNode, itemsMax: number): number {
  const size = (part: ExpressionNode): number => sizeOf(part, itemsMax);
  const [first = 1, second = 1, third = 1] = node.positional.map(size);
  switch (node.helper) {
    case 'range':
      return lengthOfRange(node, itemsMax);
    case 'pad':
      return first + literalNumber(node.positional[1]);
    case 'replace':
      return first * (1 + third);
    case 'join':
      return first * (1 + second);
    case 'ladder':
      return 400;
    case 'windows':
      return itemsDefault;
    default:
      return partsOf(node).reduce((sum, part) => sum + size(part), 1);
  }
}

/** A range that is too long is refused before it is created. */
function lengthOfRange({ positional: [from, to] }: CallNode, itemsMax: number): number {
  const length = literalNumber(to) - literalNumber(from) + 1;
  return length > itemsMax ? 1 : Math.max(1, length);
}

function literalNumber(node: ExpressionNode | undefined): number {
  return node?.kind === 'literal' && typeof node.value === 'number' ? node.value : itemsDefault;
}
