/** The states that writes set, in a plan: their value before, as far as known, and whether they are set already. */
import type { Json } from '../../base/json.ts';
import { spoken } from '../../base/text.ts';
import type { StateFields } from '../../exchange/api/operation.ts';
import { operationOf } from '../../exchange/api/operations/index.ts';
import {
  hasAnyRow,
  showsOnly,
  stateWords,
  type ShownState,
} from '../../exchange/api/shown-state.ts';
import { Unknown } from '../../language/expression/value.ts';
import type { Step } from '../../language/playbook.ts';
import type { LastSet } from '../journal/ledger.ts';
import { provenAt } from '../journal/replay.ts';
import { isSetBy, stateKey, valueSet } from '../journal/states.ts';
import type { Call } from './call.ts';
import type { PlanContext } from './plan-context.ts';
import { isShown, readNow, shownEvidence, stateEvidence } from './evidence.ts';
import type { Change } from './plan.ts';
import type { SetHere } from './planned-states.ts';
import { failureOf } from './read-failure.ts';
import { asksNobody } from './recorded.ts';

/** The change that a `set` write would make. */
export interface PlannedState {
  readonly change: Extract<Change, { readonly kind: 'none' | 'set' }>;
  /** The output of the run that set an equal value last; unknown if the account alone shows the value. */
  readonly output?: Json | Unknown;
  /** The run that set the value; absent if the account shows it. */
  readonly run?: string;
}

/** The change of a state; undefined if the write sets no state. */
export async function stateChange(
  step: Step,
  call: Call,
  context: PlanContext,
): Promise<PlannedState | undefined> {
  const { sets } = operationOf(call.operation);
  if (sets === undefined) return undefined;
  const here = context.states.before(call, context.naming.destination);
  if (here !== undefined) return { change: { kind: 'set', was: wasHere(here, sets) } };
  return (
    (await shownChange(step, call, sets, context)) ?? recordedChange(step, call, sets, context)
  );
}

/**
 * The change from what the account shows; undefined if it does not show it. A write that a reviewed plan has
 * stays one, whatever the value before it is, and nothing else becomes one.
 */
async function shownChange(
  step: Step,
  call: Call,
  sets: StateFields,
  context: PlanContext,
): Promise<PlannedState | undefined> {
  const { unit } = sets;
  const reviewed = context.recorded?.actions.get(call.address)?.change;
  if (reviewed !== undefined && !isShown(reviewed)) return undefined;
  const state = await stateNow(call, context);
  if (state === undefined) return reviewed?.kind === 'set' ? { change: reviewed } : undefined;
  const was = { value: state.join(`${unit} and `), because: readNow };
  const value = call.unknown.size > 0 ? undefined : valueSet(call.operation, call.input);
  const isSame = value !== undefined && showsOnly(state, value) && !mayChange(call, context);
  if (!isSame || reviewed?.kind === 'set') return { change: { kind: 'set', was } };
  // Without a request the only response that the step, or another one, could use is that of an earlier run.
  if (context.uses.has(step.id) || step.expect.length > 0) {
    const recorded = recordedChange(step, call, sets, context);
    return recorded.change.kind === 'none' ? recorded : { change: { kind: 'set', was } };
  }
  const because = shownEvidence(stateWords(state, unit));
  return { change: { kind: 'none', because }, output: new Unknown(call.address) };
}

/** The state as the account shows it now; undefined if it does not, or its answer cannot be used. */
async function stateNow(call: Call, context: PlanContext): Promise<ShownState | undefined> {
  if (context.isOffline || asksNobody(context)) return undefined;
  try {
    return await context.observer.state(call);
  } catch (error) {
    failureOf(error);
    return undefined;
  }
}

/** Whether the state may become another one before the write: its own write, or an earlier one, may still arrive. */
function mayChange(call: Call, { decisions, ledger, naming, pending }: PlanContext): boolean {
  const { openSince, unreported } = provenAt(decisions.known, call.address);
  const entry = ledger.get(stateKey(call.operation, call.input) ?? '');
  const isDoubted = entry?.kind === 'set' && entry.done === undefined && entry.run !== undefined;
  const isOpen = openSince.length > 0 || unreported !== undefined;
  return (
    isOpen || (isDoubted && entry.run !== naming.run) || (hasAnyRow(call) && pending.length > 0)
  );
}

/** The change from the records of runs. */
function recordedChange(
  step: Step,
  call: Call,
  sets: StateFields,
  context: PlanContext,
): PlannedState {
  const { operation, input } = call;
  const key = stateKey(operation, input);
  const entry = key === undefined ? undefined : context.ledger.get(key);
  const recorded = recordedBefore(call, context);
  if (entry?.kind !== 'set') return { change: { kind: 'set', ...recorded } };
  const by = `${setterOf(entry)}, ${ageOf(entry, context)} before this plan`;
  const value = call.unknown.size > 0 ? undefined : valueSet(operation, input);
  if (step.oncePer === 'playbook' && isSetBy(entry, value, context.naming.run)) {
    const { run = '', done } = entry;
    const because = stateEvidence(`${value}${sets.unit}`, by);
    return { change: { kind: 'none', because }, run, output: done?.output ?? null };
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
