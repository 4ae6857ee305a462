/** Defines the commands of the sandbox exchange. */
import type { Verb } from './verb.ts';

export const sandboxVerbs: readonly Verb[] = [
  {
    name: 'sandbox start',
    positionals: '',
    description: 'Start the sandbox exchange as a server, until Ctrl-C',
    flags: [
      { flags: '--port <number>', description: 'port; 0 picks a free one (default 8788)' },
      { flags: '--seed <number>', description: 'seed of the world: prices, customers, history' },
      {
        flags: '--clock <kind>',
        description: '"real", "fixed", or "60x" for a minute each second',
        choices: ['real', 'fixed', '60x'],
      },
      {
        flags: '--ready-file <file>',
        description: 'write addresses and keys to this file once it listens',
        choices: 'file',
        path: 'write',
        owns: 'ready',
      },
      { flags: '--keep', description: 'load the world from the state folder and save to it' },
      {
        flags: '--scenario <file>',
        description: 'load this scenario',
        choices: 'file',
        path: 'read',
        readsStdin: true,
      },
      {
        flags: '--state <file>',
        description: 'load the world from FILE and save to it',
        choices: 'file',
        path: 'write',
      },
    ],
    formats: ['text', 'json'],
    load: () => import('../commands/sandbox-start.ts'),
  },
  {
    name: 'sandbox reset',
    positionals: '',
    description: 'Reset the sandbox of the profile to a new world',
    flags: [],
    formats: ['text', 'json'],
    load: () => import('../commands/sandbox-reset.ts'),
  },
  {
    name: 'sandbox advance',
    positionals: '<time>',
    description: 'Advance the clock of the profile’s sandbox: 90s, 15m, 1h, 2d',
    flags: [],
    formats: ['text', 'json'],
    load: () => import('../commands/sandbox-advance.ts'),
  },
  {
    name: 'sandbox load',
    positionals: '<file>',
    description: 'Load a scenario: accounts, orders, prices, faults, later events',
    flags: [],
    choices: ['file'],
    formats: ['text', 'json'],
    load: () => import('../commands/sandbox-load.ts'),
  },
  {
    name: 'sandbox control',
    positionals: '[path] [fields...]',
    description: 'Send a request to the control interface: deskhand sandbox control faults',
    flags: [
      {
        flags: '--method <name>',
        description: 'HTTP method (default: GET without fields, else the other one of the path)',
        choices: ['GET', 'POST', 'PUT'],
      },
      { flags: '--list', description: 'list every path with its methods and fields' },
    ],
    choices: ['control-path'],
    formats: ['text', 'json'],
    load: () => import('../commands/sandbox-control.ts'),
  },
];
