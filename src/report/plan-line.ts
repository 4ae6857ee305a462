/** The lines of a plan as data: the effect of each, its numbers, and how certain it is. */
import { endedBy, stateSetBy } from '../exchange/api/operations/index.ts';
import { decimal, isDecimalText, roundTo, wholeDecimal, zero } from '../base/decimal.ts';
import { count, plainText } from '../base/text.ts';
import { readNow } from '../engine/plan/evidence.ts';
import type { Change, Confidence, Plan, PlannedAction, PlannedStep } from '../engine/plan/plan.ts';
import { onAccounts } from './accounts.ts';
import { changeSigns } from './plan-columns.ts';
import { groupedNumber, stateChange } from './request-text.ts';
import { localWords, money, plannedWords, readWords, exactTime, gapWords } from './words.ts';

/** The words for each confidence, and whether it needs attention. */
const confidenceWords: Readonly<
  Record<Confidence['kind'], { readonly words: string; readonly isWarning?: true }>
> = {
  'read-just-now': { words: 'read just now' },
  'from-ledger': { words: 'from ledger' },
  'cannot-be-read-back': { words: 'cannot be read back', isWarning: true },
  'not-read': { words: 'not read yet' },
  'known-after': { words: 'known after' },
};

/** The numbers of an order; all are absent for any other action. */
export interface OrderNumbers {
  readonly mark?: string;
  readonly distance?: string;
  readonly notional?: string;
  /** Whether the price is more than 5 % away from the mark price. */
  readonly isFar: boolean;
}

/** How certain an effect is. */
export interface Certainty {
  /** The certainty as text: `read with the plan, no undo`; '' if the plan has none. */
  readonly certainty: string;
  readonly isWarning: boolean;
}

export interface PlanLine extends OrderNumbers, Certainty {
  readonly step: string;
  readonly kind: Change['kind'];
  readonly sign: string;
  /** The request as text: every field that is not the default. */
  readonly text: string;
  /** Details of the line: why nothing is done, the note of the planner, and the file that is written. */
  readonly details: readonly string[];
}

const far = decimal('0.05');

/** Every effect of a plan, in its order. */
export function planLines({ steps }: Plan): readonly PlanLine[] {
  return steps.flatMap((step) => step.actions.map((action) => planLine(action, step)));
}

export function planLine(action: PlannedAction, step: PlannedStep): PlanLine {
  const { change, note } = action;
  const words = action.operation === undefined ? localWords(action) : plannedWords(action);
  return {
    step: plainText(action.address, 120),
    kind: change.kind,
    sign: changeSigns[change.kind].drawn,
    text: `${words}${onAccounts([action])}`,
    details: [
      ...('because' in change ? [plainText(change.because, 300)] : []),
      ...(change.kind === 'set' ? setWords(action) : []),
      ...(change.kind === 'read' ? plannedReadWords(change) : []),
      ...(change.kind === 'later' ? [laterNote] : []),
      ...fileWords(action.file ?? step.file),
      ...(note === undefined ? [] : [plainText(note, 300)]),
    ],
    ...orderNumbers(action),
    ...certaintyOf(action, 'read with the plan'), // a page may be read long after that
  };
}

export function orderNumbers({ order, change }: PlannedAction): OrderNumbers {
  if (order === undefined || change.kind === 'none') return { isFar: false };
  const { mark, distance, notional } = order;
  return {
    ...(mark !== undefined && { mark: groupedNumber(mark) }),
    ...(distance !== undefined && { distance: percentOf(distance) }),
    notional: isDecimalText(notional) ? money(decimal(notional)) : notional,
    isFar: distance !== undefined && decimal(distance).abs().gt(far),
  };
}

/** The state before and after a write: `5× → 7×`, `live → cancelled`, and how the state before is known. */
export function setWords({ change, input, operation }: PlannedAction): readonly string[] {
  if (change.kind !== 'set') return [];
  const { value, because } = change.was ?? {};
  // The certainty of the line says already that it was read.
  const known = because === undefined || because === readNow ? [] : [plainText(because, 200)];
  const sets = stateSetBy(operation);
  if (sets !== undefined) return [stateChange(sets, value, input), ...known];
  if (endedBy(operation) === undefined) return [];
  return [...(value === undefined ? [] : [plainText(value, 100)]), ...known];
}

/** A read of a plan in words: its requests and its rows, or why it failed while the plan was made. */
export function plannedReadWords(
  change: Extract<Change, { readonly kind: 'read' }>,
): readonly string[] {
  const { rows, failed } = change;
  if (failed !== undefined) {
    return [`failed now: ${plainText(failed, 200)}; the run reads it again`];
  }
  return [
    ...readWords(change),
    ...continuesWords(change),
    ...(rows === undefined ? [] : [`${count(rows, 'row')} now`]),
  ];
}

/** Where a read with `since: last` continues, and what is lost before it. */
function continuesWords({
  continues,
}: Extract<Change, { readonly kind: 'read' }>): readonly string[] {
  if (continues === undefined) return [];
  const { from, gaps = [] } = continues;
  const begin =
    from === undefined ? 'no file to continue yet' : `continues from ${exactTime(from)} UTC`;
  return [begin, ...(gaps.length === 0 ? [] : [gapWords(gaps)])];
}

/** The note of an action whose items only the run reads. */
export const laterNote = 'known only during the run';

function fileWords(file: string | undefined): readonly string[] {
  return file === undefined ? [] : [`writes ${plainText(file, 200)}`];
}

/**
 * The certainty of an effect. Writes cannot be undone, and the text of each says so.
 * @param justRead the words for a read that was made for the plan
 */
export function certaintyOf(
  { confidence, change }: PlannedAction,
  justRead = confidenceWords['read-just-now'].words,
): Certainty {
  if (confidence === undefined) return { certainty: '', isWarning: false };
  const known = knownWords(confidence, justRead);
  const isWrite = change.kind === 'create' || change.kind === 'set';
  return {
    certainty: isWrite ? `${known}, no undo` : known,
    isWarning: confidenceWords[confidence.kind].isWarning === true,
  };
}

function knownWords(confidence: Confidence, justRead: string): string {
  const { words } = confidenceWords[confidence.kind];
  switch (confidence.kind) {
    case 'read-just-now':
      return justRead;
    case 'from-ledger':
      return `${words}, run ${plainText(confidence.run, 40)}`;
    case 'known-after':
      return `${words} ${plainText(confidence.step, 80)}`;
    case 'cannot-be-read-back':
    case 'not-read':
      return words;
  }
}

/** A ratio in percent, such as `+0.83 %`. */
export function percentOf(distance: string): string {
  const ratio = decimal(distance);
  const percent = roundTo(ratio.times(wholeDecimal(100)), 2, 'half-up').toFixed(2);
  return `${ratio.gt(zero) ? '+' : ''}${percent} %`;
}
