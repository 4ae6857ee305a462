/** Defines the command for the page of runs. */
import type { Verb } from './verb.ts';

export const serveVerbs: readonly Verb[] = [
  {
    name: 'serve',
    positionals: '',
    description:
      'Show runs in a browser, as they happen; --dir may be repeated for several repositories',
    flags: [
      {
        flags: '--port <number>',
        description: 'port on this machine (default 8787; 0 picks a free one)',
      },
      {
        flags: '--listen <address>',
        description:
          'serve a team that signs in with the issuer of deskhand.yaml: HOST:PORT with TLS, or unix:PATH for a proxy',
      },
      {
        flags: '--published',
        description:
          'in a container: also accept connections of its host, which publishes the port',
      },
      { flags: '--no-schedules', description: 'do not start what the schedules are due for' },
      {
        flags: '--read-only',
        description: 'without anything that changes a run, and without schedules',
      },
    ],
    takesDirs: true,
    load: () => import('../commands/serve.ts'),
  },
  {
    name: 'serve log',
    positionals: '',
    description: 'List what was done from the page: who, what, when, from where',
    flags: [{ flags: '--since <time>', description: 'maximum age: 2h, 7d', choices: ['1d', '7d'] }],
    formats: ['text', 'json'],
    load: () => import('../commands/serve-log.ts'),
  },
];
