/** Verbs of a change: planned, approved or declined, and run. */
import { changedSince, inputs, only, report, signed, scheduledFor } from './flags.ts';
import type { Verb } from './verb.ts';

/** In the order help shows them. */
export const planVerbs: readonly Verb[] = [
  {
    name: 'plan',
    words: '[file]',
    says: 'read what stands and say what a run would do; nothing is sent',
    flags: [
      { flags: '--full', says: 'show every line, also those alike' },
      {
        flags: '--out <file>',
        says: 'write the plan to this file too',
        choices: 'file',
        path: 'write',
      },
      {
        flags: '--out-dir <dir>',
        says: 'with --changed-since: write every plan into this folder too',
        choices: 'folder',
        path: 'folder',
      },
      { flags: '--exit-code', says: 'exit 10 when there are changes' },
      { flags: '--offline', says: 'make no reads; such a plan is only to be looked at' },
      {
        flags: '--expires <time>',
        says: 'how long it may be run: 90s, 15m, 2h, 3d',
        choices: ['15m', '2h', '24h', '3d'],
      },
      only,
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
    words: '<file>',
    says: 'plan, ask, send; a plan file runs exactly that plan',
    flags: [
      {
        flags: '--approve <plan-id>',
        says: 'approve this plan; live runs need it off a terminal',
        choices: 'plan',
      },
      only,
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
    words: '<plan>',
    says: 'sign with your SSH key that a plan may be run, for a profile that asks for it',
    flags: [
      ...signed,
      {
        flags: '--expires <time>',
        says: 'how long it holds: 2h, 1d; never longer than the profile says',
        choices: ['1h', '8h', '24h'],
      },
      {
        flags: '--confirm <plan-id>',
        says: 'instead of typing LIVE, where there is no terminal',
        choices: 'plan',
      },
    ],
    choices: ['plan'],
    formats: ['text', 'json'],
    load: () => import('../commands/approve.ts'),
  },
  {
    name: 'decline',
    words: '<plan>',
    says: 'sign with your SSH key that a plan must not be run',
    flags: signed,
    choices: ['plan'],
    formats: ['text', 'json'],
    load: () => import('../commands/decline.ts'),
  },
];
