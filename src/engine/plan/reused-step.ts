/** A step of a plan that is not executed, because an earlier run did it. */
import { canonicalJson } from '../../base/json.ts';
import { count, listed, plainText } from '../../base/text.ts';
import { placesOrders } from '../../exchange/api/meant-order.ts';
import type { OperationName } from '../../exchange/api/operations/index.ts';
import type { Value } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import type { Reused, ReusedStep } from '../journal/reused.ts';
import type { PlannedStep } from './plan.ts';
import { valueOfResults } from './result-value.ts';

/** The reused steps of a run, by id. */
export function reusedById(reused: Reused | undefined): ReadonlyMap<string, ReusedStep> {
  return new Map(reused?.steps.map((step) => [step.id, step]));
}

/** The plan of a reused step: it has no effect, and its value is known. */
export function plannedReuse(
  step: Step,
  reused: ReusedStep,
  head: Omit<PlannedStep, 'actions'>,
): { readonly planned: readonly PlannedStep[]; readonly value: Value } {
  const change = { kind: 'reused' as const, because: reusedWords(reused) };
  const action = { address: step.path, input: {}, change };
  return {
    planned: [{ ...head, effect: 'local', actions: [action] }],
    value: valueOfReused(reused, step),
  };
}

/** The value of a reused step in expressions. */
export function valueOfReused({ status, results }: ReusedStep, step: Step): Value {
  return valueOfResults({ status, items: results }, step);
}

const wordsMax = 120; // characters of values in a line; the document of the plan has all

/** The record of a step in its run as text: its orders, its files, and its values. */
export function reusedWords({ run, status, results, writes = [], files = [] }: ReusedStep): string {
  const from = `reused from ${plainText(run, 60)}`;
  if (status === 'skipped') return `${from}: skipped`;
  const parts = [
    ...writtenWords(writes, files),
    ...valueWords(results, writes.length + files.length > 0),
  ];
  return parts.length === 0 ? from : `${from}: ${parts.join('; ')}`;
}

/** The writes and the files of an earlier run as texts. */
export function writtenWords(
  writes: NonNullable<ReusedStep['writes']>,
  files: NonNullable<ReusedStep['files']>,
): readonly string[] {
  return [
    ...(writes.length > 0 ? [writeWords(writes)] : []),
    ...files.map(({ file, rows }) => {
      return `${plainText(file, 160)}${rows === undefined ? '' : `, ${count(rows, 'row')}`}`;
    }),
  ];
}

/** `2 orders and 1 other write`. */
export function writeWords(writes: readonly { readonly operation: OperationName }[]): string {
  const orders = writes.filter(({ operation }) => placesOrders(operation)).length;
  const others = writes.length - orders;
  return listed([
    ...(orders > 0 ? [count(orders, 'order')] : []),
    ...(others > 0 ? [count(others, 'other write')] : []),
  ]);
}

/**
 * Notes about the writes of the earlier run in steps that are executed again: nothing takes them
 * back.
 */
export function againNotes(reused: Reused | undefined): readonly string[] {
  if (reused === undefined) return [];
  const { again = [], abandoned = [] } = reused;
  const run = plainText(reused.run, 60);
  return [
    ...(again.length > 0
      ? [
          `${writeWords(again)} of ${run} in what is executed again: they stay, beside what is sent now`,
        ]
      : []),
    ...(abandoned.length > 0
      ? [
          `${writeWords(abandoned)} that a person abandoned may exist, beside what is sent now: ${abandoned.map(({ address }) => plainText(address, 60)).join(', ')}`,
        ]
      : []),
  ];
}

/** The values of a step, in short; those of a write or a file only if it defines outputs. */
function valueWords(results: ReusedStep['results'], isBrief: boolean): readonly string[] {
  const [only] = results;
  if (results.length !== 1 || only === undefined || only.key !== undefined) {
    return results.length === 0 || isBrief ? [] : [count(results.length, 'item')];
  }
  if (isBrief && canonicalJson(only.outputs) === canonicalJson(only.response)) return [];
  const text = JSON.stringify(only.outputs);
  return text === 'null' ? [] : [plainText(text, wordsMax)];
}
