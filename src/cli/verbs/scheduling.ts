/** Defines the commands for schedules. */
import { pipelinePackage, report } from './flags.ts';
import type { Flag, Verb } from './verb.ts';

const schedule: Flag = {
  flags: '--schedule <id>',
  description: 'only this schedule, by id',
  isRepeated: true,
  choices: 'schedule',
};

export const scheduleVerbs: readonly Verb[] = [
  {
    name: 'schedule list',
    positionals: '[files...]',
    description: 'List schedules with their next and last occurrence',
    flags: [],
    choices: ['playbook'],
    formats: ['text', 'json'],
    load: () => import('../commands/schedule-list.ts'),
  },
  {
    name: 'schedule next',
    positionals: '[files...]',
    description: 'Show the next occurrences',
    flags: [{ flags: '--count <number>', description: 'number of occurrences (default 10)' }],
    choices: ['playbook'],
    formats: ['text', 'json'],
    load: () => import('../commands/schedule-next.ts'),
  },
  {
    name: 'schedule run-due',
    positionals: '[files...]',
    description: 'Run what is due, then exit; for external timers',
    flags: [
      schedule,
      {
        flags: '--late <time>',
        description: 'how late a run may start',
        choices: ['15m', '45m', '2h'],
      },
      {
        flags: '--from <time>',
        description: 'run the occurrences of the past from here that never ran: 2026-09-01',
      },
      { flags: '--to <time>', description: 'with --from: up to here, exclusive; default: now' },
      { ...report, description: 'write the reports of runs to this folder' },
    ],
    choices: ['playbook'],
    formats: ['text', 'json'],
    load: () => import('../commands/schedule-run-due.ts'),
  },
  {
    name: 'schedule serve',
    positionals: '[files...]',
    description: 'Run the schedules of this folder, until Ctrl-C',
    flags: [],
    choices: ['playbook'],
    formats: ['text', 'ndjson'],
    load: () => import('../commands/schedule-serve.ts'),
  },
  {
    name: 'schedule log',
    positionals: '[which...]',
    description: 'Show which occurrences ran, and why others did not',
    flags: [
      {
        flags: '--since <time>',
        description: 'maximum age: 2h, 7d',
        choices: ['2h', '1d', '7d', '30d'],
      },
    ],
    choices: ['schedule'],
    formats: ['text', 'json', 'ndjson'],
    load: () => import('../commands/schedule-log.ts'),
  },
  {
    name: 'schedule pause',
    positionals: '<name>',
    description: 'Pause a schedule, or all schedules of a playbook',
    flags: [{ flags: '--reason <text>', description: 'why; required, and shown to everyone' }],
    choices: ['schedule'],
    formats: ['text', 'json'],
    load: () => import('../commands/schedule-pause.ts'),
  },
  {
    name: 'schedule resume',
    positionals: '<name>',
    description: 'Resume what was paused; occurrences of the pause are not run',
    flags: [{ flags: '--reason <text>', description: 'why' }],
    choices: ['schedule'],
    formats: ['text', 'json'],
    load: () => import('../commands/schedule-resume.ts'),
  },
  {
    name: 'schedule export',
    positionals: '[files...]',
    description: 'Export schedules for systemd, cron or GitHub',
    flags: [
      { flags: '--systemd', description: 'write a service and a timer for each schedule' },
      { flags: '--cron', description: 'write lines for a crontab' },
      { flags: '--github', description: 'write a GitHub workflow, for playbooks that only read' },
      pipelinePackage,
      {
        flags: '--timezone <name>',
        description: 'with --cron: time zone of that machine (default: of this one)',
      },
      {
        flags: '--out <dir>',
        description: 'write files to this folder',
        choices: 'folder',
        path: 'folder',
      },
    ],
    choices: ['playbook'],
    load: () => import('../commands/schedule-export.ts'),
  },
];
