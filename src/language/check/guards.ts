/** Checks writes with known values against the guards of the playbook and its profile. */
import { decimal, isDecimalText, zero, type Decimal } from '../../base/decimal.ts';
import { count } from '../../base/text.ts';
import { keyedWriteOf } from '../../exchange/api/meant-order.ts';
import { meets } from '../../exchange/api/order-terms.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import { setsLeverage } from '../../exchange/api/shown-state.ts';
import { textOf } from '../expression/helpers/define.ts';
import { EvaluationError, isList, type Scope, type Value } from '../expression/value.ts';
import { hoursHint, hoursIn } from '../hours.ts';
import type { GuardRules, OuterGuards } from '../limits.ts';
import { numberFault, numberGuardList } from '../number-guards.ts';
import type { Playbook, Step, Template } from '../playbook.ts';
import type { SourceRange } from '../source-range.ts';
import type { Problems } from '../problems.ts';
import type { RuleCode } from '../rules.ts';
import { childOf, textOf as textOfNode, type SourceNode } from '../text/node.ts';
import type { SourceText } from '../text/positions.ts';
import { constantIn } from './constant.ts';
import { isCertainlyDone, knownItems } from './items.ts';

interface Checking {
  readonly source: SourceText;
  readonly problems: Problems;
  readonly guards?: OuterGuards;
}

/** Limits that are known before a run, and their text in messages. */
interface Limits {
  readonly rules: GuardRules;
  /** The owner of a limit, which follows the limit's name; empty for the playbook itself. */
  readonly whose: string;
  /** The source of the lists of symbols, operations and accounts. */
  readonly lists: string;
  readonly code: RuleCode;
  readonly hint: string;
  readonly problems: Problems;
}

/** Validates the guards, and then every write against them and the profile's. */
export function checkGuards(playbook: Playbook, tree: SourceNode, checking: Checking): void {
  if (!checkWritten(tree, checking)) return;
  const { problems, guards: outer } = checking;
  const hint = 'this playbook could not send anything: change the value or the guard';
  const own = { rules: ownRules(playbook), whose: '', lists: 'the guards', code: 'PB414' } as const;
  checkAgainst(playbook, { ...own, hint, problems }, undefined);
  if (outer === undefined) return;
  const name = `profile ${outer.profile}`;
  const limits = { rules: outer.rules, whose: ` of ${name}`, lists: name, code: 'PB418' } as const;
  const advice = 'change the value, or ask the owner of the guard to change it';
  checkAgainst(playbook, { ...limits, hint: advice, problems }, outer.profile);
}

function checkAgainst(playbook: Playbook, limits: Limits, profile: string | undefined): void {
  let before: Sums = { writes: 0, notional: zero };
  for (const step of playbook.steps) {
    if (!isWrite(step)) continue;
    const items = knownItems(step);
    for (const item of items ?? [undefined]) checkWrite(step, item, limits, profile);
    if (items === undefined || !isCertainlyDone(step)) continue;
    const after = {
      writes: before.writes + items.length,
      notional: items.reduce(
        (sum, item) => sum.plus(notionalOf(step, item) ?? zero),
        before.notional,
      ),
    };
    checkSums(step, { before, after }, limits);
    before = after;
  }
  for (const step of [...playbook.onFailure, ...playbook.finally]) {
    if (isWrite(step)) checkWrite(step, undefined, limits, profile);
  }
}

function isWrite({ action }: Step): boolean {
  return action.kind === 'call' && operationOf(action.operation).effect !== 'read';
}

/** The playbook's own, as far as known before a run. */
function ownRules({ guards: { symbols: template, hours: _hours, ...own } }: Playbook): GuardRules {
  const value = template && constantIn(template);
  if (value === undefined || !isList(value)) return own;
  const symbols = value.map(asText).filter((name) => name !== undefined);
  return symbols.length === value.length ? { ...own, symbols } : own;
}

function checkWritten(tree: SourceNode, { source, problems }: Checking): boolean {
  const before = problems.count;
  const guards = childOf(tree, 'guards');
  for (const guard of numberGuardList) {
    const node = childOf(guards, guard.key);
    const fault = node?.kind === 'scalar' ? numberFault(guard, node.text) : undefined;
    if (node === undefined || fault === undefined) continue;
    const message = `${guard.key} must be ${fault.must}`;
    problems.add('PB105', source.of(node), message, { hint: `as in ${fault.example}` });
  }
  const hours = childOf(guards, 'hours');
  for (const node of hours?.kind === 'list' ? hours.items : [hours]) {
    const text = textOfNode(node);
    if (node === undefined || text === undefined || hoursIn(text) !== undefined) continue;
    const message = `${JSON.stringify(text)} are not hours of the week`;
    problems.add('PB105', source.of(node), message, { hint: hoursHint });
  }
  return problems.count === before;
}

/** Checks one write by itself. */
function checkWrite(
  step: Step,
  item: Scope | undefined,
  limits: Limits,
  profile: string | undefined,
): void {
  const { rules, whose, lists } = limits;
  checkNames(step, item, limits, profile);
  const { symbol: symbolField = '', size = '' } = keyedWriteOf(step.uses)?.fields ?? {};
  const symbol = textIn(step, symbolField, item);
  const allowed = rules.symbols?.map((name) => name.toUpperCase());
  if (symbol !== undefined && allowed?.includes(symbol.toUpperCase()) === false) {
    report(step, symbolField, `${symbol} is not among the symbols of ${lists}`, limits);
  }
  const leverage = setsLeverage(step.uses) && textIn(step, 'leverage', item);
  const { maxLeverage, maxOrderNotional, maxNotional } = rules;
  if (leverage && maxLeverage !== undefined && Number(leverage) > maxLeverage) {
    const message = `leverage ${leverage} is above max-leverage ${maxLeverage}${whose}`;
    report(step, 'leverage', message, limits);
  }
  const notional = notionalOf(step, item);
  for (const [name, limit] of [
    ['max-order-notional', maxOrderNotional],
    ['max-notional', maxNotional],
  ] as const) {
    if (limit === undefined || !notional?.gt(decimal(limit))) continue;
    const message = `the order is worth ${notional.toFixed()}, above ${name} ${limit}${whose}`;
    report(step, size, message, limits);
    return;
  }
}

/** Checks the operation and the account of a write. */
function checkNames(
  step: Step,
  item: Scope | undefined,
  { rules, lists, code, hint, problems }: Limits,
  profile: string | undefined,
): void {
  const { operations, accounts } = rules;
  if (operations?.some((name) => name === step.uses) === false) {
    const message = `${step.uses} is not among the operations of ${lists}`;
    problems.add(code, step.usesAt, message, { hint });
  }
  const account = step.account === undefined ? profile : valueText(step.account, item);
  // A list may contain fingerprints of keys: their accounts are known only during the run.
  if (account === undefined || accounts === undefined || accounts.some(isFingerprint)) return;
  if (accounts.includes(account)) return;
  const message = `${account} is not among the accounts of ${lists}`;
  problems.add(code, step.account?.at ?? step.at, message, { hint });
}

function isFingerprint(name: string): boolean {
  return /^[0-9a-f]{8}$/.test(name);
}

interface Sums {
  readonly writes: number;
  readonly notional: Decimal;
}

/** Reported at the step that exceeds a limit, and not again at later ones. */
function checkSums(
  step: Step,
  { before, after }: { readonly before: Sums; readonly after: Sums },
  limits: Limits,
): void {
  const { maxWrites = Infinity, maxNotional } = limits.rules;
  const { whose, code, hint, problems } = limits;
  if (after.writes > maxWrites && before.writes <= maxWrites) {
    const writes = count(after.writes, 'write');
    const message = `with this step the run makes ${writes}, above max-writes ${maxWrites}${whose}`;
    problems.add(code, step.at, message, { hint });
  }
  const limit = maxNotional === undefined ? undefined : decimal(maxNotional);
  if (limit === undefined || !after.notional.gt(limit) || before.notional.gt(limit)) return;
  const sum = after.notional.toFixed();
  report(
    step,
    keyedWriteOf(step.uses)?.fields.size ?? '',
    `with this step all orders are worth ${sum}, above max-notional ${maxNotional}${whose}`,
    limits,
  );
}

function report(
  step: Step,
  field: string,
  message: string,
  { code, hint, problems }: Limits,
): void {
  const at: SourceRange = step.with.get(field)?.at ?? step.at;
  problems.add(code, at, message, { hint });
}

/** The value of an order that no price decides: of a limit order, or of an amount of the quote coin. */
function notionalOf(step: Step, item: Scope | undefined): Decimal | undefined {
  const keyed = keyedWriteOf(step.uses);
  if (keyed === undefined) return undefined;
  const { fields, inQuoteCoin } = keyed;
  const [type, price, size] = [fields.type, fields.price, fields.size].map((field) =>
    textIn(step, field, item),
  );
  const known = [...step.with.keys()].map((field) => [field, textIn(step, field, item)] as const);
  if (size !== undefined && meets(inQuoteCoin, Object.fromEntries(known))) {
    return isDecimalText(size) ? decimal(size) : undefined;
  }
  if (type !== 'limit' || price === undefined || size === undefined) return undefined;
  if (!isDecimalText(price) || !isDecimalText(size)) return undefined;
  return decimal(price).times(decimal(size));
}

/** A field's value as text, if it is certain. */
function textIn(step: Step, field: string, item: Scope | undefined): string | undefined {
  const template = step.with.get(field);
  return template && valueText(template, item);
}

function valueText(template: Template, item: Scope | undefined): string | undefined {
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
