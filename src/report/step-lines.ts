/** One line for each step, and one for each of its items: the result and the duration. */
import { endedBy, stateSetBy } from '../exchange/api/operations/index.ts';
import type { Millis } from '../base/clock.ts';
import { appendTo } from '../base/groups.ts';
import { count, plainText } from '../base/text.ts';
import type { StepStatus } from '../engine/journal/entry.ts';
import { accountField, oneAccount, onAccounts, stepPlaces, type OnAccount } from './accounts.ts';
import { isNotBegun } from './achievements.ts';
import { answerWords } from './question.ts';
import { textAt } from './read-json.ts';
import type { OrderLine } from './orders.ts';
import type { ActionStory, StepStory, Story } from './story.ts';
import { extentsOf, lengthOf } from './extents.ts';
import { endWords, stateWords } from './request-text.ts';
import { stateOf, wordsOf, type ActionState } from './words.ts';
import { stateWord } from './states.ts';

/** The line of a step. `account` is that of all its actions: if they have several, the detail names them. */
export interface StepLine extends OnAccount {
  readonly id: string;
  readonly uses: string;
  readonly name?: string;
  readonly number?: number;
  /** The status of the step; `open` while it is in progress. */
  readonly status: StepStatus | 'open' | 'not-sent';
  /** The result as text, such as `5 of 5 live`, `3 pages, 214 rows`. */
  readonly detail: string;
  /** The earlier run that did the step: it was not executed in this one. */
  readonly reused?: string;
  /** The items that an earlier run did: they were not executed in this one. */
  readonly reusedItems: readonly ReusedItemLine[];
  /**
   * The duration from the step's first request to its outcome; of a step without requests, and of one that
   * runs a playbook, from its start to its end.
   */
  readonly ms: Millis;
  /** The items of a for-each; a single action has none. */
  readonly items: readonly ItemLine[];
}

export interface ReusedItemLine {
  readonly key: string;
  readonly run: string;
}

export interface ItemLine extends OnAccount {
  readonly address: string;
  readonly key: string;
  readonly state: ActionState;
  readonly what: string;
  readonly detail: string;
  readonly ms: Millis;
}

export function stepLines(story: Story, orders: readonly OrderLine[]): StepLine[] {
  const states = new Map(orders.map(({ address, state }) => [address, state]));
  const extents = extentsOf(story);
  const reused = new Map<string, ReusedItemLine[]>();
  for (const { step, key, run } of story.started.reused?.items ?? [])
    appendTo(reused, step, { key: plainText(key, 80), run: plainText(run, 60) });
  return story.steps.map((step) => ({
    id: plainText(step.id, 60),
    uses: plainText(step.uses, 60),
    ...accountField(oneAccount(stepPlaces(step))),
    ...(step.name !== undefined && { name: plainText(step.name, 120) }),
    ...(step.number !== undefined && { number: step.number }),
    status: isNotBegun(step) ? 'not-sent' : step.isSettled ? 'open' : (step.status ?? 'open'),
    detail: detailOf(step, states, reused.get(step.id)),
    ...(step.reused !== undefined && { reused: plainText(step.reused, 60) }),
    reusedItems: reused.get(step.id) ?? [],
    ms: lengthOf(extents.step(step)),
    items: step.isForEach
      ? step.actions.map((action) => ({
          ...itemLine(action, step, states),
          ms: lengthOf(extents.action(action, step)),
        }))
      : [],
  }));
}

/** The result of a step, such as `1 of 1, 2 reused from r-7b4wd2w5gi54`. */
function detailOf(
  step: StepStory,
  orders: ReadonlyMap<string, string>,
  reused: readonly ReusedItemLine[] = [],
): string {
  const byRun = new Map<string, string[]>();
  for (const { key, run } of reused) appendTo(byRun, run, key);
  const taken = [...byRun].map(([run, keys]) => `${keys.length} reused from ${run}`);
  return [stepDetail(step, orders), ...taken].filter((words) => words !== '').join(', ');
}

function itemLine(
  action: ActionStory,
  step: StepStory,
  orders: ReadonlyMap<string, string>,
): Omit<ItemLine, 'ms'> {
  return {
    address: plainText(action.address, 120),
    key: plainText(action.key ?? '', 80),
    ...accountField(action.account),
    state: stateOf(action, step),
    what: action.input === undefined ? plainText(action.key ?? '', 80) : wordsOf(action),
    detail: itemDetail(action, step, orders),
  };
}

function itemDetail(
  action: ActionStory,
  step: StepStory,
  orders: ReadonlyMap<string, string>,
): string {
  const { outcome } = action;
  const state = stateOf(action, step);
  switch (state) {
    case 'refused':
    case 'failed':
      return outcome?.kind === 'refused' || outcome?.kind === 'failed'
        ? plainText(`${outcome.code} ${outcome.message}`)
        : state;
    case 'doubt':
      return 'its outcome is unknown; it may or may not have happened';
    case 'not-sent':
      return stateWord(state);
    case 'skipped':
      return outcome?.kind === 'skipped' ? plainText(outcome.because) : 'its condition is false';
    case 'found':
    case 'done':
      return doneDetail(action, orders);
  }
}

function doneDetail(
  { address, outcome, operation }: ActionStory,
  orders: ReadonlyMap<string, string>,
): string {
  const state = orders.get(plainText(address, 120));
  if (state !== undefined) return state.replaceAll('_', ' ');
  const output = outcome?.kind === 'done' ? outcome.output : undefined;
  if (endedBy(operation) !== undefined) return endWords(output);
  const uid = textAt(output, 'subUid');
  return uid === undefined ? 'done' : `subUid ${plainText(uid, 40)}`;
}

function stepDetail(step: StepStory, orders: ReadonlyMap<string, string>): string {
  const places = stepPlaces(step);
  const where = placesOf(places, places);
  if (isNotBegun(step)) return `${plainText(step.because ?? 'not sent', 160)}${where}`;
  const files = step.files.map((file) => {
    const pages = file.pages > 0 ? `${count(file.pages, 'page')}, ` : '';
    return `${pages}${count(file.rows, 'row')}${placesOf([file], places)}`;
  });
  if (files.length > 0) return files.join('; ');
  if (step.isForEach) return itemCounts(step);
  const [action] = step.actions;
  if (action?.asked && (step.status === undefined || step.status === 'done')) {
    return answerWords(action.asked, action.outcome);
  }
  if (step.isSettled) return 'settled; not finished';
  if (action === undefined || step.status !== 'done') return becauseOf(step);
  const sets = stateSetBy(action.operation);
  if (sets !== undefined) return stateWords(sets, action.input);
  if (orders.has(plainText(action.address, 120))) {
    return `${wordsOf(action)} · ${doneDetail(action, orders)}`;
  }
  return '';
}

/** Why a step ended. The words of reads that looked a doubt up are among its lists, and are no reason. */
function becauseOf({ actions: [action], because = '' }: StepStory): string {
  const { outcome } = action ?? {};
  if (outcome?.kind !== 'doubt') return plainText(because, 160);
  return plainText(
    outcome.at === undefined ? outcome.because : `in doubt: ${outcome.at.address}`,
    160,
  );
}

/** The accounts of some lines of a step: ` on two`; '' if the step has one account, which its line names. */
function placesOf(lines: readonly OnAccount[], all: readonly OnAccount[]): string {
  return oneAccount(all) === undefined ? onAccounts(lines) : '';
}

function itemCounts(step: StepStory): string {
  const items = step.actions.map((action) => ({ action, state: stateOf(action, step) }));
  const among = (states: readonly ActionState[]): readonly ActionStory[] =>
    items.flatMap(({ action, state }) => (states.includes(state) ? [action] : []));
  const ready = among(['done', 'found']);
  const words = [`${ready.length} of ${items.length}${placesOf(ready, step.actions)}`];
  for (const state of ['refused', 'failed', 'doubt', 'skipped'] as const) {
    const some = among([state]);
    if (some.length > 0)
      words.push(`${some.length} ${stateWord(state)}${placesOf(some, step.actions)}`);
  }
  return words.join(', ');
}
