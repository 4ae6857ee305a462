/** Differences between a reviewed plan and the same plan recomputed. */
import { canonicalHost } from '../../base/host.ts';
import { decimal, decimalText, wholeDecimal } from '../../base/decimal.ts';
import { isRecord, type Json } from '../../base/json.ts';
import { idKey } from '../journal/account.ts';
import type { Destination } from '../journal/entry.ts';
import { isSameEvidence } from './evidence.ts';
import type { Plan, PlannedAction } from './plan.ts';
import { shown, valueDifferences } from './value-differences.ts';
import { isNearNumber, moveWords } from './values.ts';
import { destinationsOf } from '../journal/account.ts';

/** A difference from the reviewed plan. */
export interface Difference {
  readonly what: string;
  readonly was: string;
  readonly is: string;
}

/** The default ratio by which a mark price may move under a plan. */
export const moveInitially = '0.01';

/**
 * All differences; empty when the plan is still valid.
 * @param move how far a mark price may have moved, as a ratio; everything else must be equal
 */
export function differencesOf(reviewed: Plan, now: Plan, move: string): readonly Difference[] {
  return [
    ...textDifferences(reviewed, now),
    ...different('the API of the exchange', reviewed.contract, now.contract),
    ...accountsOf(reviewed, now),
    ...givenDifferences(reviewed, now),
    ...actionsOf(reviewed, now),
    ...marksOf(reviewed, now, move),
    ...positionsOf(reviewed, now),
  ];
}

/** The differences between the texts of the playbook and of those that it uses, by their files. */
export function textDifferences(
  { playbook: before }: Plan,
  { playbook: after }: Plan,
): Difference[] {
  const names = new Set(
    [...(before.includes ?? []), ...(after.includes ?? [])].map((it) => it.file),
  );
  const digestIn = ({ includes = [] }: Plan['playbook'], file: string): string | undefined =>
    includes.find((included) => included.file === file)?.digest;
  return [
    ...different(before.file, before.digest, after.digest),
    ...[...names].flatMap((file) => different(file, digestIn(before, file), digestIn(after, file))),
  ];
}

/** The differences in inputs and limits: values known only during the run depend on them, too. */
export function givenDifferences(before: Plan, after: Plan): readonly Difference[] {
  return [...fieldsOf('input', before.inputs, after.inputs), ...guardsOf(before, after)];
}

function accountsOf(before: Plan, after: Plan): Difference[] {
  const [was, is] = [before, after].map((plan) => destinationsOf(plan).map(wordsOf).join('; '));
  return different('the account', was, is);
}

/** Describes an account. With an account-id neither key nor address counts. */
function wordsOf(account: Destination): string {
  const { profile, target, keyFingerprint = 'none', accountId } = account;
  if (accountId !== undefined) return `${profile}, ${target}, account ${idKey(accountId)}`;
  return `${profile}, ${target}, ${canonicalHost(account.host)}, key ${keyFingerprint}`;
}

/** The differences in the checked limits, and whether they are kept: positions change after a plan. */
function guardsOf(before: Plan, after: Plan): Difference[] {
  const limits = ({ guards }: Plan): ReadonlyMap<string, string> =>
    new Map(
      guards.map(({ guard, limit, isKept, message }) => [
        `guard ${guard}`,
        isKept ? limit : `${limit}, which is not kept: ${message}`,
      ]),
    );
  return differentIn(limits(before), limits(after));
}

function actionsOf(before: Plan, after: Plan): Difference[] {
  const [was, is] = [before, after].map(actionsByAddress);
  if (was === undefined || is === undefined) return [];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((address) => {
    const [first, second] = [was.get(address), is.get(address)];
    if (first === undefined || second === undefined) {
      return different(address, first && changeWords(first), second && changeWords(second));
    }
    const isKept =
      'because' in first.change &&
      'because' in second.change &&
      first.change.kind === second.change.kind &&
      isSameEvidence(first.change.because, second.change.because);
    const change = isKept ? [] : different(address, changeWords(first), changeWords(second));
    // One difference is enough: an action that need not be done anymore also has other fields.
    if (change.length > 0) return change;
    return [
      ...different(`${address} account`, first.account, second.account),
      ...different(`${address} file`, first.file, second.file),
      ...fieldsOf(address, first.input, second.input),
    ];
  });
}

function actionsByAddress({ steps }: Plan): ReadonlyMap<string, PlannedAction> {
  const files = steps.flatMap(({ id, file }): [string, PlannedAction][] => {
    if (file === undefined) return [];
    const address = `${id} file`;
    return [[address, { address, change: { kind: 'local' }, input: { file } }]];
  });
  const actions = steps.flatMap((step) =>
    step.actions.map((action): [string, PlannedAction] => [action.address, action]),
  );
  return new Map([...actions, ...files]);
}

/** The change in words: the effects, and the evidence for actions without one; other rows may change. */
function changeWords({ change }: PlannedAction): string {
  switch (change.kind) {
    case 'none':
      return `nothing to do: ${change.because}`;
    case 'skip':
      return `skipped: ${change.because}`;
    case 'create':
      return 'to be created';
    case 'set':
      return 'to be set';
    case 'read':
      return change.failed === undefined ? 'a read' : 'a read that fails';
    case 'local':
      return 'done here';
    case 'outbound':
      return 'sent elsewhere';
    case 'reused':
      return change.because;
    case 'later':
      return 'known only during the run';
  }
}

function marksOf(before: Plan, after: Plan, move: string): Difference[] {
  return Object.entries(before.marks).flatMap(([symbol, was]) => {
    const is = after.marks[symbol];
    const what = `the mark price of ${symbol}`;
    if (is === undefined || moveWords(was, is) === '') return different(what, was, is);
    return isNearNumber(was, is, move) ? [] : [{ what, was, is: movedWords(was, is, move) }];
  });
}

/** A number that changed, by how much, and the limit. */
export function movedWords(was: string, is: string, move: string): string {
  const by = moveWords(was, is);
  return by === '' ? is : `${is} (${by}; ${allowedWords(move)})`;
}

function allowedWords(move: string): string {
  return `${decimalText(decimal(move).times(wholeDecimal(100)))} % is allowed`;
}

function positionsOf(before: Plan, after: Plan): Difference[] {
  const words = ({ positions }: Plan): ReadonlyMap<string, string> =>
    new Map(
      Object.entries(positions).map(([line, symbols]) => [
        `open positions in ${line}`,
        [...symbols].sort().join(', ') || 'none',
      ]),
    );
  return differentIn(words(before), words(after));
}

function fieldsOf(what: string, before: Json, after: Json): Difference[] {
  if (!isRecord(before) || !isRecord(after)) return different(what, shown(before), shown(after));
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((field) => {
    const [was, is] = [before[field], after[field]];
    // A number of an input may be a text, as on a command line.
    if (shown(was) === shown(is)) return [];
    return valueDifferences(field, was, is).flatMap((each) =>
      different(`${what} ${each.path}`, each.was, each.is),
    );
  });
}

/** A value as text, or "not there". */
export function valueWords(value: unknown): string {
  return shown(value) ?? 'not there';
}

function differentIn(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Difference[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((what) =>
    different(what, before.get(what), after.get(what)),
  );
}

function different(what: string, was: string | undefined, is: string | undefined): Difference[] {
  return was === is ? [] : [{ what, was: was ?? 'not there', is: is ?? 'not there' }];
}
