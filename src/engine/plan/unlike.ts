/** Contents of a saved plan that do not follow from its playbook and its recorded values. */
import { canonicalJson, fieldOf, plainJson } from '../../base/json.ts';
import { isSameEvidence } from './evidence.ts';
import { valueWords, type Difference } from './moved.ts';
import type { Plan } from './plan.ts';

/**
 * Fields that may differ, each with its reason. All others must be equal, byte for byte; `*` means
 * any position in a list. None of them decides what is sent, and people see the recomputed
 * field.
 */
const mayDiffer: ReadonlyMap<string, string> = new Map([
  ['id', 'the digest’s first letters; checked against the digest when the file is read'],
  ['seal', 'follows from the rest; checked against it when the file is read'],
  ['digest', 'checked against all the rest when the file is read'],
  ['expiresAt', 'chosen with --expires; checked against the longest time its profile allows'],
  [
    'authors',
    'the planning machine alone knows who made it; the author of the playbook is read from Git again',
  ],
  ['commit', 'the commit it was made at; what counts is the text in this checkout'],
  [
    'orphans',
    'orders of earlier runs are filled, or cancelled by hand; the plan shows the current ones',
  ],
  ['unfinished', 'earlier runs end, or are set aside; what blocks a run is read when it starts'],
  [
    'doubts',
    'doubts of other playbooks are settled, or arise; what blocks a run is read when it starts',
  ],
  ['notes', 'keys, addresses and a run that was set aside, from the runs stored on this machine'],
  ...['destination', 'accounts.*'].flatMap((account): [string, string][] => [
    [`${account}.host`, 'its spelling; the account is compared as a whole'],
    [`${account}.keyFingerprint`, 'of an account with an id; the account is compared as a whole'],
    [`${account}.accountId`, 'its case and blanks; the account is compared as a whole'],
  ]),
  [
    'steps.*.actions.*.change.failed',
    'the words of a failure; whether a read fails is compared as a change',
  ],
  [
    'steps.*.actions.*.change.was',
    'what other runs set before; a run of the plan shows the current value',
  ],
  [
    'steps.*.actions.*.confidence.run',
    'the run that proves it: another may have set the same value',
  ],
  [
    'steps.*.actions.*.position',
    'positions change; a run of the plan shows the current ones, and checks them before each order',
  ],
  ['guards.*.used', 'follows from the positions; whether the limit is kept is compared'],
  ['unlisted', 'which lists do not show orders, from the runs stored on this machine'],
  ['totals.requests', 'follows from how many rows there are'],
  ['totals.seconds', 'follows from the requests'],
  ['openOrders', 'other orders of the account open and close'],
  ['totals.openOrdersAfter', 'other orders of the account open and close'],
  ['steps.*.actions.*.change.range', 'it ends at the time of the plan'],
  [
    'steps.*.actions.*.change.continues',
    'files of the planning machine; the run continues from the files that it finds',
  ],
  ['steps.*.actions.*.change.requests', 'follows from how many rows there are'],
  [
    'steps.*.actions.*.change.rows',
    'the number of rows changes; the values that matter are compared',
  ],
]);

/** Evidence may have another text: an open order may be partly filled. */
const evidence = 'steps.*.actions.*.change.because';

/** All differences between a saved plan and the recomputed one. */
export function unlike(saved: Plan, again: Plan): readonly Difference[] {
  return compared(plainJson(saved), plainJson(again), []);
}

function compared(was: unknown, is: unknown, path: readonly string[]): Difference[] {
  const place = placeOf(path);
  if (mayDiffer.has(place)) return [];
  if (isCollection(was) && isCollection(is) && Array.isArray(was) === Array.isArray(is)) {
    const names = new Set([...Object.keys(was), ...Object.keys(is)]);
    return [...names].flatMap((name) =>
      compared(fieldOf(was, name), fieldOf(is, name), [...path, name]),
    );
  }
  if (canonicalJson(was) === canonicalJson(is)) return [];
  if (place === evidence && isSameEvidence(String(was), String(is))) return [];
  return [{ what: path.join('.'), was: valueWords(was), is: valueWords(is) }];
}

/** A name that contains a dot never counts as two. */
function placeOf(path: readonly string[]): string {
  return path.map((word) => (/^\d+$/.test(word) ? '*' : word.replaceAll('.', '..'))).join('.');
}

function isCollection(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}
