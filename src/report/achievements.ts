/** Groups the actions that were done, and those that were not sent, as text: `3 sub-accounts created`. */
import { appendTo } from '../base/groups.ts';
import { count, listed, plainText } from '../base/text.ts';
import { placesOrders } from '../exchange/api/meant-order.ts';
import { endedBy, isOperation, operationOf, stateSetBy } from '../exchange/api/operations/index.ts';
import { addressOf } from '../engine/plan/addresses.ts';
import { accountField, oneAccount, onAccounts, stepPlaces, type OnAccount } from './accounts.ts';
import { textAt } from './read-json.ts';
import { notionalWords, type OrderLine } from './orders.ts';
import { endWords, stateWords } from './request-text.ts';
import type { ActionStory, StepStory, Story } from './story.ts';
import { sizeOf, stateOf } from './words.ts';

/** A group of similar actions; `text` ends with its accounts, in a run with several. */
export interface Group extends OnAccount {
  /** Number of actions in the group. */
  readonly count: number;
  /** The text of the group, such as `3 sub-accounts created`. */
  readonly text: string;
  /** The names in the group, such as `alpha, bravo, charlie`; may be ''. */
  readonly detail: string;
  /** The group of each account, if the writes are on several. */
  readonly parts?: readonly Group[];
}

/** The groups as lines: one for each account, unless there are too many for a screen. */
export function groupLines(groups: readonly Group[]): readonly Group[] {
  return groups.flatMap((group) => {
    const { parts = [] } = group;
    return parts.length > 0 && parts.length <= partsMax ? parts : [group];
  });
}

const partsMax = 20;

/** The actions that are done, by kind, in order of first appearance. */
export function doneGroups(story: Story, orders: readonly OrderLine[]): Group[] {
  const kinds = new Map<string, Deed[]>();
  for (const step of story.steps) {
    for (const action of step.actions) {
      const state = stateOf(action, step);
      if (state !== 'done' && state !== 'found') continue;
      const kind = `${state} ${kindOf(action, step)}`;
      appendTo(kinds, kind, deedOf(action, step));
    }
  }
  const asked = ordersAsked(story);
  const done = [...kinds].map(([kind, deeds]) => {
    const group = (part: readonly Deed[]): Group => groupOf(kind, part, asked, orders);
    return isRead(kind) ? onAccount(deeds, group(deeds)) : byAccount(deeds, group);
  });
  return [...reusedGroups(story), ...done];
}

/** The steps and items that were not executed, by the run whose results they have. */
function reusedGroups({ started, steps }: Story): Group[] {
  const byRun = new Map<string, string[]>();
  for (const { id, reused } of steps) if (reused !== undefined) appendTo(byRun, reused, id);
  const items = new Map<string, string[]>();
  for (const { step, key, run } of started.reused?.items ?? [])
    appendTo(items, run, addressOf(step, key));
  const group = (noun: string, run: string, ids: readonly string[]): Group => ({
    count: ids.length,
    text: `${count(ids.length, noun)} reused from ${plainText(run, 60)}`,
    detail: namesOf(ids),
  });
  return [
    ...[...byRun].map(([run, ids]) => group('step', run, ids)),
    ...[...items].map(([run, ids]) => group('item', run, ids)),
  ];
}

/** The actions that were not sent, by step: steps that did not start, and remaining items. */
export function notSentGroups(story: Story): Group[] {
  const groups = story.steps.flatMap(itemsLeft);
  const steps = story.steps.filter(isNotBegun);
  if (steps.length === 0) return groups;
  const numbers = steps.map(({ number }) => number).filter((number) => number !== undefined);
  const text =
    numbers.length === steps.length
      ? `${steps.length === 1 ? 'step' : 'steps'} ${ranges(numbers)}`
      : count(steps.length, 'step');
  const detail = namesOf(steps.map((step) => `${step.id}${onAccounts(stepPlaces(step))}`));
  return [...groups, { count: steps.length, text, detail }];
}

/** The actions that a condition skipped, with the reason. */
export function skippedGroups(story: Story): Group[] {
  return story.steps.flatMap((step) => {
    const id = plainText(step.id, 60);
    if (step.reused !== undefined) return []; // among those that are done
    if (!step.isOpened) {
      if (step.status !== 'skipped' || isNotBegun(step)) return [];
      const detail = plainText(step.because ?? 'skipped', 160);
      return [onAccount(stepPlaces(step), { count: 1, text: id, detail })];
    }
    const left = step.actions.filter((action) => stateOf(action, step) === 'skipped');
    if (left.length === 0) return [];
    const [first] = left;
    const reason = first?.outcome?.kind === 'skipped' ? first.outcome.because : step.because;
    const text = step.isForEach ? `${left.length} of ${step.actions.length} items of ${id}` : id;
    const detail = plainText(reason ?? 'its condition is false', 160);
    return [onAccount(left, { count: left.length, text, detail })];
  });
}

/** Whether a step did not start, for another reason than its condition. */
export function isNotBegun(step: StepStory): boolean {
  if (step.isOpened) return step.actions.length === 0 && step.status === undefined;
  if (step.status === 'skipped') return step.missing !== undefined;
  return step.status === undefined || step.status === 'interrupted';
}

interface Deed extends OnAccount {
  readonly action: ActionStory;
  readonly step: StepStory;
}

function deedOf(action: ActionStory, step: StepStory): Deed {
  return { action, step, ...accountField(action.account) };
}

/** A group that names the accounts of its actions. */
function onAccount(deeds: readonly OnAccount[], group: Group): Group {
  const text = `${group.text}${onAccounts(deeds)}`;
  return { ...group, text, ...accountField(oneAccount(deeds)) };
}

/** A group of actions, with a part for each of its accounts. */
function byAccount(deeds: readonly Deed[], groupFrom: (deeds: readonly Deed[]) => Group): Group {
  const group = onAccount(deeds, groupFrom(deeds));
  const accounts = new Map<string, Deed[]>();
  for (const deed of deeds) appendTo(accounts, deed.account ?? '', deed);
  if (accounts.size < 2) return group;
  return {
    ...group,
    parts: [...accounts.values()].map((part) => onAccount(part, groupFrom(part))),
  };
}

/**
 * Whether actions are reads: they and their files name their account, so a line for each account adds
 * nothing.
 */
function isRead(kind: string): boolean {
  return /^\w+ (?:read|file)$/.test(kind);
}

function kindOf({ operation }: ActionStory, step: StepStory): string {
  const named = operation ?? step.uses;
  if (placesOrders(named)) return 'order';
  if (!isOperation(named) || operationOf(named).effect !== 'read') return named;
  return step.files.length > 0 ? 'file' : 'read';
}

function groupOf(
  kind: string,
  deeds: readonly Deed[],
  asked: readonly OnAccount[],
  orders: readonly OrderLine[],
): Group {
  const [state = '', ...rest] = kind.split(' ');
  const name = rest.join(' ');
  const n = deeds.length;
  if (name === 'file') return fileGroup(deeds);
  if (name === 'read') return { count: n, text: count(n, 'read'), detail: addresses(deeds) };
  if (name === 'order') return orderGroup(deeds, asked, orders, state === 'found');
  if (state === 'found') {
    const what = name === 'account/create-sub' ? count(n, 'sub-account') : count(n, 'action');
    return { count: n, text: `${what} already there`, detail: namesOf(deeds.map(nameOf)) };
  }
  if (name === 'account/create-sub') {
    const text = `${count(n, 'sub-account')} created`;
    return { count: n, text, detail: namesOf(deeds.map(nameOf)) };
  }
  const sets = stateSetBy(name);
  if (sets !== undefined) {
    const detail = namesOf(deeds.map(({ action }) => stateWords(sets, action.input)));
    return { count: n, text: `${sets.value} set`, detail };
  }
  if (endedBy(name) !== undefined) {
    const ends = deeds.map(({ action: { outcome } }) => {
      return endWords(outcome?.kind === 'done' ? outcome.output : undefined);
    });
    const isFilled = ends.filter((words) => words.startsWith('filled')).length;
    const filled = isFilled === 0 ? '' : `, ${isFilled} filled before`;
    const text = `${count(n - isFilled, 'order')} cancelled${filled}`;
    return { count: n, text, detail: namesOf(deeds.map(nameOf)) };
  }
  return { count: n, text: builtInWords(name, n), detail: namesOf(deeds.map(madeBy)) };
}

function fileGroup(deeds: readonly Deed[]): Group {
  const files = [...new Set(deeds.map(({ step }) => step))].flatMap(({ files: made }) => made);
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const detail = files.map(({ file, bytes }) => `${plainText(file, 120)} (${sizeOf(bytes)})`);
  const text = `${count(files.length, 'file')}, ${count(rows, 'row')}`;
  return { count: deeds.length, text, detail: namesOf(detail) };
}

function orderGroup(
  deeds: readonly Deed[],
  asked: readonly OnAccount[],
  orders: readonly OrderLine[],
  isFound: boolean,
): Group {
  const accounts = new Set(deeds.map(({ account }) => account));
  const standing = isFound ? 'found' : 'done';
  const placed = orders.filter((each) => each.standing === standing && accounts.has(each.account));
  const states = new Map<string, number>();
  for (const { state } of placed) states.set(state, (states.get(state) ?? 0) + 1);
  const [only] = states.keys();
  const isOne = states.size === 1 && only !== undefined;
  const word = isFound ? 'already there' : isOne ? spaced(only) : 'placed';
  const mixed = [...states].map(([state, n]) => `${n} ${spaced(state)}`).join(', ');
  const detail = [notionalWords(placed), isOne ? '' : mixed].filter((part) => part !== '');
  const all = asked.filter(({ account }) => accounts.has(account)).length;
  const total = `${deeds.length} of ${count(all, 'order')}`;
  return { count: deeds.length, text: `${total} ${word}`, detail: detail.join(' · ') };
}

/** The orders that the started steps would place. */
function ordersAsked(story: Story): readonly OnAccount[] {
  const placing = story.steps.filter(
    ({ uses, actions }) =>
      placesOrders(uses) || actions.some(({ operation }) => placesOrders(operation)),
  );
  return placing.flatMap(({ actions }) => actions.map(({ account }) => accountField(account)));
}

function builtInWords(name: string, n: number): string {
  switch (name) {
    case 'report/table':
      return `${count(n, 'table')} made`;
    case 'report/page':
      return `${count(n, 'page')} written`;
    case 'report/chart':
      return `${count(n, 'chart')} drawn`;
    case 'notify/webhook':
      return `${count(n, 'notice')} sent`;
    case 'shell/run':
      return `${count(n, 'command')} run`;
    case 'wait':
      return count(n, 'wait');
    case 'approve':
      return `${count(n, 'approval')} given`;
    default:
      return `${plainText(name, 60) || count(n, 'action')} done`;
  }
}

function itemsLeft(step: StepStory): Group[] {
  const left = step.actions.filter((action) => stateOf(action, step) === 'not-sent');
  if (left.length === 0 || isNotBegun(step)) return [];
  const noun = placesOrders(step.uses) ? 'order' : 'item';
  return [
    byAccount(
      left.map((action) => deedOf(action, step)),
      (deeds) => ({
        count: deeds.length,
        text: step.isForEach ? count(deeds.length, noun) : plainText(step.id, 60),
        detail: step.isForEach ? addresses(deeds) : 'not finished',
      }),
    ),
  ];
}

function nameOf({ action }: Deed): string {
  return textAt(action.input, 'username') ?? action.key ?? action.address;
}

function addresses(deeds: readonly Deed[]): string {
  return namesOf(deeds.map(({ action }) => action.address));
}

/** The file of a page or a chart; for another action its address. */
function madeBy({ action: { outcome, address } }: Deed): string {
  const output = outcome?.kind === 'done' ? outcome.output : undefined;
  return textAt(output, 'file') ?? address;
}

const namesMax = 8; // more would push the other answers off the screen

function namesOf(names: readonly string[]): string {
  const shown = names.slice(0, namesMax).map((name) => plainText(name, 120));
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} … and ${more} more`;
}

/** Step numbers as text, such as `4–6`, `2, 4 and 5`. */
function ranges(numbers: readonly number[]): string {
  const [first, last] = [numbers[0], numbers.at(-1)];
  if (first === undefined || last === undefined) return '';
  const isRow = numbers.length > 1 && last - first === numbers.length - 1;
  return isRow ? `${first}–${last}` : listed(numbers.map(String));
}

function spaced(state: string): string {
  return state.replaceAll('_', ' ');
}
