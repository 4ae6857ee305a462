/** Commands about the state store that machines share. */
import type { Verb } from './verb.ts';

export const storeVerbs: readonly Verb[] = [
  {
    name: 'store upgrade',
    positionals: '',
    description: 'Prepare the database of state: its tables, or the service in Restate',
    flags: [],
    load: () => import('../commands/store-upgrade.ts'),
  },
  {
    name: 'store serve',
    positionals: '',
    description: 'Execute the calls of a Restate server, for state: restate',
    flags: [
      { flags: '--listen <address>', description: 'host and port (default 127.0.0.1:9080)' },
      {
        flags: '--stream <address>',
        description:
          'host and port at which machines send lines of runs (default: a free port, same host)',
      },
      {
        flags: '--identity-key <key>',
        description: 'public key of a server whose calls are accepted; needed beyond loopback',
        isRepeated: true,
      },
    ],
    load: () => import('../commands/store-serve.ts'),
  },
  {
    name: 'store restored',
    positionals: '',
    description: 'Report that the database was restored: started runs look up every write first',
    flags: [{ flags: '--yes', description: 'report it' }],
    load: () => import('../commands/store-restored.ts'),
  },
];
