/** The observed outcome of a playbook: everything that an expectation can compare. */
import type { ExitCode } from '../../base/error.ts';
import { isJsonRecord, type Json } from '../../base/json.ts';
import type { Entry } from '../../engine/journal/entry.ts';
import type { Plan } from '../../engine/plan/plan.ts';
import { isNotBegun } from '../../report/achievements.ts';
import { stopOf } from '../../report/stop.ts';
import { storyOf, type StepStory } from '../../report/story.ts';
import { stateOf } from '../../report/words.ts';
import type { RunResult } from '../../engine/interpreter/interpret.ts';
import type { outcomes } from './schema.ts';
import type { BookRecord } from './world-books.ts';

export interface Observation {
  readonly outcome: (typeof outcomes)[number] | 'interrupted';
  readonly exit: ExitCode;
  /** The code and message of the error, if the run failed. */
  readonly trouble?: { readonly code: string; readonly message: string };
  /** The plan; absent if none could be made. */
  readonly plan?: PlanView;
  /** The state of each address; empty if nothing was started. */
  readonly journal: Readonly<Record<string, Json>>;
  /** Orders that the run added, oldest first. */
  readonly orders: readonly BookRecord[];
  /** Positions that the run changed, with their values at the end. */
  readonly positions: readonly BookRecord[];
  /** The bytes of the written files, by name. */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly outputs: Readonly<Record<string, Json>>;
  readonly notices: readonly SentNotice[];
}

/** A notice as a test names it: its text, and what it has besides. */
export interface SentNotice {
  readonly text: string;
  readonly subject?: string;
  /** The file of the page. */
  readonly page?: string;
  /** The cells of the table below its names of columns. */
  readonly table?: readonly (readonly string[])[];
  /** The names of the attached files. */
  readonly attach?: readonly string[];
}

export interface PlanView {
  /** Inputs of the plan's writes, by address. */
  readonly writes: Readonly<Record<string, Json>>;
  readonly unchanged: readonly string[];
  readonly later: readonly string[];
}

export function planView({ steps }: Plan): PlanView {
  const actions = steps.flatMap((step) => step.actions);
  const ofKind = (...kinds: string[]) =>
    actions.filter(({ change }) => kinds.includes(change.kind));
  return {
    writes: Object.fromEntries(
      ofKind('create', 'set').map(({ address, input }) => [address, input]),
    ),
    unchanged: ofKind('none').map(({ address }) => address),
    later: ofKind('later').map(({ address }) => address),
  };
}

/** The end of a run, from its journal. */
export function runView(
  entries: readonly Entry[],
  { status, exit, outputs }: RunResult,
): Pick<Observation, 'outcome' | 'exit' | 'trouble' | 'journal' | 'outputs'> {
  const story = storyOf(entries);
  const stop = stopOf(story);
  const trouble = stop && {
    code: stop.code,
    message: `${stop.address}: ${stop.message}`,
  };
  return {
    outcome: status,
    exit,
    ...(trouble && { trouble }),
    journal: Object.fromEntries(story.steps.flatMap(standingsOf)),
    outputs: isJsonRecord(outputs) ? outputs : {},
  };
}

/** The state of a step, and of each of its items. */
function standingsOf(step: StepStory): [string, string][] {
  if (isNotBegun(step)) return [[step.id, 'not-sent']];
  const [first] = step.actions;
  const isFound = !step.isForEach && first !== undefined && stateOf(first, step) === 'found';
  const own = isFound && step.status === 'done' ? 'found' : (step.status ?? 'not-sent');
  const items = step.isForEach ? step.actions : [];
  return [
    [step.id, own],
    ...items.map((item): [string, string] => [item.address, stateOf(item, step)]),
  ];
}
