/** The verbs of schedules. */
import type { Flag, Verb } from './verb.ts';

const schedule: Flag = {
  flags: '--schedule <id>',
  says: 'only this schedule: s- and eight characters',
  isRepeated: true,
  choices: 'schedule',
};

export const scheduleVerbs: readonly Verb[] = [
  {
    name: 'schedule list',
    words: '[files...]',
    says: 'every schedule: when it is due next, and what became of its last time',
    flags: [],
    choices: ['playbook'],
    formats: ['text', 'json'],
    load: () => import('../commands/schedule-list.ts'),
  },
  {
    name: 'schedule next',
    words: '[files...]',
    says: 'the times to come, in their order',
    flags: [{ flags: '--count <number>', says: 'how many (default 10)' }],
    choices: ['playbook'],
    formats: ['text', 'json'],
    load: () => import('../commands/schedule-next.ts'),
  },
  {
    name: 'schedule run-due',
    words: '[files...]',
    says: 'look once, run what is due, and end; for a timer of another program',
    flags: [
      schedule,
      {
        flags: '--late <time>',
        says: 'how late a run may begin, for a caller that looks seldom',
        choices: ['15m', '45m', '2h'],
      },
    ],
    choices: ['playbook'],
    formats: ['text', 'json'],
    load: () => import('../commands/schedule-run-due.ts'),
  },
  {
    name: 'schedule serve',
    words: '[files...]',
    says: 'keep to the schedules of this folder, until Ctrl-C',
    flags: [],
    choices: ['playbook'],
    formats: ['text', 'ndjson'],
    load: () => import('../commands/schedule-serve.ts'),
  },
  {
    name: 'schedule log',
    words: '[which...]',
    says: 'what was run for which time, and what was not and why',
    flags: [
      {
        flags: '--since <time>',
        says: 'not older than this: 2h, 7d',
        choices: ['2h', '1d', '7d', '30d'],
      },
    ],
    choices: ['schedule'],
    formats: ['text', 'ndjson'],
    load: () => import('../commands/schedule-log.ts'),
  },
  {
    name: 'schedule export',
    words: '[files...]',
    says: 'the same schedules for the timers of another program',
    flags: [
      { flags: '--systemd', says: 'a service and a timer for each' },
      { flags: '--cron', says: 'lines of a crontab' },
      { flags: '--github', says: 'a GitHub workflow, for what only reads' },
      {
        flags: '--timezone <name>',
        says: 'with --cron: the zone of that machine (default: this one’s)',
      },
      {
        flags: '--out <dir>',
        says: 'write files into this folder',
        choices: 'folder',
        path: 'folder',
      },
    ],
    choices: ['playbook'],
    load: () => import('../commands/schedule-export.ts'),
  },
];
