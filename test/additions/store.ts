/** A database of runs: what opens its parts, its settings, their parser, and its place in the table. */
import { before, type Addition } from './addition.ts';

export const store: Addition = {
  name: 'a store',
  files: [
    {
      file: 'stores/cockroach/index.ts',
      text: `/** CockroachDB, which speaks the protocol of Postgres. */
import type { Database } from '../databases.ts';
import { postgres } from '../postgres/index.ts';
import type { DatabaseSettings } from '../settings.ts';

export const cockroach: Database<Extract<DatabaseSettings, { readonly store: 'cockroach' }>> = {
  ...postgres,
  nameOf: (url) => \`cockroach \${postgres.nameOf(url)}\`,
  upgrade: async () => 'the tables have version 1',
};
`,
    },
    {
      file: 'stores/settings.ts',
      edits: [
        before(
          "  | {\n      readonly store: 'restate';",
          "  | { readonly store: 'cockroach'; readonly url: UrlSource; readonly lease: Millis; readonly sharesPace?: true }\n",
        ),
      ],
    },
    {
      file: 'stores/databases.ts',
      edits: [
        before(
          "  restate: async () => (await import('./restate/index.ts')).restate,",
          "  cockroach: async () => (await import('./cockroach/index.ts')).cockroach,\n",
        ),
      ],
    },
    {
      file: 'app/config/state.ts',
      edits: [
        ["'postgres', 'restate'] as const;", "'postgres', 'cockroach', 'restate'] as const;"],
        before(
          "  restate: ['url', 'lease', 'service',",
          "  cockroach: ['url', 'lease', 'pace'],\n",
        ),
        before(
          '  restate: { least: 2 * second,',
          "  cockroach: { least: 3 * second, shown: '3s', initial: postgresDefaults.lease },\n",
        ),
        before(
          "    case 'restate': {",
          "    case 'cockroach':\n      return { store, ...databaseOf(given, store, place) };\n",
        ),
      ],
    },
  ],
  shows: `
import { state as part } from './src/app/config/state.ts';
import { openShared } from './src/stores/databases.ts';

const value = { store: 'cockroach', url: { env: 'COCKROACH_URL' } };
const state = part.read(value, { file: 'deskhand.yaml', path: 'state' });
if (state.store !== 'cockroach') throw new Error('not read');
const { name } = await openShared(state.store, { url: 'postgres://u:p@db.test/desk', lease: state.lease });
console.log(JSON.stringify([state, name]));
`,
  shown: [
    { store: 'cockroach', url: { kind: 'env', name: 'COCKROACH_URL' }, lease: 4_000 },
    'cockroach db.test:5432/desk',
  ],
};
