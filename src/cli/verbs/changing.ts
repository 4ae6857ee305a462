/** The commands plan, approve, decline and run. */
import {
  changedSince,
  inputs,
  only,
  queued,
  report,
  reuse,
  signed,
  scheduledFor,
  wait,
} from './flags.ts';
import type { Verb } from './verb.ts';

/** The verbs of plans, in the order of help. */
export const planVerbs: readonly Verb[] = [
  {
    name: 'plan',
    positionals: '[file]',
    description: 'Show what a run would do; sends nothing',
    flags: [
      { flags: '--full', description: 'show every line, including similar ones' },
      {
        flags: '--out <file>',
        description: 'also write the plan to this file',
        choices: 'file',
        path: 'write',
        owns: 'plan',
      },
      {
        flags: '--out-dir <dir>',
        description: 'with --changed-since: also write every plan to this folder',
        choices: 'folder',
        path: 'folder',
      },
      { flags: '--exit-code', description: 'exit 10 if there are changes' },
      { flags: '--offline', description: 'make no requests; such a plan cannot be run' },
      {
        flags: '--expires <time>',
        description: 'how long the plan is valid: 90s, 15m, 2h, 3d',
        choices: ['15m', '2h', '24h', '3d'],
      },
      {
        flags: '--queue',
        description: 'let a worker make it; needs state: postgres or restate, and no key',
      },
      wait,
      only,
      ...reuse,
      scheduledFor,
      changedSince,
      ...inputs,
    ],
    choices: ['playbook'],
    formats: ['text', 'json', 'markdown'],
    load: () => import('../commands/plan.ts'),
  },
  {
    name: 'run',
    positionals: '<file>',
    description: 'Plan, confirm, execute; a plan, by file or id, runs exactly that plan',
    flags: [
      {
        flags: '--approve <plan-id>',
        description: 'approve this plan; required for live runs without a terminal',
        choices: 'plan',
      },
      {
        flags: '--new',
        description: 'run beside a run that did not end: it is set aside; needs --reason',
      },
      {
        flags: '--reason <text>',
        description: 'with --new: why; recorded in the run that is set aside',
      },
      ...queued,
      only,
      ...reuse,
      scheduledFor,
      report,
      ...inputs,
    ],
    choices: ['playbook-or-plan'],
    formats: ['text', 'json', 'ndjson', 'markdown'],
    load: () => import('../commands/run.ts'),
  },
  {
    name: 'approve',
    positionals: '[plan-or-run] [step]',
    description:
      'Approve a plan, or what a step of a run asks, signed with your SSH key or a passkey',
    flags: [
      ...signed,
      {
        flags: '--expires <time>',
        description: 'how long the approval is valid: 2h, 1d; at most what the profile allows',
        choices: ['1h', '8h', '24h'],
      },
      {
        flags: '--enroll',
        description: 'make a passkey in a browser, and print its line for passkeys.json',
      },
      {
        flags: '--port <number>',
        description: 'with --enroll: port of the page (default 8787)',
      },
      {
        flags: '--confirm <id>',
        description: 'confirm a live plan, or a live run, without a terminal',
        choices: 'plan-or-run',
      },
    ],
    choices: ['plan-or-run', 'asking-step'],
    formats: ['text', 'json'],
    load: () => import('../commands/approve.ts'),
  },
  {
    name: 'decline',
    positionals: '<plan-or-run> [step]',
    description: 'Decline a plan, or what a step of a run asks, signed with your SSH key',
    flags: signed,
    choices: ['plan-or-run', 'asking-step'],
    formats: ['text', 'json'],
    load: () => import('../commands/decline.ts'),
  },
];
