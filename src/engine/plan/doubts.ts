/** The doubts that runs of other playbooks left where a plan writes: one may already be an order that
 * the plan places.
 */
import { fieldOf } from '../../base/json.ts';
import { keyedWriteOf } from '../../exchange/api/meant-order.ts';
import {
  anything,
  integer,
  list,
  record,
  text,
  truth,
  type Infer,
} from '../../exchange/api/schema.ts';
import type { Destination } from '../journal/entry.ts';
import type { LeftByRun, LeftWrite } from '../journal/unfinished.ts';
import { operationName } from '../journal/shared-schema.ts';

const doubt = record({
  run: text(),
  playbook: text({ description: 'Its name' }),
  profile: text({ description: 'Profile of its account, as it was then' }),
  address: text(),
  operation: operationName,
  input: anything,
  signedAt: integer({ description: 'When it was signed, by the exchange’s clock' }),
});

export const doubtsOfOthers = record({
  isBlocking: truth,
  writes: list(doubt, { description: 'Writes in doubt on accounts and symbols of the plan' }),
});

export type DoubtsOfOthers = Infer<typeof doubtsOfOthers>;

/** The parts of a planned step that are compared with doubts. */
interface Planned {
  readonly actions: readonly {
    readonly change: { readonly kind: string };
    readonly operation?: string;
    readonly input: unknown;
  }[];
}

/**
 * The doubts at symbols in which the steps create something; a symbol that is not known yet may be any.
 * @param isBlocking whether a guard blocks the run
 */
export function doubtsBeside(
  left: readonly LeftByRun[],
  steps: readonly Planned[],
  isBlocking: boolean,
): { readonly doubts?: DoubtsOfOthers } {
  const created = steps
    .flatMap(({ actions }) => actions)
    .filter(({ change: { kind } }) => kind === 'create' || kind === 'later')
    .map(symbolOf);
  const isThere = (write: LeftWrite): boolean => {
    const symbol = symbolOf(write);
    return created.some((own) => own === undefined || symbol === undefined || own === symbol);
  };
  const writes = left.flatMap(({ run, playbook, writes: all }) =>
    all.filter(isThere).map(({ address, operation, input, accounts, signedAt }) => {
      const profile = profileOf(accounts);
      return { run, playbook, profile, address, operation, input, signedAt };
    }),
  );
  return writes.length === 0 ? {} : { doubts: { isBlocking, writes } };
}

function symbolOf({
  operation,
  input,
}: {
  readonly operation?: string;
  readonly input: unknown;
}): string | undefined {
  const field = keyedWriteOf(operation)?.fields.symbol ?? 'symbol';
  const symbol = fieldOf(input, field);
  return typeof symbol === 'string' ? symbol.toUpperCase() : undefined;
}

function profileOf([account]: readonly Destination[]): string {
  return account?.profile ?? '';
}
