/** Arguments of a command that are made by the program, not typed by a person. */
import type { Args } from '../context.ts';

export interface Made {
  readonly positionals?: readonly string[];
  /** Values of flags, by name. */
  readonly texts?: Readonly<Record<string, string | undefined>>;
  /** Values of flags that may be repeated. */
  readonly lists?: Readonly<Record<string, readonly string[]>>;
}

export function argsOf({ positionals = [], texts = {}, lists = {} }: Made = {}): Args {
  return {
    positionals,
    text: (flag) => texts[flag],
    texts: (flag) => lists[flag] ?? [],
    isOn: () => false,
  };
}
