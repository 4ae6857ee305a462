/** Defines the command for the page of runs. */
import type { Verb } from './verb.ts';

export const serveVerbs: readonly Verb[] = [
  {
    name: 'serve',
    positionals: '',
    description:
      'Show runs in a browser, as they happen; --dir may be repeated for several repositories',
    flags: [
      {
        flags: '--port <number>',
        description: 'port on this machine (default 8787; 0 picks a free one)',
      },
      { flags: '--read-only', description: 'without anything that changes a run' },
    ],
    takesDirs: true,
    load: () => import('../commands/serve.ts'),
  },
];
