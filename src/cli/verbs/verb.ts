/** What a verb of the command line is: its words, its flags, and what may be in their places. */
import type { Run } from '../context.ts';
import type { OwnName } from '../args/own-files.ts';

/** Words that may be in a place: a closed list, or something that is looked up. */
export type Choices = readonly string[] | Lookup;

/** What is looked up when someone asks the shell to complete a word. */
export type Lookup =
  | 'example'
  | 'file'
  | 'folder'
  | 'playbook'
  | 'playbook-or-plan'
  | 'test'
  | 'profile'
  | 'key'
  | 'run'
  | 'run-playbook'
  | 'unfinished-run'
  | 'address-in-doubt'
  | 'plan'
  | 'schedule'
  | 'step'
  | 'input'
  | 'control-path'
  | 'operation'
  | 'field'
  | 'topic'
  | 'help-topic';

export interface Flag {
  /** As commander reads it: `-o, --out <file>`. */
  readonly flags: string;
  readonly description: string;
  /** May be given several times. */
  readonly isRepeated?: true;
  /** Of its value; absent when anything may be there. */
  readonly choices?: Choices;
  /** Its value is a file that is there, a file to write, or a folder to write in. */
  readonly path?: 'read' | 'write' | 'folder';
  /** What alone may be replaced by the file it names. */
  readonly owns?: OwnName;
}

export interface Verb {
  /** `plan`, or two words: `runs list`. */
  readonly name: string;
  /** As commander reads it: `<file> [more...]`. */
  readonly positionals: string;
  readonly description: string;
  readonly flags: readonly Flag[];
  /** Of its words, in their order; the last holds for all that follow. */
  readonly choices?: readonly Choices[];
  /** What --output may ask of it, the usual one first; text alone when absent. */
  readonly formats?: readonly [string, ...string[]];
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** `--out` of `-o, --out <file>`. */
export function longFlag(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}
