/** One step or item of a run: its state and duration, what it waits for, its lines and its requests. */
import { plainText } from '../../../base/text.ts';
import {
  choice,
  integer,
  list,
  optional,
  record,
  text,
  type Infer,
} from '../../../exchange/api/schema.ts';
import type { Address } from '../../../engine/journal/entry.ts';
import { mannerOf } from '../../../language/step-graph.ts';
import { stateWord } from '../../../report/states.ts';
import { onAccounts } from '../../../report/accounts.ts';
import { requestTable } from '../../../report/blocks/requests.ts';
import type { StepLine } from '../../../report/step-lines.ts';
import type { ActionStory, StepStory } from '../../../report/story.ts';
import { NotFoundError } from '../failure.ts';
import { codeLines, facts, table, tableData } from '../shapes.ts';
import { progress, progressOf } from './progress.ts';
import {
  actionsAround,
  itemsOf,
  linesOf,
  ownId,
  shortName,
  stateOfStep,
  structureIn,
  tookWords,
  type LiveState,
  type Reading,
} from './live-run.ts';
import type { Structure, StructureNode } from './structures.ts';

const link = record({ address: text(), name: text(), state: text() });

export const stepView = record({
  level: choice(['step', 'item']),
  name: text(),
  title: optional(text()),
  uses: text(),
  state: text(),
  around: list(record({ address: text(), name: text() }), {
    description: 'The steps and items around it, outermost first',
  }),
  facts,
  after: list(link, { description: 'The steps for which it waits' }),
  before: list(link, { description: 'The steps that wait for it' }),
  items: optional(integer({ description: 'The number of its items' })),
  inside: optional(progress),
  requests: optional(table),
  place: text({ description: 'Where its lines are' }),
  lines: codeLines,
});

export type StepView = Infer<typeof stepView>;

export interface StepPart {
  readonly address: Address;
  /** Steps of the nested playbook before the first one to show. */
  readonly from?: number;
  /** The page of its requests. */
  readonly page?: number;
}

/** A step of the playbook or the journal, and the item of it that is meant. */
interface Found {
  readonly scope: Address | undefined;
  readonly id: string;
  readonly story?: StepStory;
  readonly action?: ActionStory;
}

/** @throws NotFoundError if the run has no such step or item */
export function stepViewOf(part: StepPart, reading: Reading): StepView {
  const found = foundAt(part.address, reading);
  const structure = structureIn(found.scope, reading);
  const node = structure?.nodes.find(({ step }) => step.id === found.id);
  if (found.story === undefined && node === undefined) {
    throw new NotFoundError(`this run has no step ${plainText(part.address, 120)}`);
  }
  const { story, action } = found;
  const line = story && linesOf(reading).get(story.id);
  const title = story?.name ?? node?.step.name;
  const runs = action ?? (story?.isForEach === true ? undefined : story?.actions[0]);
  const isNesting = runs && reading.story.steps.some(({ parent }) => parent === runs.address);
  const { from } = part;
  return {
    level: action === undefined ? 'step' : 'item',
    name: action && story ? shortName(story, action) : plainText(found.id, 60),
    ...(title !== undefined && { title: plainText(title, 120) }),
    uses: plainText(story?.uses || (node?.step.uses ?? ''), 60),
    ...stateAndFacts(found, line, node, reading),
    around: aroundOf(found, reading),
    ...neighbours(found, node, structure, reading),
    ...(action === undefined && story?.isForEach === true && { items: story.actions.length }),
    ...(isNesting && {
      inside: progressOf(reading, { scope: runs.address, ...(from !== undefined && { from }) }),
    }),
    ...requestsOf(found, part, reading),
    ...linesIn(node, reading),
  };
}

function foundAt(address: Address, { story }: Reading): Found {
  for (const step of story.steps) {
    const place = { scope: step.parent, id: ownId(step), story: step };
    if (step.id === address) return place;
    if (!step.isForEach) continue;
    const action = step.actions.find((each) => each.address === address);
    if (action !== undefined) return { ...place, action };
  }
  const end = address.lastIndexOf('/');
  return { scope: end === -1 ? undefined : address.slice(0, end), id: address.slice(end + 1) };
}

function stateAndFacts(
  { story, action }: Found,
  line: StepLine | undefined,
  node: StructureNode | undefined,
  reading: Reading,
): { readonly state: LiveState; readonly facts: StepView['facts'] } {
  const item =
    action && story && line
      ? itemsOf(story, line, reading).find((each) => each.action === action)
      : undefined;
  const own = item?.line ?? line;
  const state = item?.state ?? stateOfStep(line, reading);
  const all = [
    ['What', item === undefined || item.line.what === item.line.key ? '' : item.line.what],
    ['Result', own?.detail === stateWord(state) ? '' : (own?.detail ?? '')],
    ['Took', tookWords(own, state)],
    ['Account', onAccounts(own ? [own] : []).replace(/^ on /, '')],
    ['Runs', item === undefined && node ? mannerOf(node.step).join(', ') : ''],
    ['Taken over from', line?.reused ?? ''],
  ] as const;
  return {
    state,
    facts: all.filter(([, value]) => value !== ''),
  };
}

/** The steps and items that enclose a step or an item, from the outside in. */
function aroundOf({ scope, story, action }: Found, reading: Reading): StepView['around'] {
  const outer = scope === undefined ? [] : (actionsAround(scope, reading) ?? []);
  return [
    ...outer.flatMap(({ step, address }) => [
      { address: step.id, name: plainText(ownId(step), 60) },
      ...(step.isForEach
        ? [{ address, name: plainText(address.slice(step.id.length + 1, -1), 80) }]
        : []),
    ]),
    ...(action && story ? [{ address: story.id, name: plainText(ownId(story), 60) }] : []),
  ];
}

/** The steps for which a step waits, and those that wait for it, as the graph has them. */
function neighbours(
  { scope, action }: Found,
  node: StructureNode | undefined,
  structure: Structure | undefined,
  reading: Reading,
): Pick<StepView, 'after' | 'before'> {
  if (node === undefined || structure === undefined || action) return { after: [], before: [] };
  const lines = linesOf(reading);
  const linked = ({ step: { id } }: StructureNode): StepView['after'][number] => {
    const address = scope === undefined ? id : `${scope}/${id}`;
    return { address, name: plainText(id, 60), state: stateOfStep(lines.get(address), reading) };
  };
  const byStep = new Map(structure.nodes.map((each) => [each.step, each]));
  const ends = (wanted: 'from' | 'to', own: 'from' | 'to'): StepView['after'] =>
    structure.edges.flatMap((edge) => {
      const other = edge[own] === node.step ? byStep.get(edge[wanted]) : undefined;
      return other === undefined ? [] : [linked(other)];
    });
  return { after: ends('from', 'to'), before: ends('to', 'from') };
}

function requestsOf(
  { story, action }: Found,
  { page }: StepPart,
  { story: whole, summary }: Reading,
): Pick<StepView, 'requests'> {
  if (story === undefined || (action === undefined && story.isForEach)) return {};
  const steps = [action === undefined ? story : { ...story, actions: [action] }];
  const requests = requestTable({ ...whole, steps }, summary.run);
  return requests.rows.length === 0 ? {} : { requests: tableData(requests, page) };
}

const linesMax = 200; // lines of a step; the playbook has all

function linesIn(
  node: StructureNode | undefined,
  { story: { started } }: Reading,
): Pick<StepView, 'place' | 'lines'> {
  if (node === undefined) return { place: '', lines: [] };
  const { file, start, end } = node.step.at;
  const { playbook } = started;
  const texts = [playbook, ...(playbook.includes ?? [])];
  const whole = texts.find((each) => each.file === file)?.text.split(/\r?\n/) ?? [];
  // A step ends where the next one begins, in front of it.
  const isInFront = whole[end.line - 1]?.slice(0, end.column - 1).trim() === '';
  const last = Math.min(isInFront ? end.line - 1 : end.line, start.line + linesMax - 1);
  return {
    place: `${plainText(file, 200)}, lines ${start.line} to ${last}`,
    lines: whole.slice(start.line - 1, last).map((line, at) => ({
      number: String(start.line + at),
      text: plainText(line, 400),
      isMarked: false,
    })),
  };
}
