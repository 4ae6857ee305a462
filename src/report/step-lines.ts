/** One line for each step, and one for each of its items: the result and the duration. */
import type { Millis } from '../base/clock.ts';
import { count, plainText } from '../base/text.ts';
import type { StepStatus } from '../journal/entry.ts';
import { isNotBegun } from './achievements.ts';
import { textAt } from './json.ts';
import type { OrderLine } from './orders.ts';
import type { ActionStory, StepStory, Story } from './story.ts';
import { elapsedOf, lengthOf } from './timing.ts';
import { leverageWords } from './request.ts';
import { stateOf, wordsOf, type ActionState } from './words.ts';

export interface StepLine {
  readonly id: string;
  readonly uses: string;
  readonly name?: string;
  readonly number?: number;
  /** `open` while the step is in progress. */
  readonly status: StepStatus | 'open' | 'not-sent';
  /** Such as `5 of 5 live`, `3 pages, 214 rows`. */
  readonly detail: string;
  /** From its first request to its outcome; 0 if nothing was sent. */
  readonly ms: Millis;
  /** The items of a for-each; a single action has none. */
  readonly items: readonly ItemLine[];
}

export interface ItemLine {
  readonly address: string;
  readonly key: string;
  readonly state: ActionState;
  readonly what: string;
  readonly detail: string;
  readonly ms: Millis;
}

export function stepLines(story: Story, orders: readonly OrderLine[]): StepLine[] {
  const states = new Map(orders.map(({ address, state }) => [address, state]));
  const elapsed = elapsedOf(story);
  return story.steps.map((step) => ({
    id: plainText(step.id, 60),
    uses: plainText(step.uses, 60),
    ...(step.name !== undefined && { name: plainText(step.name, 120) }),
    ...(step.number !== undefined && { number: step.number }),
    status: isNotBegun(step) ? 'not-sent' : (step.status ?? 'open'),
    detail: stepDetail(step, states),
    ms: lengthOf(step.actions, elapsed),
    items: step.isForEach
      ? step.actions.map((action) => ({
          ...itemLine(action, step, states),
          ms: lengthOf([action], elapsed),
        }))
      : [],
  }));
}

function itemLine(
  action: ActionStory,
  step: StepStory,
  orders: ReadonlyMap<string, string>,
): Omit<ItemLine, 'ms'> {
  return {
    address: plainText(action.address, 120),
    key: plainText(action.key ?? '', 80),
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
      return 'no response; it may or may not have happened';
    case 'not-sent':
      return 'not sent';
    case 'skipped':
      return outcome?.kind === 'skipped' ? plainText(outcome.because) : 'its condition is false';
    case 'found':
    case 'done':
      return doneDetail(action, orders);
  }
}

function doneDetail(
  { address, outcome }: ActionStory,
  orders: ReadonlyMap<string, string>,
): string {
  const state = orders.get(plainText(address, 120));
  if (state !== undefined) return state.replaceAll('_', ' ');
  const output = outcome?.kind === 'done' ? outcome.output : undefined;
  const uid = textAt(output, 'subUid');
  return uid === undefined ? 'done' : `subUid ${plainText(uid, 40)}`;
}

function stepDetail(step: StepStory, orders: ReadonlyMap<string, string>): string {
  if (isNotBegun(step)) return plainText(step.because ?? 'not sent', 160);
  const files = step.files.map(
    ({ rows, pages }) => `${pages > 0 ? `${count(pages, 'page')}, ` : ''}${count(rows, 'row')}`,
  );
  if (files.length > 0) return files.join('; ');
  if (step.isForEach) return itemCounts(step);
  const [action] = step.actions;
  if (action === undefined || step.status !== 'done') return plainText(step.because ?? '', 160);
  if (action.operation === 'futures/set-all-leverage') return leverageWords(action.input);
  if (orders.has(plainText(action.address, 120))) {
    return `${wordsOf(action)} · ${doneDetail(action, orders)}`;
  }
  return '';
}

function itemCounts(step: StepStory): string {
  const states = step.actions.map((action) => stateOf(action, step));
  const ready = states.filter((state) => state === 'done' || state === 'found').length;
  const words = [`${ready} of ${step.actions.length}`];
  for (const [state, word] of [
    ['refused', 'refused'],
    ['failed', 'failed'],
    ['doubt', 'in doubt'],
    ['skipped', 'skipped'],
  ] as const) {
    const n = states.filter((each) => each === state).length;
    if (n > 0) words.push(`${n} ${word}`);
  }
  return words.join(', ');
}
