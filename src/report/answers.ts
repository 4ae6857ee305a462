/** Two of the five answers: refused writes, and doubts. */
import type { Millis } from '../base/clock.ts';
import { plainText } from '../base/text.ts';
import { textAt } from './json.ts';
import type { ActionStory, StepStory, Story } from './story.ts';
import { stateOf, wordsOf } from './words.ts';

export type RunStatus = 'done' | 'stopped' | 'doubt' | 'interrupted' | 'unfinished';

/** The number of actions, or of unstarted steps, in each answer. */
export interface Tally {
  readonly done: number;
  readonly refused: number;
  readonly inDoubt: number;
  readonly notSent: number;
}

/** An action the exchange refused, or that failed locally; nothing was executed. */
export interface Refusal {
  readonly address: string;
  readonly by: 'exchange' | 'deskhand';
  readonly what: string;
  /** The exchange's code or ours; '' if none is recorded. */
  readonly code: string;
  readonly message: string;
  readonly clientOid?: string;
}

/** An action with an unknown outcome. */
export interface Doubt {
  readonly address: string;
  readonly kind: 'order' | 'sub-account' | 'other';
  readonly what: string;
  readonly because: string;
  readonly clientOid?: string;
  /** When its last attempt was signed, by the exchange's clock; unknown for a lost machine. */
  readonly sentAt?: Millis;
  /** Attempts in this journal; a lost machine may have made others. */
  readonly attempts: number;
}

export function refusalsOf(story: Story): Refusal[] {
  return everyAction(story)
    .filter(({ action, step }) => /^(?:refused|failed)$/.test(stateOf(action, step)))
    .map(refusalOf);
}

/** A step with a nested playbook is not listed in addition to the doubts in it. */
export function doubtsOf(story: Story): Doubt[] {
  const holders = new Set(story.steps.flatMap(({ id }) => holdersOf(id)));
  return everyAction(story)
    .filter(({ action, step }) => stateOf(action, step) === 'doubt')
    .filter(({ action }) => !holders.has(action.address))
    .map(({ action }) => doubtOf(action));
}

/**
 * Addresses of doubts that were recorded as such. While a run is in progress, other writes without
 * an outcome are only waiting for their response.
 */
export function recordedDoubts(story: Story): ReadonlySet<string> {
  return new Set(
    everyAction(story)
      .filter(({ action: { isOpen, outcome } }) => !isOpen && outcome?.kind === 'doubt')
      .map(({ action }) => plainText(action.address, 120)),
  );
}

/**
 * The possible parents of a step: `desks[a/b]/ladder` also in `desks[a`, because a key may contain
 * any text.
 */
function holdersOf(id: string): readonly string[] {
  const holders: string[] = [];
  for (let at = id.indexOf('/'); at !== -1; at = id.indexOf('/', at + 1)) {
    holders.push(id.slice(0, at));
  }
  return holders;
}

export interface Placed {
  readonly action: ActionStory;
  readonly step: StepStory;
}

/** All actions with their steps, in the order of the steps. */
export function everyAction(story: Story): Placed[] {
  return story.steps.flatMap((step) => step.actions.map((action) => ({ action, step })));
}

function refusalOf({ action, step }: Placed): Refusal {
  const { outcome, input, address } = action;
  const isRefusal = outcome?.kind === 'refused' || outcome?.kind === 'failed';
  const clientOid = textAt(input, 'clientOid');
  return {
    address: plainText(address, 120),
    by: (isRefusal ? outcome.kind : step.status) === 'refused' ? 'exchange' : 'deskhand',
    what: wordsOf(action),
    code: isRefusal ? plainText(outcome.code, 40) : '',
    message: plainText(isRefusal ? outcome.message : (step.because ?? 'no reason is recorded')),
    ...(clientOid !== undefined && { clientOid: plainText(clientOid, 64) }),
  };
}

function doubtOf(action: ActionStory): Doubt {
  const { outcome, input, intents, operation, address, isOpen } = action;
  const clientOid = textAt(input, 'clientOid');
  const own = intents.filter(({ since }) => since === undefined);
  const sentAt = own.at(-1)?.signedAt;
  const unanswered =
    own.length === 0 && intents.length > 0
      ? 'a machine that never reported back may have sent it'
      : 'no response is recorded';
  const because = !isOpen && outcome?.kind === 'doubt' ? outcome.because : unanswered;
  return {
    address: plainText(address, 120),
    kind: doubtKinds.get(operation ?? '') ?? 'other',
    what: wordsOf(action),
    because: plainText(because),
    ...(clientOid !== undefined && { clientOid: plainText(clientOid, 64) }),
    ...(sentAt !== undefined && { sentAt }),
    attempts: own.length,
  };
}

const doubtKinds: ReadonlyMap<string, Doubt['kind']> = new Map([
  ['futures/place-order', 'order'],
  ['account/create-sub', 'sub-account'],
]);
