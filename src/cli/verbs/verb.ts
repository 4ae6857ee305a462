/** What a verb of the command line is: its words, its flags, and what may stand in their places. */
import type { Run } from '../context.ts';

/** Words that may stand in a place: a closed list, or something that is looked up. */
export type Choices = readonly string[] | Lookup;

/** What is looked up when somebody asks the shell to complete a word. */
export type Lookup =
  | 'file'
  | 'folder'
  | 'playbook'
  | 'playbook-or-plan'
  | 'test'
  | 'profile'
  | 'run'
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
  readonly says: string;
  /** May be given several times. */
  readonly isRepeated?: true;
  /** Of its value; absent when anything may stand there. */
  readonly choices?: Choices;
  /** Its value is a file that is there, a file to write, or a folder to write in. */
  readonly path?: 'read' | 'write' | 'folder';
}

export interface Verb {
  /** `plan`, or two words: `runs list`. */
  readonly name: string;
  /** As commander reads it: `<file> [more...]`. */
  readonly words: string;
  readonly says: string;
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
