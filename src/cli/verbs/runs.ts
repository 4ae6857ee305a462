/** The verbs about what was run here. */
import type { Verb } from './verb.ts';

export const runsVerbs: readonly Verb[] = [
  {
    name: 'runs list',
    words: '',
    says: 'runs made here, newest first',
    flags: [],
    formats: ['text', 'json'],
    load: () => import('../commands/runs-list.ts'),
  },
  {
    name: 'runs show',
    words: '<run>',
    says: 'one run: its steps, its outcome, what to do next',
    flags: [{ flags: '--requests', says: 'every request it made' }],
    choices: ['run'],
    formats: ['text', 'json', 'ndjson'],
    load: () => import('../commands/runs-show.ts'),
  },
  {
    name: 'runs verify',
    words: '<run>',
    says: 'whether its journal and the files it names are as they were written',
    flags: [],
    choices: ['run'],
    formats: ['text', 'json'],
    load: () => import('../commands/runs-verify.ts'),
  },
  {
    name: 'runs replay',
    words: '<run>',
    says: 'play it again offline on its own answers, and tell what comes out different',
    flags: [],
    choices: ['run'],
    formats: ['text', 'json'],
    load: () => import('../commands/runs-replay.ts'),
  },
  {
    name: 'runs unlock',
    words: '<run>',
    says: 'say that the machine of a run is gone for good, where state is kept in git',
    flags: [
      { flags: '--comment <text>', says: 'how you know; kept in the state' },
      { flags: '--give-up', says: 'free its accounts without finishing it' },
    ],
    choices: ['run'],
    load: () => import('../commands/runs-unlock.ts'),
  },
];
