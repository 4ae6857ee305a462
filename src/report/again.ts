/** The commands after a run: also to run its playbook again from the steps that a final failure left undone. */
import { plainText, shellWord } from '../base/text.ts';
import { isCreated } from '../engine/journal/unfinished.ts';
import type { Doubt } from './answers.ts';
import { nextCommands, type NextCommand } from './next.ts';
import type { StepStory, Story } from './story.ts';
import type { StoryStatus } from './run-status.ts';

/** The next commands; for a run that was set aside, only those that show it. */
export function nextOf(
  story: Story,
  status: StoryStatus,
  inDoubt: readonly Doubt[],
): readonly NextCommand[] {
  const { started, isOver, setAside } = story;
  const run = plainText(started.run, 60);
  const rest = status === 'stopped' || setAside ? againCommand(story) : undefined;
  const corrected = inDoubt.length > 0 || hasCreated(story) ? undefined : rest;
  if (setAside) return [...listed(corrected), ...nextCommands(run, 'done', [], true)];
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

/** Whether the exchange refused a write, which it does again as long as its fields are the same. */
function isRefused({ steps }: Story): boolean {
  return steps.some(({ actions }) => actions.some(({ outcome }) => outcome?.kind === 'refused'));
}

/** Whether a step that would be executed again has created something, such as an order, which would be created twice. */
function hasCreated({ steps }: Story): boolean {
  return steps.some(
    (step) =>
      !isReusable(step) &&
      step.actions.some(
        ({ operation, outcome }) => operation && outcome?.kind === 'done' && isCreated(operation),
      ),
  );
}

/** Names of playbooks that came from standard input, or from a program: no command can name them. */
const noFiles = ['stdin', '<playbook>'];

const namedMax = 3; // steps in a command that is still readable

/**
 * Undefined if nothing can be reused, or too many steps would have to be named. The first step waits for no
 * other, so it is reused if it is done.
 */
function againCommand({ started, steps }: Story): NextCommand | undefined {
  const { run, imported, playbook, destination } = started;
  const own = steps.filter(({ number }) => number !== undefined);
  const undone = own.filter((step) => !isReusable(step));
  const [first] = own;
  const isNone = first === undefined || undone.includes(first) || undone.length === 0;
  if (
    isNone ||
    undone.length > namedMax ||
    imported !== undefined ||
    noFiles.includes(playbook.file)
  ) {
    return undefined;
  }
  const [from = '', ...more] = undone.map(({ id }) => shellWord(plainText(id, 60)));
  const others = more.map((id) => ` --from ${id}`).join('');
  const of = shellWord(plainText(run, 60));
  const profile = shellWord(plainText(destination.profile, 60));
  return {
    command: `deskhand run ${shellWord(playbook.file)} -p ${profile} --from ${from}${others} --of ${of}`,
    why: 'a new run: what is done is reused, the rest is executed',
  };
}

function isReusable({ status, missing, actions }: StepStory): boolean {
  if (missing !== undefined || (status !== 'done' && status !== 'skipped')) return false;
  return !actions.some(
    ({ outcome }) => outcome?.kind === 'skipped' && outcome.person !== undefined,
  );
}
