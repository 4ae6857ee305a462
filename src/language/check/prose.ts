/** The text of a page with blocks: the collection of each, and the scope inside. */
import { stepOfRows } from '../expression/node.ts';
import {
  anything,
  booleanType,
  integerType,
  membersOf,
  typeName,
  type Type,
} from '../expression/type.ts';
import type { Block, BlockBody } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { checkCondition } from './conditions.ts';
import { checkInText, infer, type TypeScope } from './infer.ts';
import { rowsFrom } from './step-rows.ts';
import { plus } from './tables.ts';

export function checkProse(parts: BlockBody, scope: TypeScope, problems: Problems): void {
  for (const part of parts) {
    if (typeof part === 'string') continue;
    if (!('block' in part)) {
      checkInText(part, scope, problems);
      continue;
    }
    checkProse(part.body, scopeWithin(part, scope, problems), problems);
    checkProse(part.otherwise, scope, problems);
  }
}

/**
 * Checks the collection of a block.
 * @returns the scope of its body
 */
function scopeWithin({ block, over }: Block, scope: TypeScope, problems: Problems): TypeScope {
  if (block !== 'each') {
    checkCondition(over, `#${block}`, scope, problems);
    return scope;
  }
  const round = { '@index': integerType, '@first': booleanType, '@last': booleanType };
  return plus(scope, { this: memberOf(over, scope, problems), ...round });
}

function memberOf({ node, at }: Block['over'], scope: TypeScope, problems: Problems): Type {
  const step = stepOfRows(node);
  // Missing rows are reported on the page itself.
  if (step !== undefined) {
    return rowsFrom(step, at, scope, problems, { mayBeMissing: true }) ?? anything;
  }
  const type = infer(node, scope, problems);
  const member = membersOf(type);
  if (member === undefined) {
    problems.add('PB305', at, `each expects a list or a map, found ${typeName(type)}`);
  }
  return member ?? anything;
}
