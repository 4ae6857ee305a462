/** Writes whose values are known against the playbook's own guards. */
import { decimal, isDecimalText, zero, type Decimal } from '../../base/decimal.ts';
import { count } from '../../base/text.ts';
import { operationOf } from '../../contract/operations/index.ts';
import { textOf } from '../expression/helpers/define.ts';
import { EvaluationError, isList, type Scope, type Value } from '../expression/value.ts';
import type { Guards, Playbook, SourceRange, Step } from '../playbook.ts';
import type { Problems } from '../problems.ts';
import { childOf, type SourceNode } from '../text/node.ts';
import type { SourceText } from '../text/positions.ts';
import { constantIn } from './constant.ts';
import { isCertainlyDone, knownItems } from './items.ts';

interface Checking {
  readonly source: SourceText;
  readonly problems: Problems;
}

/** Guards that are numbers at all, and then every write against them. */
export function checkGuards(playbook: Playbook, tree: SourceNode, checking: Checking): void {
  if (!checkAmounts(tree, checking)) return;
  const { guards } = playbook;
  let before: Sums = { writes: 0, notional: zero };
  for (const step of playbook.steps) {
    if (step.action.kind !== 'call' || operationOf(step.action.operation).effect === 'read')
      continue;
    const items = knownItems(step);
    for (const item of items ?? [undefined]) checkWrite(step, item, guards, checking.problems);
    if (items === undefined || !isCertainlyDone(step)) continue;
    const after = {
      writes: before.writes + items.length,
      notional: items.reduce(
        (sum, item) => sum.plus(notionalOf(step, item) ?? zero),
        before.notional,
      ),
    };
    checkSums(step, { before, after }, guards, checking.problems);
    before = after;
  }
  for (const step of [...playbook.onFailure, ...playbook.finally]) {
    checkWrite(step, undefined, guards, checking.problems);
  }
}

const amounts = ['max-notional', 'max-order-notional', 'max-distance'];

function checkAmounts(tree: SourceNode, { source, problems }: Checking): boolean {
  const before = problems.count;
  for (const name of amounts) {
    const node = childOf(childOf(tree, 'guards'), name);
    if (node?.kind !== 'scalar' || (isDecimalText(node.text) && !node.text.startsWith('-')))
      continue;
    problems.add('PB105', source.of(node), `${name} must be a plain decimal number, 0 or above`, {
      hint: 'as in 10000 or 0.05',
    });
  }
  return problems.count === before;
}

/** One write by itself. */
function checkWrite(
  step: Step,
  item: Scope | undefined,
  { symbols, maxLeverage, maxOrderNotional, maxNotional }: Guards,
  problems: Problems,
): void {
  const symbol = step.uses === 'futures/place-order' ? textIn(step, 'symbol', item) : undefined;
  const allowed = symbols && constantIn(symbols);
  if (symbol !== undefined && allowed !== undefined && isList(allowed)) {
    const names = allowed.map(asText);
    if (!names.includes(symbol.toUpperCase()) && !names.includes(undefined)) {
      tell(step, 'symbol', `${symbol} is not among the symbols of the guards`, problems);
    }
  }
  const leverage = step.uses === 'futures/set-all-leverage' && textIn(step, 'leverage', item);
  if (leverage && maxLeverage !== undefined && Number(leverage) > maxLeverage) {
    tell(step, 'leverage', `leverage ${leverage} is above max-leverage ${maxLeverage}`, problems);
  }
  const notional = notionalOf(step, item);
  for (const [name, limit] of [
    ['max-order-notional', maxOrderNotional],
    ['max-notional', maxNotional],
  ] as const) {
    if (limit === undefined || !notional?.gt(decimal(limit))) continue;
    tell(
      step,
      'size',
      `the order is worth ${notional.toFixed()}, above ${name} ${limit}`,
      problems,
    );
    return;
  }
}

interface Sums {
  readonly writes: number;
  readonly notional: Decimal;
}

/** Told by the step that goes beyond a limit, and not again by those after it. */
function checkSums(
  step: Step,
  { before, after }: { readonly before: Sums; readonly after: Sums },
  { maxWrites = Infinity, maxNotional }: Guards,
  problems: Problems,
): void {
  if (after.writes > maxWrites && before.writes <= maxWrites) {
    const writes = count(after.writes, 'write');
    const message = `with this step the run makes ${writes}, above max-writes ${maxWrites}`;
    problems.add('PB414', step.at, message, keepGuards);
  }
  const limit = maxNotional === undefined ? undefined : decimal(maxNotional);
  if (limit === undefined || !after.notional.gt(limit) || before.notional.gt(limit)) return;
  const sum = after.notional.toFixed();
  tell(
    step,
    'size',
    `with this step all orders are worth ${sum}, above max-notional ${maxNotional}`,
    problems,
  );
}

const keepGuards = {
  hint: 'nothing of this playbook could be sent: change the value or the guard',
};

function tell(step: Step, field: string, message: string, problems: Problems): void {
  const at: SourceRange = step.with.get(field)?.at ?? step.at;
  problems.add('PB414', at, message, keepGuards);
}

/** Size times price of a limit order, where both are known. */
function notionalOf(step: Step, item: Scope | undefined): Decimal | undefined {
  if (step.uses !== 'futures/place-order') return undefined;
  const [type, price, size] = ['orderType', 'price', 'size'].map((field) =>
    textIn(step, field, item),
  );
  if (type !== 'limit' || price === undefined || size === undefined) return undefined;
  if (!isDecimalText(price) || !isDecimalText(size)) return undefined;
  return decimal(price).times(decimal(size));
}

/** A field's value as text, where it is certain. */
function textIn(step: Step, field: string, item: Scope | undefined): string | undefined {
  const template = step.with.get(field);
  if (template === undefined) return undefined;
  if (template.kind === 'literal') return template.source;
  const value = constantIn(template, item);
  return value === undefined ? undefined : asText(value);
}

function asText(value: Value): string | undefined {
  try {
    return textOf(value);
  } catch (error) {
    if (error instanceof EvaluationError) return undefined;
    throw error;
  }
}
