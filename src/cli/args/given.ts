/** Flags of a command line that another command of the same folder needs as well. */
import { shellWord } from '../../base/text.ts';
import type { Args, Globals } from '../context.ts';

const flags = ['var', 'var-file', 'only', 'from'] as const;

/**
 * The playbook with its inputs and choices as shell words: `job.yaml --profile main --var size=2`.
 */
export function givenWords(
  file: string,
  args: Args,
  { profile, config, store }: Pick<Globals, 'profile' | 'config' | 'store'>,
): string {
  const single = {
    profile,
    config,
    store,
    'scheduled-for': args.text('scheduled-for'),
    of: args.text('of'),
  };
  return [
    shellWord(file),
    ...Object.entries(single).flatMap(([flag, value]) =>
      value === undefined ? [] : [flagWord(flag, value)],
    ),
    ...flagWords(flags, args),
  ].join(' ');
}

/** The shell words of these flags, each as often as it was given. */
export function flagWords(names: readonly string[], args: Args): readonly string[] {
  return names.flatMap((name) => args.texts(name).map((value) => flagWord(name, value)));
}

function flagWord(name: string, value: string): string {
  return `--${name} ${shellWord(value)}`;
}
