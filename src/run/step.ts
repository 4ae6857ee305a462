/** One step: its items in order, as many at once as it allows, until one of them stops it. */
import { operationOf } from '../contract/operations/index.ts';
import { futuresLines, type FuturesLine } from '../contract/vocabulary.ts';
import type { StepStatus } from '../journal/entry.ts';
import { itemsOf, type Item } from '../plan/items.ts';
import { evaluateTemplate } from '../playbook/expression/evaluate.ts';
import { EvaluationError, type Scope } from '../playbook/expression/value.ts';
import type { Step } from '../playbook/playbook.ts';
import { benchFor } from './account.ts';
import { InterruptedError, type Bench } from './bench.ts';
import { isTrue } from './condition.ts';
import { runItem } from './item.ts';
import {
  failureFrom,
  gravest,
  skippedItem,
  type Failure,
  type ItemResult,
  type StepResult,
} from './outcome.ts';
import { failureOf, readOrders } from './perform.ts';

/** Runs a step and closes it in the journal. @throws DiskError; InterruptedError is a result */
export async function runStep(step: Step, scope: Scope, bench: Bench): Promise<StepResult> {
  const result = await tryStep(step, scope, bench);
  await bench.recorder.record({
    kind: 'closed',
    step: step.path,
    status: result.status,
    ...(result.because !== undefined && { because: result.because }),
  });
  return result;
}

async function tryStep(step: Step, scope: Scope, bench: Bench): Promise<StepResult> {
  try {
    if (bench.drain.aborted) throw new InterruptedError();
    if (isSkippedWhole(step, scope)) {
      return { status: 'skipped', because: 'its condition is false', items: [] };
    }
    const found = itemsOf(step, scope);
    if ('after' in found)
      throw new EvaluationError(`its items are known only after ${found.after}`);
    await bench.recorder.record({
      kind: 'opened',
      step: step.path,
      ...(step.path !== step.id && { uses: step.uses }),
      ...keysOf(found.items),
    });
    await askTheExchange(step, found.items, bench);
    return resultOf(await runItems(step, found.items, bench));
  } catch (error) {
    if (error instanceof InterruptedError) return { status: 'interrupted', items: [] };
    const failure = failureFrom(step.path, step.path, failureOf(error));
    if (failure === undefined) throw error;
    return { status: failure.status, because: failure.message, items: [], failure };
  }
}

/** A condition that does not look at `each` decides for the whole step. */
function isSkippedWhole(step: Step, scope: Scope): boolean {
  if (step.condition === undefined) return false;
  const looksAtItem = step.condition.references.some(({ root }) => root === 'each');
  return !looksAtItem && !isTrue(step.condition, scope);
}

function keysOf(items: readonly Item[]): { readonly items?: readonly string[] } {
  const keys = items.map(({ key }) => key).filter((key) => key !== undefined);
  return keys.length === items.length && items.length > 0 && items[0]?.key !== undefined
    ? { items: keys }
    : {};
}

/** Orders that are once per playbook are looked up on the exchange before the first is sent. */
async function askTheExchange(step: Step, items: readonly Item[], bench: Bench): Promise<void> {
  if (bench.playback || step.oncePer !== 'playbook' || step.action.kind !== 'call') return;
  if (operationOf(step.action.operation).effect !== 'keyed') return;
  const asked = new Map<Bench['orders'], Set<string>>();
  for (const item of items) {
    const own = benchFor(step, item, bench);
    const lines = asked.get(own.orders) ?? new Set();
    asked.set(own.orders, lines);
    const line = lineOf(step, item);
    if (line === undefined || lines.has(line)) continue;
    lines.add(line);
    await readOrders(line, own);
  }
}

function lineOf(step: Step, { scope }: Item): FuturesLine | undefined {
  const template = step.with.get('productType');
  const found = template && evaluateTemplate(template, scope);
  return futuresLines.find((line) => found?.known === true && found.value === line);
}

async function runItems(step: Step, items: readonly Item[], bench: Bench): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  let next = 0;
  let isStopped = false;
  const worker = async (): Promise<void> => {
    while (!isStopped && next < items.length) {
      const index = next++;
      const item = items[index];
      if (item === undefined) return;
      const result = await runItem(step, item, bench).catch(interruptedAsResult(item));
      results[index] = result;
      if (result.failure && (step.onError === 'stop' || result.status === 'doubt'))
        isStopped = true;
      if (result.status === 'interrupted') isStopped = true;
    }
  };
  const outcomes = await Promise.allSettled(
    Array.from({ length: Math.min(step.parallel, Math.max(1, items.length)) }, worker),
  );
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return results.filter((result) => result !== undefined);
}

function interruptedAsResult(item: Item): (error: unknown) => ItemResult {
  return (error) => {
    if (!(error instanceof InterruptedError)) throw error;
    return { ...skippedItem('interrupted', item.key), status: 'interrupted' };
  };
}

function resultOf(items: readonly ItemResult[]): StepResult {
  const failures = items.map(({ failure }) => failure).filter((failure) => failure !== undefined);
  const failure = gravest(failures);
  if (failure !== undefined) return failed(items, failure);
  const status: StepStatus = items.some((item) => item.status === 'interrupted')
    ? 'interrupted'
    : items.length > 0 && items.every((item) => item.status === 'skipped')
      ? 'skipped'
      : 'done';
  const because = items.find((item) => item.because !== undefined)?.because;
  const abandoned = items.find((item) => item.abandoned !== undefined)?.abandoned;
  return {
    status,
    items,
    ...(status === 'skipped' && because !== undefined && { because }),
    ...(abandoned && { abandoned }),
  };
}

function failed(items: readonly ItemResult[], failure: Failure): StepResult {
  return { status: failure.status, because: failure.message, items, failure };
}
