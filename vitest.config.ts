import { availableParallelism } from 'node:os';
import process from 'node:process';
import { configDefaults, defineConfig } from 'vitest/config';
import { deckOf, turnOf, type Deck } from './test/support/decks.ts';
import { limits } from './test/support/limits.ts';
import { sayWhatIsInNoDeck } from './test/support/measured.ts';
import { LongestFirst } from './test/support/sequence.ts';

/** The folders of tests that start the command line, for which it is built once. */
const commandFolders = ['cli', 'docs', 'app/embedding', 'pipelines', 'secrets', 'story'];
const asUsers = commandFolders.map((folder) => `test/${folder}/**/*.test.ts`);
const isAsUser = (file: string): boolean =>
  commandFolders.some((folder) => file.startsWith(`test/${folder}/`));

/** Set by `npm test`: files that take long are tried in turns, by the day; without it, all of them. */
const day = process.env['TEST_DAY'];
const deck = day === undefined ? undefined : deckOn(day);

/** Set by `.ci/run`: one of the turns in which only what takes long is tried. */
const turn = process.env['TEST_TURN'];
const inTurn = turn === undefined ? undefined : turnOf(turn);

export default defineConfig({
  test: {
    exclude: [
      ...configDefaults.exclude,
      'test/peers/**',
      'test/postgres/**',
      'test/restate/**',
      ...(deck?.others ?? []),
    ],
    maxWorkers: availableParallelism() + 1, // one of them waits for a process or a clock
    isolate: false, // to start a process and load the sources takes longer than most files
    sequence: { sequencer: LongestFirst },
    ...limits,
    reporters: ['default', { onInit: sayWhatIsTried, onTestRunEnd: sayWhatIsInNoDeck }],
    setupFiles: ['test/support/scratch.ts', 'test/support/seed.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'as a user',
          include: inTurn?.filter(isAsUser) ?? asUsers,
          globalSetup: ['test/support/scratch-root.ts', 'test/cli/built.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'inside',
          include: inTurn ? [...inTurn] : ['test/**/*.test.ts'],
          exclude: asUsers,
          globalSetup: ['test/support/scratch-root.ts'],
        },
      },
    ],
  },
});

/** @param named a date, or `today` @throws Error for another text */
function deckOn(named: string): Deck & { readonly date: string } {
  const date = named === 'today' ? new Date().toISOString().slice(0, 10) : named;
  const time = Date.parse(date);
  if (Number.isNaN(time))
    throw new Error(`TEST_DAY must be a date such as 2026-11-20, not ${date}`);
  return { date, ...deckOf(time) };
}

function sayWhatIsTried(): void {
  if (deck === undefined) return;
  const { number, of, others, date } = deck;
  console.log(
    `Deck ${number} of ${of} (TEST_DAY=${date}): without ${others.length} files that take long; all: npm run test:all`,
  );
}
