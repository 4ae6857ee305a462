/** Reads in a plan: made for real where nothing before them will change what they show. */
import type { Json } from '../base/json.ts';
import { checkInput } from '../contract/check.ts';
import { operationOf, type OperationName } from '../contract/operations/index.ts';
import { readAll } from '../contract/reading.ts';
import { windowsOf } from '../contract/windows.ts';
import { provenAt } from '../journal/replay.ts';
import { Unknown } from '../playbook/expression/value.ts';
import type { Step } from '../playbook/playbook.ts';
import type { PlannedItem, PlanningBench } from './bench.ts';
import type { Call } from './call.ts';
import { expectRequests } from './pace.ts';

/** What our own writes change at once: after one, these must not be read ahead of it. */
const movedByWrites: ReadonlySet<OperationName> = new Set<OperationName>([
  'order/list-open',
  'order/list-history',
  'futures/list-bills',
  'futures/list-adl-ranks',
]);

export async function planRead(step: Step, call: Call, bench: PlanningBench): Promise<PlannedItem> {
  const { address, operation } = call;
  const waitsFor = waitedFor(step, call, bench);
  const input = inputShown(call);
  const unknown = new Unknown(address);
  const { outcome } = provenAt(bench.proven, address);
  if (outcome?.kind === 'done' && step.write === undefined) {
    const change = { kind: 'read' as const, requests: 0 };
    const confidence = { kind: 'from-ledger' as const, run: bench.naming.run };
    return { response: outcome.output, action: { address, operation, input, change, confidence } };
  }
  if (call.unknown.size === 0) checkInput(operation, call.input);
  const requests = windowCount(operation, call, bench);
  if (waitsFor !== undefined || bench.isOffline || step.write !== undefined) {
    expectRequests(bench.expected, operation, requests);
    return {
      response: unknown,
      action: {
        address,
        operation,
        input,
        change: { kind: 'read', requests },
        confidence:
          waitsFor === undefined ? { kind: 'not-read' } : { kind: 'known-after', step: waitsFor },
      },
    };
  }
  const { answer, calls, rows } = await readAll(operation, call.input, {
    exchange: bench.exchange,
    options: { signal: bench.signal },
    now: bench.observedAt,
  });
  expectRequests(bench.expected, operation, calls);
  return {
    response: answer,
    action: {
      address,
      operation,
      input,
      change: { kind: 'read', requests: calls, ...(rows !== undefined && { rows }) },
      confidence: { kind: 'read-just-now' },
    },
  };
}

/** The step a read has to wait for: one whose value it uses, or a write that moves its answer. */
function waitedFor(step: Step, call: Call, bench: PlanningBench): string | undefined {
  const [used] = call.unknown.values();
  if (used !== undefined) return used;
  const needed = step.needs.find((id) => bench.writes.includes(id));
  if (needed !== undefined) return needed;
  return movedByWrites.has(call.operation) ? bench.writes.at(-1) : undefined;
}

function windowCount(operation: OperationName, call: Call, bench: PlanningBench): number {
  if (operationOf(operation).window === undefined || call.unknown.size > 0) return 1;
  return Math.max(1, windowsOf(operation, call.input, bench.observedAt).windows.length);
}

/** The input as the plan shows it: what is not known yet names the step it waits for. */
export function inputShown(call: Call): { readonly [field: string]: Json } {
  const waiting = [...call.unknown].map(([field, after]) => [field, { 'known-after': after }]);
  return { ...call.input, ...Object.fromEntries(waiting) };
}
