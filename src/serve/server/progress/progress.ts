/** The steps of a run, or of a nested playbook, as a graph and as a time line: of long ones a part. */
import { plainText } from '../../../base/text.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  truth,
  type Infer,
} from '../../../exchange/api/schema.ts';
import type { Address } from '../../../engine/journal/entry.ts';
import { stepWords } from '../../../language/step-graph.ts';
import { kindWords, timelineOf } from '../../../report/blocks/timeline.ts';
import { stateWord } from '../../../report/states.ts';
import type { StepLine } from '../../../report/step-lines.ts';
import type { StepStory } from '../../../report/story.ts';
import { moment, named } from '../shapes.ts';
import {
  itemsOf,
  linesOf,
  ownId,
  stateOfStep,
  structureIn,
  tookWords,
  type LiveState,
  type Reading,
} from './live-run.ts';
import type { Structure, StructureNode } from './structures.ts';

const span = record({ kind: text(), from: moment('Start'), to: moment('End'), title: text() });

const timeline = record({
  whole: moment('Length of the axis'),
  ticks: list(record({ at: moment('Place'), label: text() })),
  resumed: list(moment('Place of a resume')),
  rows: list(
    record({
      level: choice(['step', 'item', 'more']),
      address: text(),
      depth: integer({ minimum: 0, description: 'Rows around it that it belongs to' }),
      state: text(),
      name: text(),
      uses: text(),
      note: text(),
      reading: text({ description: 'The spans as text' }),
      spans: list(span),
      extent: optional(record({ from: moment('Start'), to: moment('End') })),
    }),
  ),
  legend: list(record({ kind: text(), words: text() })),
});

/** How many items have each state, the one that needs a person most first. */
export const stateCounts = list(record({ state: text(), n: integer() }));

const node = record({
  address: text({ description: 'As in the journal' }),
  name: text(),
  title: optional(text()),
  uses: text(),
  group: choice(['steps', 'on-failure', 'finally']),
  layer: integer({ description: 'Below those of the steps for which it waits' }),
  state: text(),
  words: text({ description: 'What it waits for' }),
  detail: text({ description: 'Its result and duration' }),
  items: optional(stateCounts),
});

export const wholeProgress = record({
  graph: record({
    nodes: list(node),
    edges: list(record({ from: integer(), to: integer(), isImplicit: truth }), {
      description: 'By the places of their nodes',
    }),
    isPlain: truth, // the playbook cannot be read: the order of the steps is all that is known
  }),
  timeline,
  from: integer({ description: 'Number of steps before the first one that is shown' }),
  earlier: optional(integer({ description: 'Where the part before it begins' })),
  later: optional(integer({ description: 'Where the part after it begins' })),
  total: integer({ description: 'Number of steps' }),
});

export const progress = named('Progress', wholeProgress);

export type Progress = Infer<typeof wholeProgress>;

/** The requested part of the progress: which playbook, and from which step on. */
export interface ProgressPart {
  /** The action that runs the nested playbook; default: that of the run. */
  readonly scope?: Address;
  /** Steps before the first one to show; default: the part with the current or the failed step. */
  readonly from?: number;
}

const stepsMax = 60; // steps in one answer; the page stays usable, and links lead to the others
const edgesMax = 400; // lines that a person can tell apart are far fewer
const namesMax = 6; // steps that a node names; its own page names all

interface Place {
  readonly id: string;
  readonly story: StepStory | undefined;
  readonly line: StepLine | undefined;
  readonly node: StructureNode | undefined;
}

export function progressOf(reading: Reading, { scope, from }: ProgressPart = {}): Progress {
  const structure = structureIn(scope, reading);
  const places = placesIn(scope, structure, reading);
  const first = Math.min(from ?? currentPart(places), lastPart(places.length));
  const shown = places.slice(first, first + stepsMax);
  return {
    graph: graphOf(shown, scope, structure, reading),
    timeline: timelineData(
      shown.flatMap(({ story }) => story ?? []),
      reading,
    ),
    from: first,
    ...(first > 0 && { earlier: Math.max(0, first - stepsMax) }),
    ...(first + shown.length < places.length && { later: first + shown.length }),
    total: places.length,
  };
}

/** The steps of the playbook, and those of the journal that it does not have. */
function placesIn(
  scope: Address | undefined,
  structure: Structure | undefined,
  reading: Reading,
): readonly Place[] {
  const lines = linesOf(reading);
  const own = reading.story.steps.filter(({ parent }) => parent === scope);
  const begun = new Map(own.map((step) => [ownId(step), step]));
  const known = new Set(structure?.nodes.map(({ step }) => step.id));
  const placeOf = (id: string, node: StructureNode | undefined): Place => {
    const story = begun.get(id);
    return { id, story, line: story && lines.get(story.id), node };
  };
  return [
    ...(structure?.nodes ?? []).map((node) => placeOf(node.step.id, node)),
    ...[...begun.keys()].filter((id) => !known.has(id)).map((id) => placeOf(id, undefined)),
  ];
}

/** The part with the step that is executed last, or else the first that failed. */
function currentPart(places: readonly Place[]): number {
  const open = places.findLastIndex(({ line }) => line?.status === 'open');
  const failed = places.findIndex(({ line }) => line !== undefined && isBad(line.status));
  const current = open === -1 ? failed : open;
  return Math.max(0, current - (current % stepsMax));
}

function isBad(status: LiveState): boolean {
  return status === 'refused' || status === 'failed' || status === 'doubt';
}

function lastPart(total: number): number {
  return Math.max(0, total - 1 - ((total - 1) % stepsMax));
}

function graphOf(
  places: readonly Place[],
  scope: Address | undefined,
  structure: Structure | undefined,
  reading: Reading,
): Progress['graph'] {
  const at = new Map(places.map(({ node: each }, index) => [each?.step, index]));
  const edges = (structure?.edges ?? []).flatMap(({ from, to, isImplicit }) => {
    const [start, end] = [at.get(from), at.get(to)];
    return start === undefined || end === undefined ? [] : [{ from: start, to: end, isImplicit }];
  });
  return {
    nodes: places.map((place, index) => nodeOf(place, index, scope, reading)),
    edges: edges.slice(0, edgesMax),
    isPlain: structure === undefined,
  };
}

function nodeOf(
  { id, story, line, node: known }: Place,
  index: number,
  scope: Address | undefined,
  reading: Reading,
): Progress['graph']['nodes'][number] {
  const title = story?.name ?? known?.step.name;
  const state = stateOfStep(line, reading);
  const took = tookWords(line, state);
  const items =
    story?.isForEach === true && line !== undefined
      ? countStates(itemsOf(story, line, reading).map(({ state }) => state))
      : undefined;
  return {
    address: story?.id ?? (scope === undefined ? id : `${scope}/${id}`),
    name: plainText(id, 60),
    ...(title !== undefined && { title: plainText(title, 120) }),
    uses: plainText(story?.uses || (known?.step.uses ?? ''), 60),
    group: known?.group ?? 'steps',
    layer: known?.layer ?? index,
    state,
    words:
      known === undefined
        ? ''
        : stepWords({ step: known.step, isBelow: false }, known.waiting, namesMax),
    detail: [line?.detail ?? '', took]
      .filter((part) => part !== '' && part !== stateWord(state))
      .join(' · '),
    ...(items && { items }),
  };
}

/** States by what needs a person most. */
export const byUrgency: readonly LiveState[] = [
  'doubt',
  'refused',
  'failed',
  'interrupted',
  'open',
  'running',
  'done',
  'found',
  'skipped',
  'not-sent',
];

export function countStates(states: readonly LiveState[]): { state: LiveState; n: number }[] {
  const counts = new Map<LiveState, number>();
  for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
  return byUrgency.flatMap((state) => {
    const n = counts.get(state);
    return n === undefined ? [] : [{ state, n }];
  });
}

const rowsMax = 100; // rows of one step; its own page has the others

function timelineData(steps: readonly StepStory[], reading: Reading): Progress['timeline'] {
  const { isRunning } = reading;
  const part = { steps, rowsMax, isRunning };
  const { whole, ticks, resumed, rows, kinds } = timelineOf(reading.story, reading.summary, part);
  return {
    whole,
    ticks,
    resumed,
    rows: rows.map(({ state, spans, extent, hasMarks: _hasMarks, ...row }) => ({
      ...row,
      state: isRunning && state === 'open' ? 'running' : state,
      spans: spans.map(({ kind, from, to }) => ({ kind, from, to, title: kindWords[kind] })),
      ...(extent && { extent }),
    })),
    legend: kinds.map((kind) => ({ kind, words: kindWords[kind] })),
  };
}
