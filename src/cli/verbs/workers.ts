/** Commands about runs on other machines. */
import type { Verb } from './verb.ts';

export const workerVerbs: readonly Verb[] = [
  {
    name: 'worker',
    positionals: '',
    description: 'Take queued runs from the database of the project, until it is stopped',
    flags: [
      {
        flags: '--slots <number>',
        description: 'runs at the same time (default 4)',
        choices: ['2', '4', '8', '16'],
      },
      {
        flags: '--profiles <names>',
        description: 'only these: main,spot (default: all with a key)',
        choices: 'profile',
      },
      { flags: '--once', description: 'end when no job is left that it can do' },
    ],
    load: () => import('../commands/worker.ts'),
  },
  {
    name: 'workers',
    positionals: '',
    description: 'List workers, and jobs that have not ended',
    flags: [],
    load: () => import('../commands/workers.ts'),
  },
];
