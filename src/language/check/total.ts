/** The minimum number of items of a playbook, with nested ones: the same limit as for a run. */
import { effortOf } from '../expression/effort.ts';
import type { ExpressionNode } from '../expression/node.ts';
import { isList, itemsHint, itemsOfRun } from '../expression/value.ts';
import { isPlainMap } from '../expression/helpers/define.ts';
import type { Playbook, Step, Template } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { constantIn } from './constant.ts';

/** Reports the first step that exceeds the limit. */
export function checkTotal({ steps }: Playbook, problems: Problems): void {
  const { itemsMax } = effortOf(problems);
  const most = itemsOfRun(itemsMax);
  let total = 0;
  for (const step of steps) {
    total += itemsIn(step, itemsMax);
    if (total <= most) continue;
    const message = `with ${step.id} the playbook has more than ${most} items, which is the limit`;
    problems.add('PB406', step.forEach?.at ?? step.at, message, { hint: itemsHint(itemsMax) });
    return;
  }
}

/** The number of items of a step that is certainly executed, each with those of its nested playbook. */
function itemsIn({ condition, forEach, action }: Step, itemsMax: number): number {
  if (condition !== undefined) return 0;
  const own = forEach === undefined ? 1 : membersOf(forEach, itemsMax);
  if (action.kind !== 'playbook') return own;
  let each = 1;
  for (const step of action.playbook.steps) {
    each += itemsIn(step, itemsMax);
    if (own * each > itemsOfRun(itemsMax)) break;
  }
  return own * each;
}

/** The number of certain members of a list; a list above the limit of a for-each is reported there. */
function membersOf(forEach: Template, itemsMax: number): number {
  if (forEach.kind === 'list') return forEach.items.length;
  if (forEach.kind === 'map') return forEach.entries.size;
  const length = forEach.kind === 'expression' ? lengthOfRange(forEach.expression.node) : undefined;
  if (length !== undefined) return length > itemsMax ? 0 : length;
  const value = constantIn(forEach);
  if (value !== undefined && isList(value)) return value.length;
  return isPlainMap(value) ? Object.keys(value).length : 0;
}

function lengthOfRange(node: ExpressionNode): number | undefined {
  if (node.kind !== 'call' || node.helper !== 'range') return undefined;
  const [from, to] = node.positional.map((part) =>
    part.kind === 'literal' ? part.value : undefined,
  );
  if (typeof from !== 'number' || typeof to !== 'number') return undefined;
  return Math.max(0, to - from + 1);
}
