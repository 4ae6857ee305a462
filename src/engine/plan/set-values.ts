/** The states that writes set, in a plan: their value before, as far as known, and whether they are set
 * already.
 */
import type { Json } from '../../base/json.ts';
import { spoken } from '../../base/text.ts';
import type { StateFields } from '../../exchange/api/operation.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import type { LastSet } from '../journal/ledger.ts';
import { isSetBy, stateKey, valueSet } from '../journal/states.ts';
import type { Call } from './call.ts';
import type { PlanContext } from './plan-context.ts';
import { stateEvidence } from './evidence.ts';
import type { Change } from './plan.ts';
import type { SetHere } from './planned-states.ts';
import { asksNobody } from './recorded.ts';

/** The change that a `set` write would make. */
export interface PlannedState {
  readonly change: Extract<Change, { readonly kind: 'none' | 'set' }>;
  /** The run that set an equal value last, if nothing is to be done. */
  readonly done?: { readonly run: string; readonly output: Json };
}

/**
 * The change of a state; undefined if the write sets no state.
 * @param isLasting whether an equal last value is enough
 */
export function stateChange(
  call: Call,
  context: PlanContext,
  isLasting: boolean,
): PlannedState | undefined {
  const { operation, input } = call;
  const { sets } = operationOf(operation);
  if (sets === undefined) return undefined;
  const here = context.states.before(call, context.naming.destination);
  if (here !== undefined) return { change: { kind: 'set', was: wasHere(here, sets) } };
  const key = stateKey(operation, input);
  const entry = key === undefined ? undefined : context.ledger.get(key);
  const recorded = recordedBefore(call, context);
  if (entry?.kind !== 'set') return { change: { kind: 'set', ...recorded } };
  const by = `${setterOf(entry)}, ${ageOf(entry, context)} before this plan`;
  const value = call.unknown.size > 0 ? undefined : valueSet(operation, input);
  if (isLasting && isSetBy(entry, value, context.naming.run)) {
    const { run = '', done } = entry;
    const because = stateEvidence(`${value}${sets.unit}`, by);
    return { change: { kind: 'none', because }, done: { run, output: done?.output ?? null } };
  }
  const { value: shown } = entry.done ?? {};
  const was =
    shown === undefined
      ? { because: unknownSince(entry, by) }
      : { value: shown, because: stateEvidence(`${shown}${sets.unit}`, by) };
  return { change: { kind: 'set', was, ...recorded } };
}

/** The value before as the plan names it: the runs on another machine may not include the one that set it. */
function recordedBefore({ address }: Call, context: PlanContext): Pick<SetChange, 'was'> {
  const action = asksNobody(context) ? context.recorded?.actions.get(address) : undefined;
  const { change } = action ?? {};
  return change?.kind === 'set' && change.was !== undefined ? { was: change.was } : {};
}

function wasHere({ value, by }: SetHere, { unit }: StateFields): NonNullable<SetChange['was']> {
  if (value === undefined) return { because: `${by} may set it first` };
  return { value, because: stateEvidence(`${value}${unit}`, `by ${by}, earlier in this plan`) };
}

type SetChange = Extract<Change, { readonly kind: 'set' }>;

function unknownSince({ run }: LastSet, by: string): string {
  return run === undefined ? `set ${by}` : `a write ${by} has no recorded outcome`;
}

function setterOf({ run }: LastSet): string {
  return run === undefined ? 'by hand' : `by run ${run}`;
}

function ageOf({ at }: LastSet, { observedAt }: PlanContext): string {
  return spoken(Math.max(0, observedAt - at));
}
