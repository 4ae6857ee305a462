/** What is known of a block of listed runs that was not read: when they started, and what they may have in common. */
import type { Millis } from '../../base/clock.ts';
import type { BlockSummary, FieldSummary } from '../../engine/journal/block-summary.ts';
import { isDestination } from '../../engine/journal/header.ts';
import type { Destination } from '../../engine/journal/entry.ts';

/** Each list has the values of all runs of the block, and is absent if they are not known. */
export interface ListedSummary {
  readonly rows: number;
  readonly mayHave: BlockSummary['mayHave'];
  readonly hashes: BlockSummary['hashes'];
  /** When the first and the last of the runs started. */
  readonly first: Millis;
  readonly last: Millis;
  readonly statuses?: readonly string[];
  readonly playbooks?: readonly string[];
  /** The runs' own accounts. */
  readonly destinations?: readonly Destination[];
  /** The other accounts of the runs. */
  readonly accounts?: readonly Destination[];
  readonly people?: readonly string[];
  /** Whether any run has a doubt, or a question for a person. */
  readonly mayAsk: boolean;
}

/** The summary of listed runs; undefined unless it says when they started. */
export function listedSummary({
  rows,
  mayHave,
  hashes,
  fields,
}: BlockSummary): ListedSummary | undefined {
  const started = fields['startedAt'] && boundsOf(fields['startedAt']);
  if (started === undefined) return undefined;
  const statuses = all(isText, amongIn(fields['status']));
  const playbooks = all(isText, amongIn(fields['playbook']));
  const destinations = all(isDestination, amongIn(fields['destination']));
  const accounts = all(isDestination, flat(amongIn(fields['accounts'])));
  const people = all(isText, flat(amongIn(fields['people'])));
  const doubts = fields['doubts'] && boundsOf(fields['doubts']);
  return {
    rows,
    mayHave,
    hashes,
    first: started.least,
    last: started.most,
    ...(statuses && { statuses }),
    ...(playbooks && { playbooks }),
    ...(destinations && { destinations }),
    ...(accounts && { accounts }),
    ...(people && { people }),
    mayAsk: fields['asks'] !== undefined || doubts?.most !== 0,
  };
}

/** The values of a field, none of one that no run has; undefined if they are not known. */
function amongIn(field: FieldSummary | undefined): readonly unknown[] | undefined {
  return field === undefined ? [] : field.among;
}

function boundsOf({ among, least, most, isPartial }: FieldSummary) {
  if (isPartial) return undefined;
  if (least !== undefined && most !== undefined) return { least, most };
  const numbers = all((value) => typeof value === 'number', among);
  if (numbers === undefined || numbers.length === 0) return undefined;
  return { least: Math.min(...numbers), most: Math.max(...numbers) };
}

function all<T>(
  isOne: (value: unknown) => value is T,
  values: readonly unknown[] | undefined,
): readonly T[] | undefined {
  return values?.every(isOne) === true ? values : undefined;
}

/** The values of lists; undefined unless all are lists. */
function flat(values: readonly unknown[] | undefined): readonly unknown[] | undefined {
  return all((value) => Array.isArray(value), values)?.flat();
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
