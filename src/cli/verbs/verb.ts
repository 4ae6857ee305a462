/** The definition of a command: its arguments, its flags, and their possible values. */
import type { Run } from '../context.ts';
import type { OwnName } from '../args/own-files.ts';

/** Possible values: a closed list, or a lookup. */
export type Choices = readonly string[] | Lookup;

/** What shell completion looks up. */
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
  /** In commander's syntax: `-o, --out <file>`. */
  readonly flags: string;
  readonly description: string;
  /** May be repeated. */
  readonly isRepeated?: true;
  /** May be repeated for some commands only. */
  readonly isCollected?: true;
  /** Possible values; absent for free text. */
  readonly choices?: Choices;
  /** Its value is an existing file, an output file, or an output folder. */
  readonly path?: 'read' | 'write' | 'folder';
  /** `-` as its value is stdin. */
  readonly readsStdin?: true;
  /** The only kind of file that its output may replace. */
  readonly owns?: OwnName;
}

export interface Verb {
  /** `plan`, or two words: `runs list`. */
  readonly name: string;
  /** In commander's syntax: `<file> [more...]`. */
  readonly positionals: string;
  readonly description: string;
  readonly flags: readonly Flag[];
  /** Of its arguments, in order; the last applies to all further ones. */
  readonly choices?: readonly Choices[];
  /** Its values of --output, the default first; only text when absent. */
  readonly formats?: readonly [string, ...string[]];
  /** `--dir` may be repeated, and names folders to read instead of the one to change to. */
  readonly takesDirs?: true;
  readonly load: () => Promise<{ readonly run: Run }>;
}

/** Such as `--out` for `-o, --out <file>`. */
export function longFlag(flags: string): string {
  return /--[a-z-]+/.exec(flags)?.[0] ?? flags;
}
