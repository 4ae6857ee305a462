/** The verbs of the sandbox exchange. */
import type { Verb } from './verb.ts';

export const sandboxVerbs: readonly Verb[] = [
  {
    name: 'sandbox start',
    words: '',
    says: 'the exchange as a server on this machine, until Ctrl-C',
    flags: [
      { flags: '--port <number>', says: 'listen here; 0 takes a free one (default 8788)' },
      { flags: '--seed <number>', says: 'another world: prices, customers, history' },
      {
        flags: '--clock <kind>',
        says: '«real», «fixed», or «60x» for a minute each second',
        choices: ['real', 'fixed', '60x'],
      },
      {
        flags: '--ready-file <file>',
        says: 'write addresses and keys here once it listens',
        choices: 'file',
        path: 'write',
      },
      { flags: '--keep', says: 'go on from the state folder and save to it' },
      { flags: '--scenario <file>', says: 'begin with this scenario', choices: 'file' },
      {
        flags: '--state <file>',
        says: 'go on from the world in FILE and save to it',
        choices: 'file',
        path: 'write',
      },
    ],
    formats: ['text', 'json'],
    load: () => import('../commands/sandbox-start.ts'),
  },
  {
    name: 'sandbox reset',
    words: '',
    says: 'forget everything the sandbox knows',
    flags: [],
    load: () => import('../commands/sandbox-reset.ts'),
  },
  {
    name: 'sandbox advance',
    words: '<time>',
    says: 'move the sandbox’s clock: 90s, 15m, 1h, 2d',
    flags: [],
    load: () => import('../commands/sandbox-advance.ts'),
  },
  {
    name: 'sandbox load',
    words: '<file>',
    says: 'bring a scenario in: accounts, orders, prices, faults, later events',
    flags: [],
    choices: ['file'],
    load: () => import('../commands/sandbox-load.ts'),
  },
  {
    name: 'sandbox control',
    words: '<path> [fields...]',
    says: 'any request of the control interface: deskhand sandbox control faults',
    flags: [
      {
        flags: '--method <name>',
        says: 'GET without fields, POST with; or PUT',
        choices: ['GET', 'POST', 'PUT'],
      },
    ],
    choices: ['control-path'],
    formats: ['text', 'json'],
    load: () => import('../commands/sandbox-control.ts'),
  },
];
