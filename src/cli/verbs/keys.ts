/** Commands that manage which keys belong to which account. */
import type { Verb } from './verb.ts';

export const keysVerbs: readonly Verb[] = [
  {
    name: 'keys list',
    positionals: '',
    description: 'List the keys that runs used, by fingerprint, and their accounts',
    flags: [],
    formats: ['text', 'json'],
    load: () => import('../commands/keys-list.ts'),
  },
  {
    name: 'keys former',
    positionals: '<fingerprints...>',
    description:
      'Record in deskhand.yaml that these keys are earlier keys of the profile’s account',
    flags: [
      { flags: '--account-id <id>', description: 'account-id to record, if the profile has none' },
    ],
    choices: ['key'],
    load: () => import('../commands/keys-former.ts'),
  },
  {
    name: 'keys other',
    positionals: '<fingerprints...>',
    description: 'Record in deskhand.yaml that these keys belong to other accounts',
    flags: [],
    choices: ['key'],
    load: () => import('../commands/keys-other.ts'),
  },
];
