/** The result of a run as one object, for programs. */
import type { ExitCode } from '../../base/error.ts';
import type { Json } from '../../base/json.ts';
import type { RunResult } from '../../engine/interpreter/interpret.ts';
import type { Destination, GuardResult } from '../../engine/journal/entry.ts';
import type { Orphan } from '../../engine/journal/orphan.ts';
import { accountField } from '../../report/accounts.ts';
import type { Doubt, Refusal } from '../../report/answers.ts';
import type { Basis } from '../../report/assumptions.ts';
import type { OrderLine } from '../../report/orders.ts';
import type { ReusedItemLine, StepLine } from '../../report/step-lines.ts';
import type { FileLine } from '../../report/file-lines.ts';
import type { Summary } from '../../report/summary.ts';
import type { EndStatus } from '../../engine/journal/end-status.ts';

const version = 1; // its schema is in schemas/

export interface RunReport {
  readonly version: 1;
  /** Id of the run: `r-…`. */
  readonly run: string;
  readonly playbook: { readonly name: string; readonly file: string };
  /** Id of the saved plan that the run executed. */
  readonly plan?: string;
  readonly destination: Destination;
  /** Accounts, besides that of the run, that steps name. */
  readonly accounts?: readonly Destination[];
  readonly status: EndStatus;
  readonly exit: ExitCode;
  /** The status in one line, such as `stopped at step 3 of 5`. */
  readonly headline: string;
  /** The counts of actions, by status. */
  readonly tally: {
    readonly done: number;
    readonly refused: number;
    readonly inDoubt: number;
    readonly notSent: number;
  };
  readonly requests: number;
  readonly steps: readonly {
    readonly id: string;
    /** Profile of the action's account, in a run with several; absent if its items have several. */
    readonly account?: string;
    readonly uses: string;
    /** Status of the action: done, refused, failed, doubt, skipped, open or not-sent. */
    readonly status: string;
    readonly detail: string;
    /** The earlier run that did the step: it was not executed in this one. */
    readonly reused?: string;
    /** The items that an earlier run did: they were not executed in this one. */
    readonly reusedItems?: readonly ReusedItemLine[];
    readonly ms: number;
    readonly items: readonly {
      readonly address: string;
      readonly account?: string;
      readonly key: string;
      readonly state: string;
    }[];
  }[];
  /** Every order that was sent. */
  readonly orders: readonly {
    readonly address: string;
    readonly account?: string;
    readonly symbol: string;
    readonly side: string;
    readonly size: string;
    readonly price: string;
    readonly clientOid: string;
    /** Id that the exchange gave to the order; empty while none is known. */
    readonly orderId: string;
    /** State of the order: placed, or the state that a later read showed. */
    readonly state: string;
    readonly how: string;
  }[];
  /** The outputs of the playbook. */
  readonly outputs: Json;
  readonly files: readonly FileLine[];
  /** Usage of every limit in force. */
  readonly guards: readonly GuardResult[];
  /** The assumptions for each account of a run with orders. */
  readonly bases: readonly Basis[];
  /** Open orders of earlier runs that were no longer in the playbook. */
  readonly orphans?: readonly Orphan[];
  /** Requests with an unknown outcome. */
  readonly inDoubt: readonly Doubt[];
  readonly refused: readonly Refusal[];
  /** Suggested next commands. */
  readonly next: readonly string[];
}

/** How a run ended, from its result or from the last entry of its journal. */
type RunEnd = Pick<RunResult, 'status' | 'exit' | 'outputs'>;

/** The result of a run as one object, as `deskhand run -o json` prints it. */
export function reportObject(summary: Summary, result: RunEnd): RunReport {
  const { run, playbook, plan, destination, headline, tally, files, inDoubt, refused } = summary;
  return {
    version,
    run,
    playbook,
    ...(plan !== undefined && { plan }),
    destination,
    ...(summary.accounts && { accounts: summary.accounts }),
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

function stepObject({
  id,
  account,
  uses,
  status,
  detail,
  reused,
  reusedItems,
  ms,
  items,
}: StepLine): RunReport['steps'][number] {
  return {
    id,
    ...accountField(account),
    uses,
    status,
    detail,
    ...(reused !== undefined && { reused }),
    ...(reusedItems.length > 0 && { reusedItems }),
    ms,
    items: items.map((item) => {
      const { address, key, state } = item;
      return { address, ...accountField(item.account), key, state };
    }),
  };
}

/** An order as it was sent, with its state: `placed`, or the state that a later read showed. */
function orderObject(order: OrderLine): RunReport['orders'][number] {
  const { address, account, symbol, side, size, price, clientOid, orderId, state, how } = order;
  const place = { address, ...accountField(account) };
  return { ...place, symbol, side, size, price, clientOid, orderId, state, how };
}
