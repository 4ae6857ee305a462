/** A run for programs: entries as they happen, or one object at the end. */
import type { Entry } from '../../journal/entry.ts';
import type { OrderLine } from '../../report/orders.ts';
import type { StepLine } from '../../report/step-lines.ts';
import type { Summary } from '../../report/summary.ts';
import type { RunResult } from '../../interpreter/interpret.ts';
import type { RunOutput } from '../output/run.ts';
import type { Screen } from './screen.ts';
import type { Channel } from './terminal.ts';

const version = 1; // of both objects; their schemas are in schemas/

/** One line per entry. */
export function entriesScreen(out: Channel): Screen {
  return {
    recall: () => undefined,
    show: (entry: Entry) => out.json({ version, ...entry }),
    close: () => Promise.resolve(),
  };
}

/** How a run ended, from its result or from the last entry of its journal. */
type RunEnd = Pick<RunResult, 'status' | 'exit' | 'outputs'>;

/** The result of a run as one object. */
export function resultObject(summary: Summary, result: RunEnd): RunOutput {
  const { run, playbook, plan, destination, headline, tally, files, inDoubt, refused } = summary;
  return {
    version,
    run,
    playbook,
    ...(plan !== undefined && { plan }),
    destination,
    status: result.status,
    exit: result.exit,
    headline,
    tally,
    requests: summary.requests,
    steps: summary.steps.map(stepObject),
    orders: summary.orders.map(orderObject),
    outputs: result.outputs,
    files,
    guards: summary.guards,
    bases: summary.bases,
    ...(summary.orphans.length > 0 && { orphans: summary.orphans }),
    inDoubt,
    refused,
    next: summary.next.map(({ command }) => command),
  };
}

function stepObject({ id, uses, status, detail, ms, items }: StepLine): RunOutput['steps'][number] {
  return {
    id,
    uses,
    status,
    detail,
    ms,
    items: items.map(({ address, key, state }) => ({ address, key, state })),
  };
}

/** An order as it was sent, with its state: `placed`, or what a later read showed. */
function orderObject(order: OrderLine): RunOutput['orders'][number] {
  const { address, symbol, side, size, price, clientOid, orderId, state, how } = order;
  return { address, symbol, side, size, price, clientOid, orderId, state, how };
}
