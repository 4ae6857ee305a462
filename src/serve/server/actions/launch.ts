/** Commands of a desk as processes: a crash or a restart of the server does not end them. Their output
 * goes to files in the state folder.
 */
import { plainText } from '../../../base/text.ts';
import type { OwnProgram } from '../../../app/machine/own-program.ts';
import { startProcess, type OwnCommand, type Started } from '../../../app/machine/start-process.ts';
import type { DeskPlace } from '../desk.ts';

/** The repository in which a command is started, and the choices made for it. */
export type CommandPlace = Pick<DeskPlace, 'folder' | 'choices' | 'config'>;

/** A command of a desk as a process to start. @param words the command and its arguments */
export function commandOf(
  { folder, choices = {}, config: { stateDir } }: CommandPlace,
  words: readonly string[],
): OwnCommand {
  return { words, folder, choices, stateDir };
}

/**
 * Starts a command of a desk.
 * @param words the command and its arguments
 * @param log path of the files of its output, without their endings
 */
export function launch(
  program: OwnProgram,
  place: CommandPlace,
  words: readonly string[],
  log: string,
): Started {
  return startProcess(program, commandOf(place, words), { kind: 'outlives', log });
}

const linesMax = 200;

/** The lines of an output, for people. */
export function linesIn(text: string): readonly string[] {
  const lines = text.trimEnd().split('\n').slice(0, linesMax);
  return text.trim() === '' ? [] : lines.map((line) => plainText(line, 400));
}
