/** A reviewed plan recomputed: from its contents, with the current state of the exchange for comparison. */
import type { Millis } from '../../base/clock.ts';
import { DeskhandError } from '../../base/error.ts';
import { count } from '../../base/text.ts';
import type { Address } from '../journal/entry.ts';
import { mayAct } from './effect.ts';
import { differencesOf, movedWords, valueWords, type Difference } from './moved.ts';
import type { Plan } from './plan.ts';
import { nothingFresh, recordedIn, type Fresh, type Recorded, type Sources } from './recorded.ts';
import { Trace } from './trace.ts';
import { unlike } from './unlike.ts';
import { quotesMoved } from './quotes.ts';
import { movedValues, withValues, type MovedValue } from './values.ts';

/** Makes the plan of the same playbook, inputs and accounts. */
export type MakeAgain = (from: Omit<Sources, 'signal'>) => Promise<Plan>;

export interface MadeAgain {
  /** The plan of what a run would do now, with the values in the reviewed plan. */
  readonly plan: Plan;
  /** The changes since the review; empty when the plan is still valid. */
  readonly moved: readonly Difference[];
  /** Contents of the reviewed plan that do not follow from its playbook. */
  readonly unlike: readonly Difference[];
}

/**
 * Compares a reviewed plan with its playbook, and then with the current state of the exchange. For
 * a plan that does not follow from its playbook no requests are made.
 * @param move how far a number may have moved, as a ratio
 */
export async function madeAgain(
  reviewed: Plan,
  make: MakeAgain,
  { move, now }: { readonly move: string; readonly now: Millis },
): Promise<MadeAgain> {
  const computed = await recomputed(reviewed, make);
  if (computed.moved.length + computed.unlike.length > 0 || isLocal(computed)) return computed;
  const recorded = recordedIn(reviewed);
  const fresh = nothingFresh();
  const plan = await make({ recorded, fresh });
  const passed = Math.max(0, now - plan.observedAt);
  const values = valuesMoved(recorded, fresh, { move, passed });
  const named = values.flatMap(({ address, moved }) =>
    moved.filter(({ isNamed }) => isNamed).map((value) => differenceAt(address, value, move)),
  );
  const matters =
    named.length === 0 && values.length > 0
      ? await mattering(recorded, values, { make, move })
      : [];
  const moved = [
    ...differencesOf(reviewed, { ...plan, ...seenNow(fresh) }, move),
    ...quotesMoved(reviewed, fresh, move),
    ...named,
    ...matters,
  ];
  return { plan, moved, unlike: unlike(reviewed, plan) };
}

/** Makes the plan again without requests: checks only what follows from the plan itself. */
export async function recomputed(reviewed: Plan, make: MakeAgain): Promise<MadeAgain> {
  const plan = await make({ recorded: recordedIn(reviewed) });
  if (isLocal({ plan: reviewed }) && isLocal({ plan })) {
    const shown: Plan = { ...reviewed, steps: plan.steps, totals: plan.totals };
    return { plan, moved: differencesOf(shown, plan, '0'), unlike: unlike(shown, plan) };
  }
  const moved = differencesOf(reviewed, plan, '0');
  return { plan, moved, unlike: unlike(reviewed, plan) };
}

/**
 * Whether a plan has no effect outside this process. Its run reads everything again, so its steps are not
 * compared: those that depend on values may have become others.
 */
function isLocal({ plan }: Pick<MadeAgain, 'plan'>): boolean {
  return !mayAct(plan);
}

function seenNow({ quotes, positions }: Fresh): Pick<Plan, 'marks' | 'positions'> {
  const marks = [...quotes].flatMap(([symbol, { market }]) =>
    market === undefined ? [] : [[symbol, market.mark]],
  );
  return { marks: Object.fromEntries(marks), positions: Object.fromEntries(positions) };
}

interface Moved {
  readonly address: Address;
  readonly moved: readonly MovedValue[];
}

function valuesMoved(
  recorded: Recorded,
  fresh: Fresh,
  room: Parameters<typeof movedValues>[2],
): readonly Moved[] {
  return [...fresh.reads].flatMap(([address, now]) => {
    const recordedRead = recorded.reads.get(address);
    const moved = recordedRead === undefined ? [] : movedValues(recordedRead, now, room);
    return moved.length === 0 ? [] : [{ address, moved }];
  });
}

/**
 * The changed values that matter. Values in a list or a map matter if any expression has another result
 * with them: rows from which nothing is derived may change.
 */
async function mattering(
  recorded: Recorded,
  values: readonly Moved[],
  { make, move }: { readonly make: MakeAgain; readonly move: string },
): Promise<readonly Difference[]> {
  const reads = new Map(recorded.reads);
  for (const { address, moved } of values) {
    reads.set(address, withValues(reads.get(address) ?? null, moved));
  }
  const [planned, now] = [new Trace(), new Trace()];
  try {
    await make({ recorded, trace: planned });
    await make({ recorded: { ...recorded, reads }, trace: now });
    if (planned.text() === now.text()) return [];
  } catch (error) {
    // A playbook that cannot be planned with these values has another result.
    if (!(error instanceof DeskhandError)) throw error;
  }
  return values.flatMap(({ address, moved }) =>
    moved.map((value) => differenceAt(address, value, move)),
  );
}

function differenceAt(
  address: Address,
  { path, was, is, isNumber }: MovedValue,
  move: string,
): Difference {
  const what = path.length === 0 ? address : `${address} ${path.join('.')}`;
  if (Array.isArray(was) && Array.isArray(is)) {
    return { what, was: count(was.length, 'member'), is: count(is.length, 'member') };
  }
  const now = isNumber ? movedWords(valueWords(was), valueWords(is), move) : valueWords(is);
  return { what, was: valueWords(was), is: now };
}
