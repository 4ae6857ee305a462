/** Commands about past runs. */
import type { Verb } from './verb.ts';
import { statusWords } from '../../report/run-status.ts';

export const runsVerbs: readonly Verb[] = [
  {
    name: 'runs list',
    positionals: '',
    description: 'List runs, newest first',
    flags: [
      {
        flags: '--playbook <name>',
        description: 'only runs of this playbook',
        choices: 'run-playbook',
      },
      {
        flags: '--status <status>',
        description: 'only runs with this status',
        choices: statusWords,
      },
      {
        flags: '--since <time>',
        description: 'maximum age: 2h, 7d',
        choices: ['2h', '1d', '7d', '30d'],
      },
    ],
    formats: ['text', 'json'],
    load: () => import('../commands/runs-list.ts'),
  },
  {
    name: 'runs show',
    positionals: '<run>',
    description: 'Show a run: steps, outcome, next steps; by id, prefix of an id, or "last"',
    flags: [{ flags: '--requests', description: 'show every request' }],
    choices: ['run'],
    formats: ['text', 'json', 'ndjson'],
    load: () => import('../commands/runs-show.ts'),
  },
  {
    name: 'runs logs',
    positionals: '<run>',
    description: 'Print what a run did, line by line, as it printed it; -f follows it to its end',
    flags: [{ flags: '-f, --follow', description: 'until it ends; exit with its code' }],
    choices: ['run'],
    formats: ['text', 'ndjson'],
    load: () => import('../commands/runs-logs.ts'),
  },
  {
    name: 'runs files',
    positionals: '<run>',
    description: 'List the files that a run wrote and where they are; --into fetches them',
    flags: [
      {
        flags: '--into <folder>',
        description: 'copy them there; never replaces another file',
        choices: 'folder',
        path: 'folder',
      },
    ],
    choices: ['run'],
    formats: ['text', 'json'],
    load: () => import('../commands/runs-files.ts'),
  },
  {
    name: 'runs outputs',
    positionals: '<run> [name]',
    description: 'Print the outputs of a run and of the playbooks it used, or one by its name',
    flags: [],
    choices: ['run'],
    formats: ['text', 'json'],
    load: () => import('../commands/runs-outputs.ts'),
  },
  {
    name: 'runs cancel',
    positionals: '<run>',
    description: 'Stop a queued run: it is not started, or stops in order',
    flags: [],
    choices: ['run'],
    load: () => import('../commands/runs-cancel.ts'),
  },
  {
    name: 'runs metrics',
    positionals: '',
    description: 'Print metrics of all runs, in the format of Prometheus',
    flags: [],
    load: () => import('../commands/runs-metrics.ts'),
  },
  {
    name: 'runs verify',
    positionals: '<run>',
    description: 'Verify the journal of a run and the files it wrote',
    flags: [],
    choices: ['run'],
    formats: ['text', 'json'],
    load: () => import('../commands/runs-verify.ts'),
  },
  {
    name: 'runs replay',
    positionals: '<run>',
    description: 'Replay a run offline on its recorded responses and show differences',
    flags: [],
    choices: ['run'],
    formats: ['text', 'json'],
    load: () => import('../commands/runs-replay.ts'),
  },
  {
    name: 'runs prune',
    positionals: '',
    description: 'Remove records of old runs that sent nothing; without --yes it only lists them',
    flags: [
      {
        flags: '--older-than <time>',
        description: 'minimum age (default 30d)',
        choices: ['30d', '90d'],
      },
      {
        flags: '--keep <number>',
        description: 'keep this many of each playbook (default 1)',
        choices: ['1', '10', '100'],
      },
      { flags: '--yes', description: 'remove them' },
    ],
    formats: ['text', 'json'],
    load: () => import('../commands/runs-prune.ts'),
  },
  {
    name: 'runs set-aside',
    positionals: '<run>',
    description: 'Leave a run as finished by hand: it is not continued, and blocks no other',
    flags: [
      { flags: '--reason <text>', description: 'the outcome of its orders; recorded' },
      { flags: '--comment <text>', description: 'the same as --reason' },
    ],
    choices: ['run'],
    load: () => import('../commands/runs-set-aside.ts'),
  },
  {
    name: 'runs unlock',
    positionals: '<run>',
    description: 'Release the lock of a run whose process or machine is gone',
    flags: [
      { flags: '--comment <text>', description: 'evidence; recorded in the state' },
      { flags: '--give-up', description: 'release its accounts without finishing the run' },
      {
        flags: '--restarted',
        description: 'its machine only restarted, and this is its original state folder',
      },
    ],
    choices: ['run'],
    load: () => import('../commands/runs-unlock.ts'),
  },
];
