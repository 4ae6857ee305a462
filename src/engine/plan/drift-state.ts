/** A state that a run set, compared with what the account shows now. */
import { fieldOf, isRecord, type Json } from '../../base/json.ts';
import { keyedWriteOf } from '../../exchange/api/meant-order.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { showsOnly, stateWords } from '../../exchange/api/shown-state.ts';
import { valueSet } from '../journal/states.ts';
import type { RecordedWrite } from '../journal/writes.ts';
import type { Observer } from './observe.ts';
import { failureOf } from './read-failure.ts';

interface Shown {
  readonly kind: 'same' | 'differs' | 'doubt' | 'unreadable';
  readonly shown: string;
}

/** @param observer the account of the write; absent if it is not open */
export async function stateShown(
  write: RecordedWrite,
  observer: Observer | undefined,
): Promise<Shown> {
  const { operation, input, outcome } = write;
  const { sets } = operationOf(operation);
  const isOpen = outcome === undefined || outcome.kind === 'doubt';
  const unreadable = (shown: string): Shown => ({ kind: isOpen ? 'doubt' : 'unreadable', shown });
  if (sets?.shownBy === undefined || !isRecord(input) || observer === undefined) {
    return unreadable('no operation of the exchange can read it back');
  }
  try {
    const state = await observer.state({ operation, input });
    if (state === undefined) return unreadable('the account does not show it');
    const shown = stateWords(state, sets.unit);
    if (isOpen) return { kind: 'doubt', shown: `the account shows ${shown}` };
    const value = valueSet(operation, input);
    const isSame = outcome.kind !== 'done' || (value !== undefined && showsOnly(state, value));
    return { kind: isSame ? 'same' : 'differs', shown };
  } catch (error) {
    const failure = failureOf(error);
    const words = 'code' in failure ? `: ${failure.code} ${failure.message}` : '';
    return unreadable(`it cannot be read${words}`);
  }
}

/** The state that a write set, as text; none for a write that sets none. */
function recordedState(operation: OperationName, input: Json): readonly string[] {
  const { sets } = operationOf(operation);
  const value = valueSet(operation, input);
  if (sets === undefined || value === undefined) return [];
  const words = sets.target.map((field) => fieldOf(input, field));
  const target = words.filter((word) => typeof word === 'string');
  return [[...target, `${value}${sets.unit}`].join(' ')];
}

/** The record of a write as text: the value it set or the order it placed, and its outcome. */
export function recordedWords({ outcome, input, operation }: RecordedWrite): string {
  const words = outcome === undefined ? 'sent, outcome unknown' : outcomeWords(outcome);
  return [...requestWords(operation, input), words].join(', ');
}

/** The value that a write sets or the order that it places, as text; none for another write. */
export function requestWords(operation: OperationName, input: Json): readonly string[] {
  const keyed = keyedWriteOf(operation);
  if (keyed === undefined) return recordedState(operation, input);
  if (input === null || typeof input !== 'object') return [];
  const { symbol, side, size, price } = keyed.fields;
  const text = (field: string): string => String(Reflect.get(input, field) ?? '');
  const at = text(price) === '' ? 'at market' : `@ ${text(price)}`;
  return [`${text(symbol)} ${text(side)} ${text(size)} ${at}`];
}

function outcomeWords(outcome: NonNullable<RecordedWrite['outcome']>): string {
  switch (outcome.kind) {
    case 'done':
      return 'done';
    case 'doubt':
      return 'in doubt';
    case 'skipped':
      return 'abandoned by a person';
    case 'refused':
    case 'failed':
      return `${outcome.kind}: ${outcome.code}`;
  }
}
