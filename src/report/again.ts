/** The commands after a run: also to run its playbook again from the steps that a final failure left undone. */
import { plainText, shellWord } from '../base/text.ts';
import type { Outcome } from '../engine/journal/outcome.ts';
import { isCreated } from '../engine/journal/unfinished.ts';
import { itemAt, ownerOf } from '../engine/plan/addresses.ts';
import { writeWords } from '../engine/plan/reused-step.ts';
import type { Doubt } from './answers.ts';
import { nextCommands, settlingCommands, type NextCommand } from './next.ts';
import type { ActionStory, StepStory, Story } from './story.ts';
import type { StoryStatus } from './run-status.ts';

/** The next commands; for a run that was set aside, those that settle its doubts, do its rest and show it. */
export function nextOf(
  story: Story,
  status: StoryStatus,
  inDoubt: readonly Doubt[],
): readonly NextCommand[] {
  const { started, isOver, setAside } = story;
  const run = plainText(started.run, 60);
  const undone = undoneIn(story);
  const again = againWords(story, undone);
  const rest = status === 'stopped' || setAside ? againCommand(story, undone, again) : undefined;
  const corrected = inDoubt.length > 0 || again !== undefined ? undefined : rest;
  if (setAside) {
    const others = nextCommands(run, 'done', [], true);
    return [...settlingCommands(run, inDoubt), ...listed(corrected), ...others];
  }
  const commands = nextCommands(run, status, inDoubt, isOver);
  if (isOver) return [...listed(rest), ...commands];
  const [first, ...others] = commands;
  return corrected && isRefused(story)
    ? [...listed(first), asideCommand(run), ...others]
    : commands;
}

function listed(command: NextCommand | undefined): readonly NextCommand[] {
  return command === undefined ? [] : [command];
}

/** The first command of two; the output of the second one is the command of the run that does the rest. */
function asideCommand(run: string): NextCommand {
  return {
    command: `deskhand runs set-aside ${shellWord(run)} --reason WHY`,
    why: 'if the playbook must change: then a new run does only the rest',
  };
}

/** Whether a write was refused, by the exchange or by its rules here: it is again as long as its fields are the same. */
function isRefused(story: Story): boolean {
  return isUnfit(story) || someOutcome(story, ({ kind }) => kind === 'refused');
}

/** Whether a write has a field that does not fit, so that no plan accepts the playbook once it knows the value. */
function isUnfit(story: Story): boolean {
  return someOutcome(story, (outcome) => outcome.kind === 'failed' && outcome.code === 'input');
}

function someOutcome({ steps }: Story, isAsked: (outcome: Outcome) => boolean): boolean {
  return steps.some(({ actions }) => actions.some(({ outcome }) => outcome && isAsked(outcome)));
}

/** Names of playbooks that came from standard input, or from a program: no command can name them. */
const noFiles = ['stdin', '<playbook>'];

const namedMax = 3; // steps in a command that is still readable

/** The parts of a run that a new run of its playbook would execute: the steps that are not done. */
interface Undone {
  readonly steps: readonly StepStory[];
  /** The items of these steps that are done, by address: they are reused. */
  readonly doneItems: ReadonlySet<string>;
  /** The ids of the steps of which this run, or one before it, did some items. */
  readonly begun: ReadonlySet<string>;
  /** The first item of each step that a person named for this run, which may not have reached it. */
  readonly named: ReadonlyMap<string, string>;
}

function undoneIn({ started, steps: all }: Story): Undone {
  const steps = all.filter((step) => step.number !== undefined && !isReusable(step));
  const done = steps.flatMap((step) => (step.isForEach ? step.actions.filter(isDoneOf(step)) : []));
  const doneItems = new Set(done.map(({ address }) => address));
  const isBegun = ({ actions }: StepStory): boolean =>
    actions.some(({ address }) => doneItems.has(address));
  const before = started.reused?.items?.map(({ step }) => step) ?? [];
  const named = started.reused?.from.toReversed() ?? [];
  return {
    steps,
    doneItems,
    named: new Map(named.map((address) => [itemAt(address)?.step ?? address, address])),
    begun: new Set([...before, ...steps.filter(isBegun).map(({ id }) => id)]),
  };
}

function isDoneOf({ unmet }: StepStory): (action: ActionStory) => boolean {
  const failed = new Set(unmet.flatMap(({ level, address }) => (level === 'warn' ? [] : address)));
  return ({ outcome, isOpen, address }) =>
    outcome?.kind === 'done' && !isOpen && !failed.has(address);
}

/**
 * What the new run would send again although it exists, or may exist, such as an order; undefined if nothing. A later
 * step that is done is executed again if it waits for one that is not. Items that a person abandoned are refused unless
 * they are named.
 */
function againWords({ steps }: Story, undone: Undone): string | undefined {
  const ids = new Set(undone.steps.map(({ id }) => id));
  const [{ number: first = Infinity } = {}] = undone.steps;
  const later = new Set(steps.filter(({ number = 0 }) => number > first).map(({ id }) => id));
  const created = steps
    .flatMap(({ actions }) => actions)
    .flatMap(({ address, operation, outcome }) => {
      const isThere = outcome?.kind === 'done' && operation !== undefined && isCreated(operation);
      return isThere ? [{ address, operation }] : [];
    });
  const sure = created.filter(
    ({ address }) =>
      ownerOf(address, ids) !== undefined && ownerOf(address, undone.doneItems) === undefined,
  );
  if (sure.length > 0) return `it sends ${writeWords(sure)} of this one again`;
  const unknown = undone.steps
    .filter((step) => !undone.begun.has(step.id) || leftOf(step, undone) === undefined)
    .flatMap(({ actions }) => actions.filter(isAbandoned))
    .flatMap(({ operation }) =>
      operation !== undefined && isCreated(operation) ? [{ operation }] : [],
    );
  if (unknown.length > 0)
    return `it sends ${writeWords(unknown)} again that a person abandoned, and that may exist`;
  const maybe = created.filter(
    ({ address }) => ownerOf(address, later) !== undefined && ownerOf(address, ids) === undefined,
  );
  if (maybe.length === 0) return undefined;
  return `it may send ${writeWords(maybe)} of this one again, as its plan shows`;
}

/**
 * Undefined if nothing can be reused, or too many steps would have to be named. The first step waits for no
 * other, so it is reused if it is done.
 */
function againCommand(
  story: Story,
  undone: Undone,
  again = 'what is done is reused, the rest is executed',
): NextCommand | undefined {
  const { started, steps } = story;
  const { run, imported, playbook, destination } = started;
  const [first] = steps.filter(({ number }) => number !== undefined);
  const named = namedOf(undone, playbook.text);
  const isNone = first === undefined || (undone.steps.includes(first) && undone.begun.size === 0);
  if (
    isNone ||
    named.length === 0 ||
    named.length > namedMax ||
    imported !== undefined ||
    noFiles.includes(playbook.file)
  ) {
    return undefined;
  }
  const [from = '', ...more] = named.map((step) => shellWord(fromOf(step, undone)));
  const others = more.map((id) => ` --from ${id}`).join('');
  const of = shellWord(plainText(run, 60));
  const profile = shellWord(plainText(destination.profile, 60));
  return {
    command: `deskhand run ${shellWord(playbook.file)} -p ${profile} --from ${from}${others} --of ${of}`,
    why: `${isUnfit(story) ? 'when the playbook is corrected, ' : ''}a new run: ${again}`,
  };
}

/**
 * The steps to name: in a playbook without `needs` each waits for all before it, so those after the first are
 * executed with it, and only one of which some items are done is named as well.
 */
function namedOf({ steps, begun }: Undone, playbook: string): readonly StepStory[] {
  if (/\bneeds\b/.test(playbook)) return steps;
  return steps.filter(({ id }, place) => place === 0 || begun.has(id));
}

/** The first item to do, if others are done; else the step. An item that a person abandoned is the last to be named. */
function fromOf(step: StepStory, undone: Undone): string {
  const { id, actions } = step;
  const { doneItems, begun, named } = undone;
  const abandoned = actions.find(({ address }) => !doneItems.has(address))?.address;
  const left = leftOf(step, undone) ?? abandoned ?? named.get(id);
  return plainText((begun.has(id) && left) || id, 120);
}

/** The first item that is neither done nor abandoned. */
function leftOf({ actions }: StepStory, { doneItems }: Undone): string | undefined {
  return actions.find((action) => !doneItems.has(action.address) && !isAbandoned(action))?.address;
}

/** Whether a person gave up finding out whether a write exists. */
function isAbandoned({ outcome }: ActionStory): boolean {
  return outcome?.kind === 'skipped' && outcome.person !== undefined;
}

function isReusable({ status, missing, actions }: StepStory): boolean {
  if (missing !== undefined || (status !== 'done' && status !== 'skipped')) return false;
  return !actions.some(isAbandoned);
}
