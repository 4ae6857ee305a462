/** Two of the five answers: refused writes, and doubts. */
import type { Millis } from '../base/clock.ts';
import { count, plainText } from '../base/text.ts';
import { keyIn, placesOrders } from '../exchange/api/meant-order.ts';
import { operationOf, type OperationName } from '../exchange/api/operations/index.ts';
import { lookupLines, openText } from '../engine/journal/doubt.ts';
import type { Outcome } from '../engine/journal/entry.ts';
import { accountField, onAccounts } from './accounts.ts';
import type { ActionStory, StepStory, Story } from './story.ts';
import { dayOf, stateOf, timeOf, wordsOf } from './words.ts';

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
  /** Profile of the action's account, in a run with several accounts; `what` ends with it. */
  readonly account?: string;
  readonly by: 'exchange' | 'deskhand';
  readonly what: string;
  /** The code of the exchange, or of deskhand; '' if none is recorded. */
  readonly code: string;
  readonly message: string;
  readonly clientOid?: string;
}

/** An action with an unknown outcome: every screen shows it in the order of these fields. */
export interface Doubt {
  readonly address: string;
  /** Profile of the action's account, in a run with several accounts; `what` ends with it. */
  readonly account?: string;
  readonly kind: 'order' | 'sub-account' | 'other';
  readonly what: string;
  readonly clientOid?: string;
  /** The time when it was sent, as text. */
  readonly sent: string;
  /** Why the outcome is unknown; never the text of a failed read. */
  readonly because: string;
  /**
   * The rows that each list of the exchange showed and up to which exchange time, or how its read
   * failed.
   */
  readonly lists: readonly string[];
  /**
   * The way to settle the doubt: lists of the exchange, a resume that sets the state again, or only
   * a person.
   */
  readonly settledBy: 'lists' | 'resume' | 'person';
  /** The way to settle the doubt, in words. */
  readonly settles: string;
  /** When the last attempt was signed, by the exchange's clock; unknown for a lost machine. */
  readonly sentAt?: Millis;
  /** Attempts in this journal; a lost machine may have made others. */
  readonly attempts: number;
}

export function refusalsOf(story: Story): Refusal[] {
  return everyAction(story)
    .filter(({ action, step }) => /^(?:refused|failed)$/.test(stateOf(action, step)))
    .map(refusalOf);
}

/**
 * The doubts of a run. A step with a nested playbook is not listed in addition to the doubts in that
 * playbook.
 */
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
  const { outcome, operation, input, address } = action;
  const isRefusal = outcome?.kind === 'refused' || outcome?.kind === 'failed';
  const clientOid = operation && keyIn(operation, input);
  return {
    address: plainText(address, 120),
    ...accountField(action.account),
    by: (isRefusal ? outcome.kind : step.status) === 'refused' ? 'exchange' : 'deskhand',
    what: `${wordsOf(action)}${onAccounts([action])}`,
    code: isRefusal ? plainText(outcome.code, 40) : '',
    message: plainText(isRefusal ? outcome.message : (step.because ?? 'no reason is recorded')),
    ...(clientOid !== undefined && { clientOid: plainText(clientOid, 64) }),
  };
}

function doubtOf(action: ActionStory): Doubt {
  const { outcome, input, intents, operation, address, isOpen } = action;
  const clientOid = operation && keyIn(operation, input);
  const own = intents.filter(({ since }) => since === undefined);
  const sentAt = own.at(-1)?.signedAt;
  const recorded = !isOpen && outcome?.kind === 'doubt' ? outcome : undefined;
  const since = intents.at(-1)?.seq ?? 0;
  const answered = action.answers.findLast((one) => one.seq > since && one.operation === operation);
  return {
    address: plainText(address, 120),
    ...accountField(action.account),
    kind: kindOf(operation),
    what: `${wordsOf(action)}${onAccounts([action])}`,
    ...(clientOid !== undefined && { clientOid: plainText(clientOid, 64) }),
    sent: sentWords(own.length, sentAt, intents.length > 0),
    because: plainText(recorded?.because ?? openText(answered)),
    lists: listsOf(action, recorded),
    settledBy: settlerOf(operation),
    settles: settlerWords[settlerOf(operation)],
    ...(sentAt !== undefined && { sentAt }),
    attempts: own.length,
  };
}

function sentWords(attempts: number, sentAt: Millis | undefined, isPossible: boolean): string {
  if (sentAt === undefined) {
    return isPossible ? 'perhaps, by a machine that never reported back' : 'not by this run';
  }
  return `${dayOf(sentAt)} ${timeOf(sentAt)} UTC, ${count(attempts, 'attempt')}`;
}

function listsOf(
  { operation, waits }: ActionStory,
  recorded: Extract<Outcome, { readonly kind: 'doubt' }> | undefined,
): readonly string[] {
  if (recorded?.lookup !== undefined) {
    return lookupLines(recorded.lookup).map((line) => plainText(line));
  }
  if (!placesOrders(operation)) return ['none shows such a write'];
  if (recorded !== undefined) return ['nothing is recorded of what they said'];
  const looks = waits.filter(({ why }) => why === 'look-up');
  const said = plainText(looks.at(-1)?.because ?? '', 160);
  return [
    looks.length === 0 ? 'not read for it yet' : `in ${count(looks.length, 'look')}: ${said}`,
  ];
}

/**
 * The way to settle a doubt, by the class of its operation: an order has lists, a set may be
 * repeated, for the rest a person must decide.
 */
function settlerOf(operation: OperationName | undefined): Doubt['settledBy'] {
  if (placesOrders(operation)) return 'lists';
  const isSet = operation !== undefined && operationOf(operation).effect === 'set';
  return isSet ? 'resume' : 'person';
}

const settlerWords: Readonly<Record<Doubt['settledBy'], string>> = {
  lists: 'a list that shows its clientOid (resume reads them again), or your own finding (resolve)',
  resume: 'resume, which sets it again: that is harmless',
  person: 'your own finding (resolve)',
};

function kindOf(operation: OperationName | undefined): Doubt['kind'] {
  if (placesOrders(operation)) return 'order';
  return operation === 'account/create-sub' ? 'sub-account' : 'other';
}
