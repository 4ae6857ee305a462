/** Arguments of a command that no person typed. */
import type { Args } from '../context.ts';

export interface Made {
  readonly positionals?: readonly string[];
  /** Values of flags, by name. */
  readonly texts?: Readonly<Record<string, string | undefined>>;
}

export function argsOf({ positionals = [], texts = {} }: Made = {}): Args {
  return {
    positionals,
    text: (flag) => texts[flag],
    texts: () => [],
    isOn: () => false,
  };
}
