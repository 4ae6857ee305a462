/** Reads in a plan: made now, or left to the run if something happens before them. */
import type { Millis } from '../../base/clock.ts';
import type { Json, JsonRecord } from '../../base/json.ts';
import { operationOf, type OperationName } from '../../exchange/api/operations/index.ts';
import { checkRead, isWalked, readAll, type WholeAnswer } from '../../exchange/api/reading.ts';
import { windowsOf, type Windows } from '../../exchange/api/windows.ts';
import type { Address } from '../journal/entry.ts';
import { provenAt } from '../journal/replay.ts';
import { isTrue } from '../../language/expression/known.ts';
import { Unknown } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import type { PlannedContinuation, PlannedItem, PlanContext } from './plan-context.ts';
import type { Call } from './call.ts';
import type { Item } from './items.ts';
import { expectRequests } from './pace.ts';
import type { PlannedAction } from './plan.ts';
import { ReadError } from './read-failure.ts';
import { placeName } from './step-files.ts';
import { StalePlanError } from './stale.ts';
import { pathsIn, usedOf } from './uses.ts';

export async function planRead(
  step: Step,
  item: Item,
  call: Call,
  context: PlanContext,
): Promise<PlannedItem> {
  const { address, operation } = call;
  const base = { address, operation, input: inputShown(call) };
  const known = knownAnswer(step, call, context);
  if (known !== undefined) {
    const change = { kind: 'read' as const, requests: 0 };
    const confidence = { kind: 'from-ledger' as const, run: context.naming.run };
    return { response: known, action: { ...base, change, confidence } };
  }
  if (call.unknown.size === 0) checkRead(operation, call.input);
  const waitsFor = waitedFor(step, call, context);
  const isDue = waitsFor === undefined || (call.unknown.size === 0 && isRecorded(call, context));
  const isMadeNow = isDue && !context.isOffline && step.write === undefined;
  const found = isMadeNow
    ? await unlessLeft(step, context, () => answerTo(step, item, call, context))
    : undefined;
  if (found instanceof ReadError) return leftToRun(found, step, base, context);
  const continues = await unlessLeft(step, context, () => continuesFrom(step, item, call, context));
  if (continues instanceof ReadError) return leftToRun(continues, step, base, context);
  const sent = continues ? { ...call, input: startingAt(call, continues.start) } : call;
  const requests = found?.calls ?? windowCount(operation, sent, context);
  expectRequests(context.expected, operation, requests);
  if (found === undefined) {
    const response = new Unknown(address);
    noteLater(step, address, context);
    if (waitsFor !== undefined) defer(step, call, waitsFor, context);
    const confidence: PlannedAction['confidence'] =
      waitsFor === undefined ? { kind: 'not-read' } : { kind: 'known-after', step: waitsFor };
    const range = rangeOf(operation, sent, context);
    const change = {
      kind: 'read' as const,
      requests,
      ...(range && { range }),
      ...(continues && { continues: continuesShown(continues) }),
    };
    return { response, action: { ...base, change, confidence } };
  }
  const { answer, rows, range = rangeOf(operation, call, context) } = found;
  return {
    response: answer,
    action: {
      ...base,
      change: {
        kind: 'read',
        requests,
        ...(rows !== undefined && { rows }),
        ...(range && { range: { from: range.from, to: range.to } }),
      },
      confidence: { kind: 'read-just-now' },
    },
  };
}

/** Where a read with `since: last` will continue, if the files are on this machine and its input is known. */
async function continuesFrom(
  step: Step,
  { scope }: Item,
  { address, input, unknown }: Call,
  { here, naming, recorded, observedAt: now }: PlanContext,
): Promise<PlannedContinuation | undefined> {
  const isKnown = unknown.size === 0 && placeName(step, scope, '_') !== undefined;
  if (step.write?.since === undefined || !isKnown) return undefined;
  const failed = failedIn(recorded?.actions.get(address));
  if (failed !== undefined) throw ReadError.recorded(step, address, failed);
  if (recorded !== undefined) return undefined;
  try {
    return await here?.continuationOf({ step, scope, input, destination: naming.destination, now });
  } catch (error) {
    throw ReadError.at(step, address, error);
  }
}

function startingAt({ operation, input }: Call, start: Millis): JsonRecord {
  const { window } = operationOf(operation);
  return window === undefined ? input : { ...input, [window.start]: String(start) };
}

function continuesShown({ from, gaps }: PlannedContinuation) {
  return {
    ...(from !== undefined && { from }),
    ...(gaps.length > 0 && { gaps: [...gaps] }),
  };
}

/** The response that a resumed run already has, itself or from its plan. */
function knownAnswer(step: Step, { address }: Call, context: PlanContext): Json | undefined {
  if (step.write !== undefined) return undefined;
  const recorded = recordedAt(address, context);
  return recorded === undefined ? context.frozen.get(address) : recorded;
}

/** The recorded response of a resumed run, unless the run's reads are repeated for comparison. */
export function recordedAt(
  address: Address,
  { decisions, rereads }: PlanContext,
): Json | undefined {
  const { outcome } = provenAt(decisions.known, address);
  return outcome?.kind === 'done' && rereads !== true ? outcome.output : undefined;
}

/** Whether a read of the run is made again, whatever its other steps still do. */
function isRecorded({ address }: Call, { decisions, rereads }: PlanContext): boolean {
  return rereads === true && provenAt(decisions.known, address).outcome?.kind === 'done';
}

/** A response, or the values of a response that a plan stores. */
type Found = Omit<WholeAnswer, 'answer'> & { readonly answer: Json | Unknown };

/** A part of a read, or its failure if that is left to the run. @throws ReadError for any other failure */
async function unlessLeft<T>(
  { onError }: Step,
  { mayFail }: PlanContext,
  work: () => Promise<T>,
): Promise<T | ReadError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ReadError && (onError !== 'stop' || mayFail === true)) return error;
    throw error;
  }
}

/** A read that fails now. The run reads it again: until then neither its values nor its failure are known. */
function leftToRun(
  { words }: ReadError,
  step: Step,
  action: Pick<PlannedAction, 'address' | 'operation' | 'input'> & {
    readonly operation: OperationName;
  },
  context: PlanContext,
): PlannedItem {
  const { address, operation } = action;
  noteLater(step, address, context);
  expectRequests(context.expected, operation, 1);
  const change = { kind: 'read' as const, requests: 1, failed: words };
  const confidence = { kind: 'not-read' as const };
  return { response: new Unknown(address), action: { ...action, change, confidence } };
}

/** The current response of the read; undefined if it would poll. */
async function answerTo(
  step: Step,
  item: Item,
  call: Call,
  context: PlanContext,
): Promise<Found | undefined> {
  const { address } = call;
  const uses = context.uses.get(step.id);
  const found = context.recorded
    ? await recordedAnswer(step, call, context)
    : await read(step, call, context);
  if (found === undefined) return waitFor(step, context);
  const { answer } = found;
  if (step.until !== undefined) {
    const scope = { ...item.scope, response: answer };
    if (!step.until.evaluate(scope).known || !isTrue(step.until, scope)) {
      return waitFor(step, context);
    }
  }
  if (uses !== undefined && !(answer instanceof Unknown)) {
    context.reads.set(address, usedOf(answer, [uses]));
  }
  return found;
}

/** Marks a read that is made only during the run. */
function waitFor({ path }: Step, { pending }: PlanContext): undefined {
  if (!pending.includes(path)) pending.push(path);
}

/** Makes a read. @throws ReadError */
async function read(
  step: Step,
  { address, operation, input }: Call,
  context: PlanContext,
): Promise<WholeAnswer> {
  const { exchange, observedAt: now, signal, publicReads } = context;
  try {
    return await publicReads.answerTo(operation, input, () =>
      readAll(operation, input, { exchange, options: { signal }, now }),
    );
  } catch (error) {
    throw ReadError.at(step, address, error);
  }
}

/**
 * The part of the response in the recomputed plan, with the current response for comparison.
 * @throws StalePlanError when it lacks values that expressions use
 */
async function recordedAnswer(
  step: Step,
  call: Call,
  context: PlanContext,
): Promise<Found | undefined> {
  const { address, operation } = call;
  const uses = context.uses.get(step.id);
  const failed = failedIn(context.recorded?.actions.get(address));
  if (failed !== undefined) {
    if (context.fresh === undefined) throw ReadError.recorded(step, address, failed);
    const now = await read(step, call, context);
    return { ...now, answer: new Unknown(address) };
  }
  const values = context.recorded?.reads.get(address);
  if (uses !== undefined && values === undefined) {
    if (step.until !== undefined) return undefined;
    if (context.recorded?.isLocal === true)
      return { answer: new Unknown(address), calls: windowCount(operation, call, context) };
    throw new StalePlanError(`the plan does not have the values that ${address} read`);
  }
  const now = context.fresh && (await read(step, call, context));
  if (now !== undefined && uses !== undefined) {
    context.fresh?.reads.set(address, { operation, uses, values: usedOf(now.answer, [uses]) });
  }
  const answer = values ?? new Unknown(address);
  return { ...now, answer, calls: now?.calls ?? windowCount(operation, call, context) };
}

/** The failure of a read in the recomputed plan. */
function failedIn(action: PlannedAction | undefined): string | undefined {
  return action?.change.kind === 'read' ? action.change.failed : undefined;
}

/** Records values that are known only during the run. */
export function noteLater({ id }: Step, address: string, context: PlanContext): void {
  const uses = context.uses.get(id);
  if (uses !== undefined) context.readLater.set(address, pathsIn(uses));
}

/** The step a read must wait for: one whose value it uses, or one that takes time. */
function waitedFor(step: Step, call: Call, { pending }: PlanContext): string | undefined {
  const [used] = call.unknown.values();
  return used ?? step.needs.find((id) => pending.includes(id)) ?? pending.at(-1);
}

/** Records what a read waits for, so that a plan can say what makes its values known. */
function defer(step: Step, { address, unknown }: Call, after: string, context: PlanContext): void {
  const { pending, deferredReads } = context;
  if (step.write !== undefined || step.until !== undefined) return;
  const { path } = step;
  const read = { path, after, usesIt: unknown.size > 0, first: pending[0] ?? after };
  deferredReads.set(address, read);
  deferredReads.set(path, read);
}

function windowCount(operation: OperationName, call: Call, context: PlanContext): number {
  return Math.max(1, plannedWindows(operation, call, context).windows.length);
}

/** The time range of a read that is not made yet. */
function rangeOf(
  operation: OperationName,
  call: Call,
  context: PlanContext,
): { readonly from: Millis; readonly to: Millis } | undefined {
  const available = plannedWindows(operation, call, context).range?.available;
  return available && { from: available.start, to: available.end };
}

function plannedWindows(operation: OperationName, call: Call, context: PlanContext): Windows {
  if (call.unknown.size > 0 || !isWalked(operation, call.input)) return { windows: [] };
  return windowsOf(operation, call.input, context.observedAt);
}

/** The input as shown in the plan: an unknown value names the step it waits for. */
export function inputShown(call: Pick<Call, 'input' | 'unknown'>): JsonRecord {
  const waiting = [...call.unknown].map(([field, after]) => [field, { 'known-after': after }]);
  return { ...call.input, ...Object.fromEntries(waiting) };
}
