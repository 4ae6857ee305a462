/** The definition of a command: its arguments, its flags, and their possible values. */
import type { Run } from '../context.ts';
import type { OwnName } from '../args/own-files.ts';

/** Possible values: a closed list, or a lookup. */
export type Choices = readonly string[] | Lookup;

/** The kinds of values that shell completion looks up. */
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
  | 'plan-or-run'
  | 'asking-step'
  | 'schedule'
  | 'step'
  | 'input'
  | 'input-file'
  | 'control-path'
  | 'operation'
  | 'field'
  | 'topic'
  | 'help-topic';

export interface Flag {
  /** The flag in commander's syntax: `-o, --out <file>`. */
  readonly flags: string;
  readonly description: string;
  /** Whether the flag may be repeated. */
  readonly isRepeated?: true;
  /** Whether the flag may be repeated for some commands only. */
  readonly isCollected?: true;
  /** The possible values; absent for free text. */
  readonly choices?: Choices;
  /**
   * The kind of path that is the flag's value: an existing file, an output file, or an output
   * folder.
   */
  readonly path?: 'read' | 'write' | 'folder';
  /** Whether the path may follow the name of an input: `clients=clients.csv`. */
  readonly mayName?: true;
  /** Whether `-` as the flag's value is stdin. */
  readonly readsStdin?: true;
  /** The only kind of file that the flag's output may replace. */
  readonly owns?: OwnName;
}

export interface Verb {
  /** The name of the command: `plan`, or two words: `runs list`. */
  readonly name: string;
  /** The arguments in commander's syntax: `<file> [more...]`. */
  readonly positionals: string;
  readonly description: string;
  readonly flags: readonly Flag[];
  /** The possible values of the arguments, in order; the last applies to all further ones. */
  readonly choices?: readonly Choices[];
  /** The command's values of --output, the default first; only text when absent. */
  readonly formats?: readonly [string, ...string[]];
  /**
   * Whether `--dir` may be repeated, and names folders to read instead of the one to change to.
   */
  readonly takesDirs?: true;
  /** Flags that other programs of this kind have, and why this command has none of them. */
  readonly refused?: {
    readonly flags: readonly string[];
    readonly because: string;
    readonly hint: string;
  };
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** The long name of a flag, such as `--out` for `-o, --out <file>`. */
export function longFlag(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}
