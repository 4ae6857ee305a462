/** Prints lines beside the result of a command, for people. */
import type { Context } from '../context.ts';

export function faintly({ terminal: { err } }: Context): (line: string) => void {
  return (line) => err.line(err.theme.paint('faint', line));
}
