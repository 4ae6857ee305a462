/** Commands about the state store that machines share. */
import type { Verb } from './verb.ts';

export const storeVerbs: readonly Verb[] = [
  {
    name: 'store upgrade',
    positionals: '',
    description: 'Create the tables of state: postgres, or bring them to this version',
    flags: [],
    load: () => import('../commands/store-upgrade.ts'),
  },
  {
    name: 'store restored',
    positionals: '',
    description: 'Report that the database was restored: started runs look up every write first',
    flags: [{ flags: '--yes', description: 'report it' }],
    load: () => import('../commands/store-restored.ts'),
  },
];
