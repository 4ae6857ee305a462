/** One action of a plan for a person: its effect, its numbers, and its confidence. */
import { isRecord } from '../../base/json.ts';
import { plainText } from '../../base/text.ts';
import { placesOrders } from '../../exchange/api/meant-order.ts';
import {
  operationOf,
  stateSetBy,
  type OperationName,
} from '../../exchange/api/operations/index.ts';
import type { PlannedAction } from '../../engine/plan/plan.ts';
import { onAccounts } from '../accounts.ts';
import { changeSigns } from '../plan-columns.ts';
import { certaintyOf, laterNote, orderNumbers, plannedReadWords, setWords } from '../plan-line.ts';
import { targetWords, wordAt } from '../request-text.ts';
import { localWords, plannedWords } from '../words.ts';
import { padEnd } from './columns.ts';
import type { Theme } from './theme.ts';

export interface Row {
  /** The sign and text of the action, its account and reason; wrapped if it does not fit. */
  readonly text: string;
  /** Mark price, distance and notional of an order. */
  readonly numbers: readonly string[];
  /** The confidence of the action; '' if the plan has none. */
  readonly mark: string;
}

/** The row of an action. @param width of the names at the start of rows without an order */
export function rowOf(action: PlannedAction, width: number, theme: Theme): Row {
  const { change } = action;
  const where = onAccounts([action]);
  const reason = 'because' in change ? `  ${plainText(change.because)}` : '';
  const sign = signOf(action, theme);
  return {
    text: `${sign} ${wordsIn(action, width, theme)}${where && ` ${where}`}${reason}`.trimEnd(),
    numbers: numbersOf(action, theme),
    mark: markOf(action, theme),
  };
}

/** The first column of a row without an order; '' for an order. */
export function nameOf({ key, operation, input, address }: PlannedAction): string {
  if (placesOrders(operation)) return '';
  if (key !== undefined) return plainText(key);
  const sets = stateSetBy(operation);
  return sets === undefined ? plainText(address) : targetWords(sets, input);
}

/** Whether the row shows an order's numbers. */
export function isPriced({ order, change }: PlannedAction): boolean {
  return order !== undefined && change.kind !== 'none';
}

function wordsIn(action: PlannedAction, width: number, theme: Theme): string {
  if (placesOrders(action.operation)) return plannedWords(action);
  const file = action.file === undefined ? '' : `writes ${plainText(action.file)}`;
  const details = [detailOf(action, theme), file].filter((words) => words !== '').join(', ');
  return `${padEnd(nameOf(action), width)}  ${details}`.trimEnd();
}

function numbersOf(action: PlannedAction, theme: Theme): string[] {
  if (!isPriced(action)) return [];
  const { mark = '', distance = '', notional = '', isFar } = orderNumbers(action);
  return [mark, isFar ? theme.paint('bad', distance) : distance, notional];
}

function signOf({ change }: PlannedAction, { paint, style }: Theme): string {
  const { tone, ...sign } = changeSigns[change.kind];
  return tone === undefined ? sign[style] : paint(tone, sign[style]);
}

function detailOf(action: PlannedAction, theme: Theme): string {
  const { change, operation, input } = action;
  switch (change.kind) {
    case 'read': {
      const words = plannedReadWords(change).join(', ');
      return change.failed === undefined ? `reads, ${words}` : words;
    }
    case 'set':
    case 'create':
    case 'none':
      return operation === undefined ? '' : writeWords(action, theme);
    case 'later':
      return [localWords({ input }), laterNote].filter((word) => word !== '').join(', ');
    case 'local':
    case 'outbound':
      return localWords({ input });
    case 'skip':
    case 'reused':
      return localWords({ input });
  }
}

/** The text of a write: every field, and the state that it replaces. */
function writeWords(action: PlannedAction, theme: Theme): string {
  const words = plannedWords(action);
  const { change, input, operation } = action;
  const sets = stateSetBy(operation);
  if (sets === undefined) return [words, ...setWords(action)].join(', ');
  const [, ...terms] = words.split(', ');
  const [shown = `${wordAt(input, sets.value)}${sets.unit}`, ...known] = setWords(action);
  const target = targetWords(sets, input);
  const state = shown.replace('→', theme.glyphs.arrow);
  const painted = change.kind === 'set' ? theme.paint('warn', state) : state;
  const line = nameOf(action) === target ? '' : `${target} `;
  return [`${line}${sets.value} ${painted}`, ...terms, ...known].join(', ');
}

function markOf(action: PlannedAction, theme: Theme): string {
  const { certainty, isWarning } = certaintyOf(action);
  return certainty === '' ? '' : theme.paint(isWarning ? 'warn' : 'faint', `[${certainty}]`);
}

/** The features that two rows must have in common to be grouped: everything except numbers and names. */
export function kindOf({ operation, change, account, input }: PlannedAction): string {
  const fields = isRecord(input) ? Object.entries(input) : [];
  const isWrite = operation !== undefined && operationOf(operation).effect !== 'read';
  const own = operation === undefined ? new Set() : ownFields(operation);
  const alike = fields
    .filter(([field]) => isWrite || field === 'symbol')
    .map(([field, value]) => [field, own.has(field) ? '' : value]);
  return JSON.stringify([operation, change.kind, account, Object.fromEntries(alike)]);
}

/** Fields in which rows of a group may differ. */
function ownFields(operation: OperationName): ReadonlySet<string | undefined> {
  const { key, uniqueBy, keyed } = operationOf(operation);
  return new Set([key, uniqueBy, keyed?.fields.size, ...(keyed?.checked.prices ?? [])]);
}
